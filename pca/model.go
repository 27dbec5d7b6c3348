package pca

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/judging"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
	"github.com/inlier-ml/inlier/verdict"
)

// Model is a fitted affine subspace: a mean, orthonormal components and how far rows
// usually lie from it. It never changes and may be used by many goroutines.
type Model struct {
	method      string
	mean        []float64
	basis       *mat.Dense // d x m
	eigenvalues []float64
	axes        *principalAxes // principal axes of the scores; nil: the components themselves

	rows       int
	weights    []float64
	steps      []irls.Step
	status     irls.Status
	loss       loss.Scaled
	largest    float64 // log-weight that counts as 1
	unweighted bool
	options    Options
	training   *verdict.Rows
	seen       *look // what a reading says of training rows that are not remembered each; else nil

	orthogonalCutoff, scoreCutoff float64
	shrunk                        float64 // factor by which the limit of scores is that of new rows and not of training rows; 0: 1
	explained                     Explained
	lone                          judging.Lone // of squared distances of training rows from the centre
	warnings                      []string
	kept                          archive.Kept
	past                          *past     // for updates; nil: not known
	cells                         *cellwise // of pca-cell, which judges cells too; else nil
}

// Explained is the share of variance that the components keep.
type Explained struct {
	// Classical counts every row alike: 1 - sum s / sum ||x - mean||^2.
	Classical float64
	// Robust counts the rows that are not outliers.
	Robust float64
	// Components is the robust share of each component.
	Components []float64
	// Residual is the mean squared distance of regular rows from the subspace.
	Residual float64
}

// Method is the name of the method that fitted the model.
func (m *Model) Method() string { return m.method }

// Columns is how many numbers a row has.
func (m *Model) Columns() int { return len(m.mean) }

func (m *Model) dims() (columns, components int) { return m.basis.Dims() }

// Width is how many numbers Transform returns for a row.
func (m *Model) Width() int { return len(m.eigenvalues) }

// ResidualLimit is how far a further regular row lies from the subspace; 0: not at all.
func (m *Model) ResidualLimit() float64 { return m.orthogonalCutoff }

// Rows is the number of training rows.
func (m *Model) Rows() int { return m.rows }

// Mean returns a copy of the centre.
func (m *Model) Mean() []float64 { return append([]float64(nil), m.mean...) }

// Basis returns a copy of the components as the columns of a d x m matrix.
func (m *Model) Basis() *mat.Dense { return mat.DenseCopyOf(m.basis) }

// Eigenvalues are the variances along the components, largest first; of PCA-L1 in the order
// in which it finds its components. Their sum is the variance inside the subspace.
func (m *Model) Eigenvalues() []float64 { return append([]float64(nil), m.eigenvalues...) }

// Weights are the weights of the training rows at the end of the fit; none where [Model.Training] is nil.
func (m *Model) Weights() []float64 { return append([]float64(nil), m.weights...) }

// Steps is the trace of the reweighting.
func (m *Model) Steps() []irls.Step { return append([]irls.Step(nil), m.steps...) }

// Status tells how the fit ended.
func (m *Model) Status() irls.Status { return m.status }

// Loss is the loss at its final bandwidth.
func (m *Model) Loss() loss.Scaled { return m.loss }

// Explained is the share of variance kept.
func (m *Model) Explained() Explained { return m.explained }

// Training is the verdict on the training rows; nil for models read from a file, and where a table that is not in
// memory has so many rows that it was learned from a sample and a few readings.
func (m *Model) Training() *verdict.Rows { return m.training }

// OutlyingRows are the outlying training rows, from 0, of a table that [Model.Training] is nil of because it was not in memory;
// false of every other model, and where they are too many to be named.
func (m *Model) OutlyingRows() (rows []int, known bool) {
	if m.seen == nil || m.seen.Flagged != len(m.seen.Rows) {
		return nil, false
	}
	return slices.Clone(m.seen.Rows), true
}

// Warnings are remarks on the fit that its user should see.
func (m *Model) Warnings() []string { return append([]string(nil), m.warnings...) }

// Transform returns the scores V'(x - mean) of every row, n x m. Missing values (NaN)
// are bridged by least squares on the columns that are there; pca-cell gives up wrong cells too.
func (m *Model) Transform(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	ctx = given.Context(ctx)
	_, scores, err := m.measure(ctx, x)
	return scores, err
}

