package linear

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/leverage"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
	"github.com/inlier-ml/inlier/verdict"
)

// Model is a fitted regression. It is immutable and safe for many goroutines.
type Model struct {
	coef           []float64
	intercept      float64
	hasIntercept   bool
	scale          float64
	start          Start
	startCoef      []float64
	startIntercept float64
	startScale     float64
	loss           loss.Scaled
	unit           float64 // of residuals that the loss sees: 1, but for scales of absurd size
	flag           float64
	largest        float64 // log-weight that counts as 1
	zero           float64 // absolute residual that counts as none
	exact          bool
	weights        []float64
	rows           int
	steps          []irls.Step
	status         irls.Status
	dropped        []int
	covariance     *mat.SymDense // of intercept and coefficients over unit, (1+d) x (1+d)
	freedom        float64
	r2, adjusted   float64
	leverage       *leverage.Leverage
	training       *verdict.Rows
	seen           *look // what a reading says of training rows that are not remembered each; else nil
	past           *past // for updates; nil: not known
	warnings       []string
	kept           archive.Kept
}

// Coef returns the coefficients of the columns.
func (m *Model) Coef() []float64 { return slices.Clone(m.coef) }

// Intercept is the constant; 0 when the model has none.
func (m *Model) Intercept() float64 { return m.intercept }

// Scale is the standard deviation of the noise, by the robust start; 0 for an exact fit.
func (m *Model) Scale() float64 { return m.scale }

// Initial returns coefficients, intercept and scale of the start; nil and 0 for models of
// files of old, which do not hold them.
func (m *Model) Initial() (coef []float64, intercept, scale float64) {
	return slices.Clone(m.startCoef), m.startIntercept, m.startScale
}

// Columns is how many numbers a row has.
func (m *Model) Columns() int { return len(m.coef) }

// Rows is the number of training rows.
func (m *Model) Rows() int { return m.rows }

// Weights are the robustness weights of the training rows, 1 = full vote; none where [Model.Training] is nil.
func (m *Model) Weights() []float64 { return slices.Clone(m.weights) }

// rejected is a weight of hardly anything.
const rejected = 0.01

// Rejected lists the training rows, from 0, whose weight is below a hundredth; of [Robust.FitBeside] the first ones.
func (m *Model) Rejected() []int {
	return m.rejectedRows(m.rows)
}

// rejectedRows lists the first training rows of hardly any weight, so many at most.
func (m *Model) rejectedRows(most int) []int {
	if m.seen != nil {
		return slices.Clone(m.seen.Rejected)
	}
	var rows []int
	for i, w := range m.weights {
		if w < rejected {
			if len(rows) == most {
				break
			}
			rows = append(rows, i)
		}
	}
	return rows
}

// Steps is the trace of the reweighting.
func (m *Model) Steps() []irls.Step { return slices.Clone(m.steps) }

// Status tells how the fit ended.
func (m *Model) Status() irls.Status { return m.status }

// Loss is the loss at its final bandwidth, in units of the target; where the scale is below
// 1e-120 or above 1e120, in units of a power of two near it.
func (m *Model) Loss() loss.Scaled { return m.loss }

// Dropped lists the columns, from 0, that are constant or depend on others; their
// coefficient is 0.
func (m *Model) Dropped() []int { return slices.Clone(m.dropped) }

func (m *Model) isDropped(j int) bool { return slices.Contains(m.dropped, j) }

// Covariance of intercept (first) and coefficients; nil when it cannot be estimated. Where
// the scale is beyond 1e120 its numbers may overflow; the errors of [Model.Table] do not.
func (m *Model) Covariance() *mat.SymDense {
	if m.covariance == nil {
		return nil
	}
	return scaled(m.covariance, m.unit)
}

// Table returns the regression table: the intercept, then one line per column.
func (m *Model) Table() (intercept Coefficient, columns []Coefficient) {
	for k := range m.coef {
		columns = append(columns, m.line(k+1))
	}
	return m.line(0), columns
}

// R2 is the robust coefficient of determination, plain and adjusted; NaN where it cannot be
// told.
func (m *Model) R2() (r2, adjusted float64) { return m.r2, m.adjusted }

// Freedom is the residual degrees of freedom.
func (m *Model) Freedom() float64 { return m.freedom }

// Training is the verdict on the training rows; nil for models read from a file, and of many rows that are not in memory.
func (m *Model) Training() *verdict.Rows { return m.training }

// OutlyingRows are the outlying training rows, from 0, of a table that [Model.Training] is nil of because it was not in memory;
// false of every other model, and where they are too many to be named.
func (m *Model) OutlyingRows() (rows []int, known bool) {
	if m.seen == nil || m.seen.Flagged != len(m.seen.Rows) {
		return nil, false
	}
	return slices.Clone(m.seen.Rows), true
}

// outliers among the training rows.
func (m *Model) outliers() int {
	if m.seen != nil {
		return m.seen.Flagged
	}
	return m.training.Count()
}

// effective is the effective number of training rows.
func (m *Model) effective() float64 {
	if m.seen != nil {
		return m.seen.effective()
	}
	return loss.EffectiveSampleSize(m.weights)
}

// kinds counts the training rows.
func (m *Model) kinds() map[string]int {
	count := map[string]int{}
	if m.seen != nil {
		for k, n := range m.seen.Kinds {
			if n > 0 {
				count[string(verdict.LineKinds[k])] = int(n)
			}
		}
		return count
	}
	kinds := m.training.Kind
	sums := linalg.Totals(len(kinds), len(verdict.LineKinds), func(from, to int, sums []float64) {
		same := 0.0 // rows of one kind that follow one another
		for i := from; i < to; i++ {
			if same++; i+1 == to || kinds[i+1] != kinds[i] {
				sums[slices.Index(verdict.LineKinds, kinds[i])] += same
				same = 0
			}
		}
	})
	for k, n := range sums {
		if n > 0 {
			count[string(verdict.LineKinds[k])] = int(n)
		}
	}
	return count
}

// Warnings are remarks on the fit that its user should see.
func (m *Model) Warnings() []string { return slices.Clone(m.warnings) }

// Predict returns intercept + x coef for every row.
func (m *Model) Predict(ctx context.Context, x *mat.Dense) ([]float64, error) {
	ctx = given.Context(ctx)
	n, d := x.Dims()
	if d != len(m.coef) {
		return nil, refusal.Columns(d, len(m.coef))
	}
	out := make([]float64, n)
	err := eachRow(ctx, n, func(i int) error {
		row := x.RawRowView(i)
		out[i] = m.intercept + dot(row, m.coef)
		if out[i]-out[i] == 0 { // finite, so every number of the row is
			return nil
		}
		if err := checkRow(i, row); err != nil {
			return err
		}
		out[i] = m.intercept + hugeDot(row, m.coef)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// hugeDot is the inner product of finite numbers whose products or sums overflow, the
// largest number there is where it does itself.
func hugeDot(x, y []float64) float64 {
	large, steep := 0.0, 0.0
	for j, v := range x {
		large, steep = max(large, math.Abs(v)), max(steep, math.Abs(y[j]))
	}
	sum := 0.0
	for j, v := range x {
		sum += v / large * (y[j] / steep)
	}
	return max(min(sum*steep*large, math.MaxFloat64), -math.MaxFloat64)
}
