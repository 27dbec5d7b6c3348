package linear

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/leverage"
)

// Numbers of few decimals that obey an exact relation miss it by their rounding: of
// total = a + b + c with two decimals each, a third of the rows is off by 0.01 while the rest
// fits exactly. Such rows are no outliers.

// roundingScale is a scale that takes the rounding of target and columns for noise, 0 where
// the residuals r of coefficients beta do not look like that. They do where the rows that
// miss by no more than rounding can miss are more likely so many because of it than because
// some are wrong by little, and where no more rows than that fit exactly.
//
// A target that is not rounded, or much more finely than the columns, would show their
// rounding as noise, which has a scale of its own: columns of whole numbers beside it are
// exact.
func (g *design) roundingScale(x *mat.Dense, y, beta, r []float64, flag float64) float64 {
	rows, weights := leverage.SampleOf(g.n, g.prior)
	values := make([]float64, len(rows))
	step := func(at func(i int) float64, c leverage.Column) float64 {
		for k, i := range rows {
			values[k] = at(i)
		}
		return resolution(values, weights, c.Spread)
	}
	steps := []float64{step(func(i int) float64 { return y[i] }, g.target)}
	_, coef := g.raw(beta)
	for _, j := range g.kept {
		steps = append(steps, math.Abs(coef[j])*step(func(i int) float64 { return x.At(i, j) }, g.columns[j]))
	}
	variance, most, lattice := 0.0, 0.0, slices.Max(steps)
	visible := 1e-2 * lattice
	if !(steps[0] > visible) {
		return 0
	}
	for _, s := range steps {
		if s > visible {
			variance += s * s / 12 // an error of rounding is uniform over a step
			most += s / 2
			lattice = math.Min(lattice, s)
		}
	}
	sd := math.Sqrt(variance)
	if !(lattice > 4*g.zero) {
		return 0
	}
	most *= 1 + 1e-6
	exact, near := 0.0, 0.0
	for i, v := range r {
		switch v = math.Abs(v); {
		case v <= lattice/2:
			exact += g.weight(i)
		case v <= most:
			near += g.weight(i)
		}
	}
	// Errors lie on a lattice; the share at its middle is that of the density there.
	none := math.Min(math.Max(lattice/(sd*math.Sqrt(2*math.Pi)), 0.05), 0.9)
	if both := exact + near; exact > (none+0.05)*both+3*math.Sqrt(none*(1-none)*both) {
		return 0 // noise that is smaller than rounding would be
	}
	const wrong = 0.05 // of rows that are wrong by so little
	rounded := near*math.Log(1-none) + exact*math.Log(none)
	if near == 0 || rounded <= near*math.Log(wrong)+exact*math.Log(1-wrong) {
		return 0
	}
	return math.Max(sd, most/flag)
}

// resolution is the step to whose multiples values are rounded: the coarsest of 1, 2, 2.5
// and 5 times a power of ten of which nine in ten values are multiples. It is 0 where there
// is none down to a millionth of their spread, and where the spread is a few steps only:
// such numbers are counts and codes, not rounded ones.
// Weights nil: ones.
func resolution(values, weights []float64, spread float64) float64 {
	if !(spread > 0 && spread <= math.MaxFloat64) {
		return 0
	}
	const few, fine, others = 3, 1e-6, 0.1
	total := float64(len(values))
	if weights != nil {
		total = 0
		for _, w := range weights {
			total += w
		}
	}
	for decade := math.Floor(math.Log10(spread)); ; decade-- {
		for _, digit := range []float64{5, 2.5, 2, 1} {
			step := digit * math.Pow(10, decade)
			if step < fine*spread {
				return 0
			}
			missed := 0.0
			for i, v := range values {
				k := v / step
				// the last bits of a decimal number are not exact
				if !(math.Abs(k-math.Round(k)) <= 1e-6+4e-16*math.Abs(k)) {
					if weights == nil {
						missed++
					} else {
						missed += weights[i]
					}
					if missed > others*total {
						break
					}
				}
			}
			if missed <= others*total {
				if spread < few*step {
					return 0
				}
				return step
			}
		}
	}
}
