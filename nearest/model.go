package nearest

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
	"github.com/inlier-ml/inlier/verdict"
)

// Distances returns the distance of every row from the center of every class, with columns scaled as
// the model does.
func (m *Model) Distances(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	ctx = given.Context(ctx)
	if _, d := x.Dims(); d != m.Columns() {
		return nil, refusal.Columns(d, m.Columns())
	}
	return m.distances(ctx, m.inputs.apply(x))
}

// distances are those of scaled rows.
func (m *Model) distances(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	n, _ := x.Dims()
	k, _ := m.scaled.Dims()
	out := mat.NewDense(n, k, nil)
	if m.shape != nil {
		return out, spectral(ctx, x, m.scaled, m.shape, out)
	}
	column := make([]float64, n)
	for c := range k {
		if err := linalg.Residuals(ctx, linalg.FromDense(x), m.scaled.RawRowView(c), nil, column, nil); err != nil {
			return nil, err
		}
		for i, s := range column {
			d := math.Sqrt(s)
			if math.IsInf(d, 1) {
				d = apart(x.RawRowView(i), m.scaled.RawRowView(c))
			}
			out.Set(i, c, d)
		}
	}
	return out, nil
}

// apart is the distance of two rows whose squares overflow.
func apart(a, b []float64) float64 {
	top := 0.0
	for j, v := range a {
		top = math.Max(top, math.Abs(v/2-b[j]/2))
	}
	if top == 0 || math.IsNaN(top) || math.IsInf(top, 1) {
		return top
	}
	sum := 0.0
	for j, v := range a {
		e := (v/2 - b[j]/2) / top
		sum += e * e
	}
	return math.Min(2*(top*math.Sqrt(sum)), math.MaxFloat64)
}

// Centers returns a copy of the centers, one row for each class.
func (m *Model) Centers() *mat.Dense { return mat.DenseCopyOf(m.centers) }

// Cutoffs are the distances up to which a row is regular in its class.
func (m *Model) Cutoffs() []float64 { return slices.Clone(m.cutoffs) }

// Weights of the training rows in the centers.
func (m *Model) Weights() []float64 { return slices.Clone(m.weights) }

// Objective is the weighted mean of the squared distance of the rows from their centers.
func (m *Model) Objective() float64 { return m.squared }

// Columns is how many numbers a row has.
func (m *Model) Columns() int { _, columns := m.centers.Dims(); return columns }

// Classes is how many classes there are.
func (m *Model) Classes() int { classes, _ := m.centers.Dims(); return classes }

// Rows is the number of training rows.
func (m *Model) Rows() int { return len(m.weights) }

// Status is converged: a fit that was cancelled gives an error.
func (m *Model) Status() irls.Status { return m.kept.Status(irls.Converged) }

// Steps is empty.
func (m *Model) Steps() []irls.Step { return nil }

// Loss is nil: each class has its own bandwidth.
func (m *Model) Loss() loss.Scaled { return nil }

// Warnings are remarks on the fit that its user should see.
func (m *Model) Warnings() []string { return nil }

// Training is the verdict on the training rows; nil for models read from a file.
func (m *Model) Training() *verdict.Rows { return m.training }

// Predict gives every row the nearest class, or the most similar one elementwise; -1 to one with a missing number. Scores are
// negative distances, or similarities between 0 and 1.
func (m *Model) Predict(ctx context.Context, x *mat.Dense) (*verdict.Prediction, error) {
	ctx = given.Context(ctx)
	distance, err := m.Distances(ctx, x)
	if err != nil {
		return nil, err
	}
	if m.elementwise {
		x = m.inputs.apply(x)
		return &verdict.Prediction{Labels: m.labelsOf(x, distance), Scores: m.similarities(x)}, nil
	}
	labels := closest(distance)
	distance.Apply(func(_, _ int, d float64) float64 {
		if m.similar {
			return math.Exp(-math.Pow(d/m.beta, m.alpha))
		}
		return -d
	}, distance)
	return &verdict.Prediction{Labels: labels, Scores: distance}, nil
}

// Bandwidth is the median over the classes of the loss's bandwidth; 0 without one.
func (m *Model) Bandwidth() float64 {
	if len(m.scales) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(m.scales))
	return s[len(s)/2]
}

// Shape is the shape of a row as a matrix when distances are spectral norms; nil otherwise.
func (m *Model) Shape() []int { return slices.Clone(m.shape) }
