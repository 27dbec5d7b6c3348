package tensor

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/judging"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
	"github.com/inlier-ml/inlier/verdict"
)

// Model is a fitted decomposition: a mean sample and one orthonormal factor per mode. It
// never changes and may be used by many goroutines.
type Model struct {
	method string
	shape  []int
	ranks  []int
	at     bases

	rows       int
	weights    []float64
	steps      []irls.Step
	status     irls.Status
	loss       loss.Scaled // that the weights were learned with
	unweighted bool
	warnings   []string
	learnRank  []int
	refined    int
	unit       float64

	judging   loss.Scaled // of the residuals at full rank
	largest   float64     // log-weight that counts as 1
	variances [][]float64
	training  *verdict.Rows
	seen      *look // what a reading says of training samples that are not remembered each; else nil
	kept      archive.Kept
	explained Explained
	errors    Errors
	lone      judging.Lone // of squared distances from the mean, where every sample has the same say

	orthogonalCutoff, scoreCutoff float64
}

// Explained is the share of the sum of squares about the mean that the factors keep.
type Explained struct {
	Classical float64 // every sample counts alike
	Robust    float64 // samples that are not outliers
}

// Errors are mean reconstruction errors of samples in both papers' forms.
type Errors struct {
	Norm    float64 // mean of ||X - reconstruction||, eq. (34) of kmpe and (14) of pca-gm
	Squared float64 // mean of ||X - reconstruction||^2, eq. (27) of corr-tensor
}

// Method is the name of the method that fitted the model.
func (m *Model) Method() string { return m.method }

// Columns is how many numbers a sample has.
func (m *Model) Columns() int { return product(m.shape) }

// Shape is the shape of a sample.
func (m *Model) Shape() []int { return append([]int(nil), m.shape...) }

// Ranks is the shape of a core.
func (m *Model) Ranks() []int { return append([]int(nil), m.ranks...) }

// LearnRank is the rank with which the weights were learned.
func (m *Model) LearnRank() []int { return append([]int(nil), m.learnRank...) }

// Width is how many numbers a core has: what Transform returns for a row.
func (m *Model) Width() int { return product(m.ranks) }

// ResidualLimit is how far a further regular sample lies from what the factors keep; 0: not at all.
func (m *Model) ResidualLimit() float64 { return m.orthogonalCutoff }

// Rows is the number of training samples.
func (m *Model) Rows() int { return m.rows }

// Mean returns a copy of the mean sample.
func (m *Model) Mean() []float64 { return append([]float64(nil), m.at.mean...) }

// Factor returns a copy of the factor of a mode, n x r with orthonormal columns: the
// identity for a mode that is kept whole. For images factor 0 is L and factor 1 is R.
func (m *Model) Factor(mode int) *mat.Dense {
	if u := m.at.factors[mode]; u != nil {
		return mat.DenseCopyOf(u)
	}
	out := mat.NewDense(m.shape[mode], m.shape[mode], nil)
	for i := range m.shape[mode] {
		out.Set(i, i, 1)
	}
	return out
}

// Weights are the learned weights of the training samples.
func (m *Model) Weights() []float64 { return append([]float64(nil), m.weights...) }

// Steps is the trace of the reweighting.
func (m *Model) Steps() []irls.Step { return append([]irls.Step(nil), m.steps...) }

// Sweeps is the number of sweeps at full rank after the weights were learned; 0 when they
// were learned at that rank.
func (m *Model) Sweeps() int { return m.refined }

// Status tells how the fit ended.
func (m *Model) Status() irls.Status { return m.status }

// Loss is the loss at the bandwidth with which the weights were learned.
func (m *Model) Loss() loss.Scaled { return m.loss }

// Weighted tells whether the samples have weights of their own.
func (m *Model) Weighted() bool { return !m.unweighted }

// Variances of the directions of a mode, counted from 0, largest first.
func (m *Model) Variances(mode int) []float64 { return append([]float64(nil), m.variances[mode]...) }

// Unit is the size of the unit in which the bandwidth was given; 0: it is that of the data.
func (m *Model) Unit() float64 { return m.unit }

// Explained is the share of the sum of squares that is kept.
func (m *Model) Explained() Explained { return m.explained }

// TrainingErrors are the mean errors over all training samples.
func (m *Model) TrainingErrors() Errors { return m.errors }

// Training is the verdict on the training samples, each as if it were new; nil for models
// read from a file.
func (m *Model) Training() *verdict.Rows { return m.training }

