package linear

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/loss"
)

// Targets so large or small that their squares are no numbers any more are fitted in units
// of a power of two. A model whose scale is of such a size has its loss and its covariance in
// these units: they follow from the scale, so that they need not be kept.

// inUnits fits targets in units of unit and returns the model in those of y.
func (o Robust) inUnits(ctx context.Context, x *mat.Dense, y []float64, spec loss.Spec, unit float64) (*Model, error) {
	var m *Model
	for range 2 { // the residuals may be of another size than the targets
		scaled, own := make([]float64, len(y)), spec
		for i, v := range y {
			scaled[i] = v / unit
		}
		if rule := spec.Rule(); rule.Kind == loss.Fixed {
			own = spec.WithRule(loss.FixedAt(rule.Value / unit))
		}
		var err error
		if m, err = o.fit(ctx, x, scaled, own); err != nil {
			return nil, err
		}
		next := univariate.Unit(math.Min(m.scale*unit, math.MaxFloat64))
		if m.exact || next == unit {
			break
		}
		unit = next
	}
	m.stretch(unit)
	return m, nil
}

// scaled is a covariance, nil or not, of numbers that are so many times as large.
func scaled(c *mat.SymDense, factor float64) *mat.SymDense {
	if c == nil {
		return nil
	}
	var out mat.SymDense
	out.ScaleSym(factor, c)
	out.ScaleSym(factor, &out)
	return &out
}

// finite tells whether every number of a matrix is; nil has none.
func finite(c *mat.SymDense) bool {
	if c == nil {
		return true
	}
	for _, v := range c.RawSymmetric().Data {
		if v-v != 0 {
			return false
		}
	}
	return true
}

// stretch multiplies everything that is in units of the target, except what stays in units
// of the scale: the loss and the covariance.
func (m *Model) stretch(unit float64) {
	for _, v := range []*float64{&m.intercept, &m.scale, &m.startIntercept, &m.startScale, &m.zero} {
		*v = math.Min(math.Max(*v*unit, -math.MaxFloat64), math.MaxFloat64)
	}
	for _, list := range [][]float64{m.coef, m.startCoef} {
		for j, v := range list {
			list[j] = math.Min(math.Max(v*unit, -math.MaxFloat64), math.MaxFloat64)
		}
	}
	for k := range m.steps {
		m.steps[k].Scale *= unit
	}
	m.unit = univariate.Unit(m.scale)
	if m.covariance = scaled(m.covariance, unit/m.unit); !finite(m.covariance) {
		m.covariance = nil
	}
	if m.unit != unit && m.loss.Scale() > 0 { // on the border of two units
		if spec, err := loss.Specify(m.loss, loss.Spec{}); err == nil {
			m.loss = spec.At(m.loss.Scale() * (unit / m.unit))
		}
	}
}
