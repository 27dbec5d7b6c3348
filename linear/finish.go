package linear

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/inlier-ml/inlier/internal/leverage"
	"github.com/inlier-ml/inlier/irls"
)

// finish puts the model together.
func (f *fitting) finish(ctx context.Context, x *mat.Dense, y []float64) (*Model, error) {
	g := f.g
	m := &Model{
		loss: f.loss, unit: 1, flag: f.cutoff(), steps: f.steps, status: f.status, weights: f.weight, rows: g.n, scale: f.scale,
		start: f.Start, hasIntercept: !f.NoIntercept, zero: g.zero, exact: f.status == irls.PerfectFit, largest: f.largest,
	}
	m.intercept, m.coef = g.raw(f.beta)
	m.startIntercept, m.startCoef = g.raw(f.first.beta)
	m.startScale = f.first.scale
	keep := map[int]bool{}
	for _, j := range g.kept {
		keep[j] = true
	}
	for j := range m.coef {
		if !keep[j] {
			m.dropped = append(m.dropped, j)
		}
	}
	if err := f.infer(ctx, m); err != nil {
		return nil, err
	}
	var err error
	if m.leverage = f.leverage; m.leverage == nil { // cancelled, which the fit may have survived
		if m.leverage, err = leverage.New(ctx, x, f.Weights, f.Seed); err != nil {
			return nil, err
		}
	}
	if m.training, err = m.Judge(ctx, x, y); err != nil {
		return nil, err
	}
	m.training.Weight = append([]float64(nil), m.weights...)
	f.remark(m)
	return m, nil
}

// remark adds what the user of the fit should see.
func (f *fitting) remark(m *Model) {
	m.warn()
	if f.unheard {
		m.warnings = append(m.warnings, fmt.Sprintf("rows with a value more than %d times as far out as that of any other row, which the others do not confirm, have no vote", beyond))
	}
	if f.floor > 0 && f.scale == f.floor {
		m.warnings = append(m.warnings, fmt.Sprintf("the relation is exact but for the rounding of the numbers; the scale of %.3g comes from that, and rows it explains are no outliers", f.floor))
	}
}

// cutoff is the absolute residual, in scales, beyond which a row is an outlier: as far out
// as ResidualCutoff is for normal residuals of known scale, on rows that the fit has not seen. Their
// errors are wider by the error of the coefficients, sqrt(1+p/n) on average, and the scale
// is itself estimated, by the S-scale with about half of the n-p degrees of freedom.
func (f *fitting) cutoff() float64 {
	freedom := (f.g.total - float64(f.g.p)) / 2
	if f.status == irls.PerfectFit || freedom < 1 {
		return f.ResidualCutoff
	}
	at := math.Min(f.ResidualCutoff, 3) // farther out a factor says more than a tail of 1e-20
	student := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}.Quantile(distuv.UnitNormal.CDF(at))
	return f.ResidualCutoff * math.Max(student/at, 1) * math.Sqrt(1+float64(f.g.p)/f.g.total)
}

func (m *Model) warn() {
	add := func(format string, args ...any) { m.warnings = append(m.warnings, fmt.Sprintf(format, args...)) }
	if m.exact {
		add("more than half of the rows lie exactly on one plane; standard errors are 0 and every other row counts as an outlier")
	}
	if m.status == irls.StepLimit {
		add("the step limit was reached before the objective stood still; raise max-steps")
	}
	if count := m.outliers(); !m.exact && count > m.rows/5 {
		add("%d of %d rows are off the plane: either so many are wrong, or the relation is not linear; look at the residuals against the fitted values", count, m.rows)
	}
	if n := m.effective(); n < float64(2*len(m.coef)) {
		add("the weights leave an effective sample of %.1f rows for %d columns", n, len(m.coef))
	}
}