// Inverse returns the rows mean + V z of scores z.
func (m *Model) Inverse(ctx context.Context, scores *mat.Dense) (*mat.Dense, error) {
	ctx = given.Context(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	n, k := scores.Dims()
	d, want := m.dims()
	if k != want {
		return nil, &refusal.ColumnsError{Columns: k, Want: want, Problem: fmt.Sprintf("scores have %d columns; the model has %d components", k, want)}
	}
	out := mat.NewDense(n, d, nil)
	linalg.Mul(out, scores, m.basis.T())
	for i := 0; i < n; i++ {
		row := out.RawRowView(i)
		for j := range row {
			row[j] += m.mean[j]
		}
	}
	return out, nil
}

// Reconstruct returns what the model keeps of every row.
func (m *Model) Reconstruct(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	ctx = given.Context(ctx)
	scores, err := m.Transform(ctx, x)
	if err != nil {
		return nil, err
	}
	return m.Inverse(ctx, scores)
}

// measure returns squared distances to the subspace and scores.
func (m *Model) measure(ctx context.Context, x *mat.Dense) ([]float64, *mat.Dense, error) {
	if m.cells != nil {
		found, err := m.measureCells(ctx, x, false)
		if err != nil {
			return nil, nil, err
		}
		for i, v := range found.distance {
			found.distance[i] = v * v
		}
		return found.distance, found.scores, nil
	}
	n, d := x.Dims()
	want, k := m.dims()
	if d != want {
		return nil, nil, refusal.Columns(d, want)
	}
	s, scores := make([]float64, n), mat.NewDense(n, k, nil)
	if err := linalg.Residuals(ctx, linalg.FromDense(x), m.mean, m.basis, s, scores); err != nil {
		return nil, nil, err
	}
	for i := range s {
		if !(s[i] <= math.MaxFloat64) {
			row := x.RawRowView(i)
			missing := false
			for j, v := range row {
				if math.IsInf(v, 0) {
					return nil, nil, &refusal.CellError{Row: i + 1, Column: j + 1, Value: v}
				}
				missing = missing || math.IsNaN(v)
			}
			if !missing { // too far off for squares
				s[i] = math.Inf(1)
				continue
			}
			s[i] = bridge(row, subspace{mean: m.mean, basis: m.basis}, scores.RawRowView(i))
		}
	}
	return s, scores, nil
}

// measureVariance fills in the shares of variance.
func (m *Model) measureVariance(s []float64, scores *mat.Dense) {
	kept, rest, regular, count := 0.0, 0.0, 0.0, 0.0
	for i, v := range s {
		a := weightAt(m.options.Weights, i)
		own := 0.0
		for _, z := range scores.RawRowView(i) {
			own += a * z * z
		}
		kept += own
		rest += a * v
		m.lone.Add(own + a*v)
		if !m.training.Outlier[i] {
			regular += a * v
			count += a
		}
	}
	if count > 0 {
		regular /= count
	}
	m.explain(kept, rest, regular)
}

// explain fills in the shares of variance from the squares kept and left over, and the mean square that regular rows leave over.
func (m *Model) explain(kept, rest, regular float64) {
	e := Explained{Components: make([]float64, len(m.eigenvalues)), Residual: regular}
	if kept+rest > 0 {
		e.Classical = kept / (kept + rest)
	}
	total := regular
	for _, v := range m.eigenvalues {
		total += v
	}
	for j, v := range m.eigenvalues {
		if total > 0 {
			e.Components[j] = v / total
			e.Robust += v / total
		}
	}
	m.explained = e
}

// warn collects remarks on the fit.
func (m *Model) warn() {
	add := func(format string, args ...any) { m.warnings = append(m.warnings, fmt.Sprintf(format, args...)) }
	d, k := m.dims()
	rows := total(m.options.Weights, m.rows)
	if k < d && fewToTell(k, rows, effective(m.weights, m.options.Weights)) {
		add("%.0f rows are too few to learn how far off %d components rows may lie: none is flagged for it", rows, k)
	} else if ess := effective(m.weights, m.options.Weights); ess < float64(2*k) && !m.unweighted {
		add("the weights leave an effective sample of %.1f rows for %d components; a wider bandwidth or a smaller p would use more of the data", ess, k)
	}
	if !m.unweighted && len(m.training.OrthogonalDistance) > 0 {
		s := make([]float64, 0, m.rows)
		for _, d := range m.training.OrthogonalDistance {
			s = append(s, d*d)
		}
		if mid := univariate.Median(s); mid > 0 && loss.RisesAt(m.loss, mid) {
			add("%s gives rows at the median distance less weight than rows further out; choose a smaller p or bandwidth", m.loss)
		}
	}
	if m.status == irls.StepLimit {
		add("the step limit was reached before the objective stood still; raise max-steps")
	}
	if j := m.hidden(); j > 0 {
		add("the variance along component 1, %.3g, is so large that rounding hides what components %d to %d stand for: leave out the few rows that are far off, scale columns of unlike units, or take a robust method", m.eigenvalues[0], j+1, k)
	}
}

// lonely tells of a row that is all that ordinary PCA sees, short of what hides components.
func (m *Model) lonely(pl plan, lone judging.Lone) {
	if pl.unweighted && !pl.asFound && m.hidden() == 0 {
		m.warnings = lone.Warn(m.warnings, total(m.options.Weights, m.rows), "squared distances of all rows")
	}
}

// hidden is the first component, from 0, of a fit in which every row votes whose variance is within what the rounding of the scatter's largest
// one may be, as it is when single values drown all others; 0: none.
func (m *Model) hidden() int {
	const digit = 20 * 0x1p-52 // of the largest, so that a variance has a digit left
	if !m.unweighted {
		return 0
	}
	for j, v := range m.eigenvalues {
		if j > 0 && v < digit*m.eigenvalues[0] {
			return j
		}
	}
	return 0
}
