package linear

import (
	"math"
	"slices"

	"github.com/inlier-ml/inlier/internal/univariate"
)

// criterion is what a start minimises: a robust scale of the residuals.
type criterion interface {
	// scale is the criterion itself, 0 for an exact fit of the majority.
	scale(g *design, r []float64, guess float64) float64
	// quick is a cheap stand-in; before is the scale of the step before, 0 at the first.
	quick(g *design, r []float64, before float64) float64
	// below tells cheaply whether scale is below a bound.
	below(g *design, r []float64, bound float64) bool
	// weigh writes the weights of the concentration step.
	weigh(g *design, r []float64, scale float64, w []float64)
}

// sCriterion is the M-scale of Tukey's biweight: S-estimation.
type sCriterion struct{}

func (sCriterion) scale(g *design, r []float64, guess float64) float64 {
	return mScale(r, g.prior, g.total-float64(g.p), guess)
}

func (sCriterion) quick(g *design, r []float64, before float64) float64 {
	if before > 0 {
		mean, _ := meanChi(r, g.prior, before, g.total-float64(g.p))
		return before * math.Sqrt(mean/halfway)
	}
	if len(g.absolute) < len(r) {
		g.absolute = make([]float64, len(r))
	}
	absolute := g.absolute[:len(r)]
	for i, v := range r {
		absolute[i] = math.Abs(v)
	}
	if g.prior == nil {
		return univariate.Median(absolute) / 0.6745
	}
	return univariate.WeightedMedian(absolute, g.prior) / 0.6745
}

func (sCriterion) below(g *design, r []float64, bound float64) bool {
	if math.IsInf(bound, 1) {
		return true
	}
	mean, _ := meanChi(r, g.prior, bound, g.total-float64(g.p))
	return mean < halfway
}

func (sCriterion) weigh(g *design, r []float64, scale float64, w []float64) {
	inverse := 1 / scale
	inPieces(len(r), func(first, last int) (_, _ float64) {
		for i := first; i < last; i++ {
			w[i] = chiWeight(r[i] * inverse)
			if g.prior != nil {
				w[i] *= g.prior[i]
			}
		}
		return 0, 0
	})
}

// ltsCriterion is the root mean square of the smaller half of the absolute residuals:
// least trimmed squares. The half is h = (n+p+1)/2 rows, which breaks down last.
type ltsCriterion struct{}

func (ltsCriterion) scale(g *design, r []float64, _ float64) float64 {
	order := absoluteOrder(r)
	left := ltsShare(g)
	sum := 0.0
	for _, i := range order {
		a := math.Min(left, g.weight(i))
		sum += a * r[i] * r[i]
		if left -= a; left <= 0 {
			break
		}
	}
	return math.Sqrt(sum / ltsShare(g))
}

func (c ltsCriterion) quick(g *design, r []float64, _ float64) float64 { return c.scale(g, r, 0) }

func (c ltsCriterion) below(g *design, r []float64, bound float64) bool {
	return c.scale(g, r, 0) < bound
}

func (ltsCriterion) weigh(g *design, r []float64, _ float64, w []float64) {
	left := ltsShare(g)
	for _, i := range absoluteOrder(r) {
		w[i] = math.Min(left, g.weight(i))
		left -= w[i]
	}
}

// ltsShare is the weight that least trimmed squares keeps.
func ltsShare(g *design) float64 { return math.Floor((g.total + float64(g.p) + 1) / 2) }

// absoluteOrder sorts rows by absolute residual; ties go to the lower row.
func absoluteOrder(r []float64) []int {
	order := make([]int, len(r))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		x, y := math.Abs(r[a]), math.Abs(r[b])
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return a - b
	})
	return order
}
