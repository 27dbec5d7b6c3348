package nearest

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/internal/cutoff"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/refusal"
	"github.com/inlier-ml/inlier/verdict"
)

// Subspace is a fitted reduction that tells what it keeps of a row.
type Subspace interface {
	Reconstruct(ctx context.Context, x *mat.Dense) (*mat.Dense, error)
}

// limited is a subspace that knows how far a further regular row of its class lies from it,
// 0 if it does not; it takes the place of what the rows it was learned from say.
type limited interface {
	ResidualLimit() float64
}

// rowJudge is a subspace that tells the distance of a single row.
type rowJudge interface {
	JudgeRow(row []float64) verdict.Row
}

// Subspaces has one reduction for each class.
type Subspaces struct {
	Classes []Subspace
	Cutoffs []float64 // residual of a regular row of each class

	rows, columns int
	inputs        *inputs // scaling of the columns; nil: none
	labels        []int   // of the training rows
	training      *verdict.Rows
	kept          archive.Kept
}

// blockRows is the number of rows that are reconstructed at a time, to bound memory.
const blockRows = 2048

// FitSubspaces calls fit for the rows of each class and measures how large the residuals
// of regular rows are. A row counts as often as its weight says, nil: once.
func FitSubspaces(ctx context.Context, src linalg.Source, labels []int, weights []float64, classes int, fit func(class int, rows []int) (Subspace, error)) (*Subspaces, error) {
	ctx = given.Context(ctx)
	return FitScaledSubspaces(ctx, src, labels, weights, classes, ScaleNone, func(k int, _ *mat.Dense, rows []int) (Subspace, error) { return fit(k, rows) })
}

// FitScaledSubspaces is [FitSubspaces] of rows whose columns are brought to a common size first; fit is given all
// of them, in memory, as they are then. The model scales new rows likewise.
func FitScaledSubspaces(ctx context.Context, src linalg.Source, labels []int, weights []float64, classes int, how Scaling,
	fit func(class int, scaled *mat.Dense, rows []int) (Subspace, error)) (*Subspaces, error) {
	ctx = given.Context(ctx)
	x, err := linalg.Load(ctx, src)
	if err != nil {
		return nil, err
	}
	n, d := x.Dims()
	members, err := group(labels, n, classes)
	if err != nil {
		return nil, err
	}
	scale, err := learnInputs(ctx, x, how, weights, members)
	if err != nil {
		return nil, err
	}
	x = scale.apply(x)
	s := &Subspaces{inputs: scale, Classes: make([]Subspace, classes), rows: n, columns: d, labels: slices.Clone(labels)}
	for k, rows := range members {
		if len(rows) < 2 {
			return nil, &refusal.ClassError{Class: k, Problem: "has one row only; a subspace needs at least 2"}
		}
		if s.Classes[k], err = fit(k, x, rows); err != nil {
			return nil, err
		}
	}
	distance, err := s.distances(ctx, x)
	if err != nil {
		return nil, err
	}
	trusted := weights
	if weights == nil {
		trusted = slices.Repeat([]float64{1}, n)
	}
	s.Cutoffs = limits(typicalSizes(x, labels, weights, classes), func(least float64) []float64 {
		return cutoff.PerGroup(labels, own(distance, labels), weights, trusted, classes, least)
	})
	for k, c := range s.Classes {
		if limited, ok := c.(limited); ok {
			if limit := limited.ResidualLimit(); limit > 0 {
				s.Cutoffs[k] = limit
			}
		}
	}
	pool(s.Cutoffs, members, weights)
	s.training = judge(distance, s.Cutoffs, labels)
	return s, nil
}

// Predict gives every row the class with the smallest residual; scores are negative residuals.
func (s *Subspaces) Predict(ctx context.Context, x *mat.Dense) (*verdict.Prediction, error) {
	ctx = given.Context(ctx)
	distance, err := s.Distances(ctx, x)
	if err != nil {
		return nil, err
	}
	labels := closest(distance)
	distance.Scale(-1, distance)
	return &verdict.Prediction{Labels: labels, Scores: distance}, nil
}

// Distances returns ||x - reconstruction|| of every row for the subspace of every class, with columns
// scaled as the model does.
func (s *Subspaces) Distances(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	ctx = given.Context(ctx)
	if _, d := x.Dims(); s.inputs != nil && d != s.columns {
		return nil, refusal.Columns(d, s.columns)
	}
	return s.distances(ctx, s.inputs.apply(x))
}

// distances are those of scaled rows.
func (s *Subspaces) distances(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	n, d := x.Dims()
	out := mat.NewDense(n, len(s.Classes), nil)
	for first := 0; first < n; first += blockRows {
		last := min(first+blockRows, n)
		block := x.Slice(first, last, 0, d).(*mat.Dense)
		for k, c := range s.Classes {
			kept, err := c.Reconstruct(ctx, block)
			if err != nil {
				return nil, err
			}
			if r, w := kept.Dims(); r != last-first || w != d {
				return nil, fmt.Errorf("nearest: class %d gives %d x %d numbers back for %d x %d", k+1, r, w, last-first, d)
			}
			for i := range last - first {
				sum := 0.0
				fit := kept.RawRowView(i)
				for j, v := range block.RawRowView(i) {
					sum += (v - fit[j]) * (v - fit[j])
				}
				if sum = math.Sqrt(sum); math.IsInf(sum, 1) {
					sum = apart(block.RawRowView(i), fit)
				}
				out.Set(first+i, k, sum)
			}
		}
	}
	return out, nil
}
