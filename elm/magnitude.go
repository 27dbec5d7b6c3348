package elm

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/loss"
)

// Targets so large or small that their squares are no numbers any more are learned in units
// of a power of two. A model whose errors are of such a size has its loss in these units:
// it follows from their scale, so that it need not be kept.

// unitOfTargets is the unit for the median size of targets that are not 0.
func unitOfTargets(t *mat.Dense, w []float64) float64 {
	var sizes, weights []float64
	n, _ := t.Dims()
	usual, absurd := 0.0, 0.0
	for i := range n {
		a := weighting{w: w, k: 1}.at(i, 0)
		for _, v := range t.RawRowView(i) {
			if v == 0 || a == 0 {
				continue
			}
			if univariate.Unit(math.Abs(v)) == 1 {
				usual += a
			} else {
				absurd += a
			}
		}
	}
	if absurd <= usual {
		return 1
	}
	for i := range n {
		a := weighting{w: w, k: 1}.at(i, 0)
		for _, v := range t.RawRowView(i) {
			if v != 0 && a > 0 {
				sizes, weights = append(sizes, math.Abs(v)), append(weights, a)
			}
		}
	}
	if w == nil {
		weights = nil
	}
	return univariate.Unit(univariate.WeightedMedian(sizes, weights))
}

// in returns targets and plan in units of unit.
func (pl plan) in(unit float64, t *mat.Dense) (plan, *mat.Dense) {
	if unit == 1 {
		return pl, t
	}
	n, k := t.Dims()
	scaled := mat.NewDense(n, k, nil)
	scaled.Apply(func(_, _ int, v float64) float64 { return v / unit }, t)
	if rule := pl.spec.Rule(); rule.Kind == loss.Fixed {
		pl.spec = pl.spec.WithRule(loss.FixedAt(rule.Value / unit))
	}
	return pl, scaled
}

// unitOfScales is the unit that belongs to scales of errors.
func unitOfScales(scale []float64) float64 {
	if len(scale) == 0 {
		return 1
	}
	return univariate.Unit(slices.Max(scale))
}

// stretch multiplies everything that is in units of the targets, except the loss.
func (m *Model) stretch(unit float64) {
	if m.unit = unit; unit == 1 {
		return
	}
	m.beta.Scale(unit, m.beta)
	for c, s := range m.scale {
		m.scale[c] = math.Min(s*unit, math.MaxFloat64)
	}
	for k := range m.steps {
		m.steps[k].Scale *= unit
	}
	if m.unit = unitOfScales(m.scale); m.unit != unit && m.loss.Scale() > 0 { // on the border of two units
		if spec, err := loss.Specify(m.loss, loss.Spec{}); err == nil {
			m.loss = spec.At(m.loss.Scale() * (unit / m.unit))
		}
	}
}