// OutlyingRows are the training samples, from 0, that are outliers, of a table that was read in blocks; false where they are
// not known, or too many to be named.
func (m *Model) OutlyingRows() ([]int, bool) {
	if m.seen == nil || m.seen.Flagged != len(m.seen.Rows) {
		return nil, false
	}
	return slices.Clone(m.seen.Rows), true
}

// Warnings are remarks on the fit that its user should see.
func (m *Model) Warnings() []string { return append([]string(nil), m.warnings...) }

// checked wraps rows that go with the model.
func (m *Model) checked(x *mat.Dense) (*samples, error) {
	if _, d := x.Dims(); d != product(m.shape) {
		return nil, wrongShape(m.shape, d)
	}
	return newSamples(linalg.FromDense(x), m.shape), nil
}

// Transform returns the core of every sample as a row in row-major order.
func (m *Model) Transform(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	ctx = given.Context(ctx)
	s, err := m.checked(x)
	if err != nil {
		return nil, err
	}
	size := product(m.ranks)
	out := mat.NewDense(s.n, size, nil)
	err = s.walk(ctx, m.at.mean, func(k *desk, first, count int) {
		copy(out.RawMatrix().Data[first*size:], k.cores(count, m.at.factors))
	})
	return out, finite(x, out, err)
}

// Inverse returns the samples mean + M x_1 U_1 x_2 U_2 ... of cores M.
func (m *Model) Inverse(ctx context.Context, cores *mat.Dense) (*mat.Dense, error) {
	ctx = given.Context(ctx)
	n, size := cores.Dims()
	if size != product(m.ranks) {
		return nil, &refusal.ColumnsError{Columns: size, Want: product(m.ranks), Problem: fmt.Sprintf("cores have %d numbers; those of the model have %s", size, times(m.ranks))}
	}
	s := newSamples(linalg.FromDense(cores), m.shape)
	d := product(m.shape)
	out := mat.NewDense(n, d, nil)
	chunk := chunkRows(d)
	linalg.Parallel((n+chunk-1)/chunk, func(i int) {
		if ctx.Err() != nil {
			return
		}
		k := s.desk()
		defer s.desks.put(k)
		first, last := i*chunk, min((i+1)*chunk, n)
		flat := k.x[:0]
		for r := first; r < last; r++ {
			flat = append(flat, cores.RawRowView(r)...)
		}
		back := k.expand(flat, last-first, m.at.factors)
		for r := first; r < last; r++ {
			row := out.RawRowView(r)
			copy(row, back[(r-first)*d:])
			kernel.Daxpy(d, 1, m.at.mean, 1, row, 1)
		}
	})
	return out, finite(cores, out, ctx.Err())
}

// Reconstruct returns what the model keeps of every sample.
func (m *Model) Reconstruct(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	ctx = given.Context(ctx)
	cores, err := m.Transform(ctx, x)
	if err != nil {
		return nil, err
	}
	return m.Inverse(ctx, cores)
}

// Contributions returns X - reconstruction for every sample: where in the image the residual
// is. The squares of a row add up to its squared orthogonal distance.
func (m *Model) Contributions(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	ctx = given.Context(ctx)
	out, err := m.Reconstruct(ctx, x)
	if err != nil {
		return nil, err
	}
	out.Sub(x, out)
	return out, nil
}

// Errors returns the mean reconstruction errors of samples in both forms.
func (m *Model) Errors(ctx context.Context, x *mat.Dense) (Errors, error) {
	ctx = given.Context(ctx)
	all, err := m.checked(x)
	if err != nil {
		return Errors{}, err
	}
	seen, err := m.measure(ctx, all)
	if err != nil {
		return Errors{}, err
	}
	return meanErrors(seen.distances), nil
}

// meanErrors stay finite however far samples lie off.
func meanErrors(distances []float64) Errors {
	var e Errors
	n := float64(len(distances))
	for _, v := range distances {
		e.Norm += v / n
		e.Squared += math.Min(v/n*v, math.MaxFloat64/n)
	}
	return e
}

// unusable is the error for row i of x, which holds a number that is none or cannot be computed with.
func unusable(x *mat.Dense, i int) error {
	for j, v := range x.RawRowView(i) {
		if v-v != 0 {
			return &refusal.CellError{Row: i + 1, Column: j + 1, Value: v}
		}
	}
	return refusal.Data("sample %d holds numbers that are too large", i+1)
}

// finite turns numbers that are none, made from the rows of x, into an error.
func finite(x, out *mat.Dense, err error) error {
	if err != nil {
		return err
	}
	n, _ := out.Dims()
	for i := range n {
		for _, v := range out.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return unusable(x, i)
			}
		}
	}
	return nil
}
