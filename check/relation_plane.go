package check

import (
	"cmp"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/internal/univariate"
)

// settle makes an equation of a plane: coefficients by least squares on the rows near it, then
// round ones where they do as well; the best left side; its rounding; whether chance would do it.
func (s *relationSample) settle(set []int, c []float64, sought int) (equation, bool) {
	refined := s.refine(set, c)
	type candidate struct {
		equation
		price float64
		place int // of its left side in the set
	}
	var candidates []candidate
	for k := range set {
		e, digits := s.solved(set, refined, k, allColumns)
		if !s.material(&e) {
			return e, false
		}
		// People write sums of positive terms with short coefficients, results at the right.
		price := 3*float64(digits) - 0.01*float64(e.left)
		for _, t := range e.terms {
			if t.slope < 0 {
				price += 2
			}
		}
		candidates = append(candidates, candidate{e, price, k})
	}
	slices.SortStableFunc(candidates, func(a, b candidate) int { return cmp.Compare(a.price, b.price) })
	best, share := equation{}, 0.0
	for _, c := range candidates[:min(2, len(candidates))] {
		e, held := s.completed(c.equation, sought)
		if held == 0 || e.rounding > leftSide {
			// Of coarse columns a law may still hold to the last digit of its left side, with coefficients that are not round.
			sharp, _ := s.solved(set, refined, c.place, leftSide)
			if sharp, keep := s.completed(sharp, sought); keep >= 0.98*held && keep > 0 && sharp.rounding <= leftSide {
				e, held = sharp, keep
			}
		}
		if held > share {
			best, share = e, held
		}
	}
	return best, share > 0
}

// completed extends an equation by what explains its exceptions and returns the share of rows that
// keep it; 0 where it is none.
func (s *relationSample) completed(e equation, sought int) (equation, float64) {
	for range 3 {
		longer, ok := s.extend(e)
		if !ok {
			break
		}
		e = longer
	}
	a := s.assess(&e)
	if a.rounding != exact && !s.material(&e) || !s.holds(&e, a, sought) || !s.spoken(&e, a) {
		return e, 0
	}
	e.rounding, e.exceptions = a.rounding, a.exceptions()
	return e, a.share()
}

// material says that every term matters: without it the difference would show. In sums that hold exactly it does.
func (s *relationSample) material(e *equation) bool {
	blur := s.steps[slices.Index(s.columns, e.left)]
	for _, t := range e.terms {
		blur += math.Abs(t.slope) * s.steps[slices.Index(s.columns, t.column)]
	}
	for _, t := range e.terms {
		if j := slices.Index(s.columns, t.column); math.Abs(t.slope)*s.reach[j] < 10*blur {
			return false
		}
	}
	return true
}

// spoken says that the equation holds also where a column has another value than nearly always: what is always 0 where a sum
// holds has no part in it.
func (s *relationSample) spoken(e *equation, a assessment) bool {
	for _, t := range e.terms {
		mode := s.all.modes[t.column]
		if mode != mode {
			continue
		}
		held, speaking := 0, 0
		for _, i := range a.asked {
			if at := s.at(i); at(t.column) != mode {
				speaking++
				if difference, tolerance := e.sides(at, s.all.steps); math.Abs(difference) <= tolerance[a.rounding] {
					held++
				}
			}
		}
		if speaking > 0 && 2*held < speaking {
			return false
		}
	}
	return true
}

// mostOn says that at least half of the rows are near a plane.
func (s *relationSample) mostOn(set []int, c []float64) bool {
	tolerance := s.blur(set, c)
	on, asked := 0, 0
	for i := range s.rows {
		if !complete(s.z, set, i) {
			continue
		}
		r := s.z[set[0]][i] - c[0]
		for k := 1; k < len(set); k++ {
			r -= c[k] * s.z[set[k]][i]
		}
		asked++
		if math.Abs(r) <= tolerance {
			on++
		}
	}
	return asked >= fewestRelated && 2*on >= asked
}

// blur is how far from a plane through rounded rows other rounded rows may be.
func (s *relationSample) blur(set []int, c []float64) float64 {
	tolerance := s.steps[set[0]] / s.spreads[set[0]]
	for k := 1; k < len(set); k++ {
		tolerance += math.Abs(c[k]) * s.steps[set[k]] / s.spreads[set[k]]
	}
	return min(4*tolerance, 0.1) + 1e-6
}

// refine fits the plane by least squares to the rows that are near it, in standardised units.
func (s *relationSample) refine(set []int, c []float64) []float64 {
	size := len(set)
	fitted := append([]float64(nil), c[:size]...)
	row := make([]float64, size)
	residuals := make([]float64, 0, len(s.rows))
	for range 3 {
		residual := func(i int) float64 {
			r := s.z[set[0]][i] - fitted[0]
			for k := 1; k < size; k++ {
				r -= fitted[k] * s.z[set[k]][i]
			}
			return r
		}
		residuals = residuals[:0]
		for i := range s.rows {
			if complete(s.z, set, i) {
				residuals = append(residuals, math.Abs(residual(i)))
			}
		}
		limit := 3*univariate.Normal*univariate.Median(residuals) + 1e-9
		normal := make([]float64, size*(size+1))
		for i := range s.rows {
			if !complete(s.z, set, i) || math.Abs(residual(i)) > limit {
				continue
			}
			row[0] = 1
			for k := 1; k < size; k++ {
				row[k] = s.z[set[k]][i]
			}
			for a := range size {
				for b := range size {
					normal[a*(size+1)+b] += row[a] * row[b]
				}
				normal[a*(size+1)+size] += row[a] * residual(i)
			}
		}
		step, ok := solveSmall(normal, size)
		if !ok {
			break
		}
		for k := range fitted {
			fitted[k] += step[k]
		}
	}
	return fitted
}
