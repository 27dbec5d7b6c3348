package cluster

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/judging"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/refusal"
	"github.com/inlier-ml/inlier/verdict"
)

// kinds are the kinds of rows of a clustering.
var kinds = []verdict.Kind{verdict.Regular, verdict.FarFromCenter}

// Judge finds the cluster of every row (Label) and how far it is from the center, in units of
// the cut-off of that cluster (Residual), for training rows and new ones alike.
// A number that is missing or infinite is a refusal.CellError.
func (m *Model) Judge(ctx context.Context, x *mat.Dense) (*verdict.Rows, error) {
	ctx = given.Context(ctx)
	labels, distances, err := closestRows(ctx, linalg.FromDense(x), m.centers)
	if err != nil {
		return nil, err
	}
	return m.judge(labels, distances), nil
}

// Predict gives every row the cluster of the nearest center.
func (m *Model) Predict(ctx context.Context, x *mat.Dense) (*verdict.Prediction, error) {
	ctx = given.Context(ctx)
	labels, _, err := closestRows(ctx, linalg.FromDense(x), m.centers)
	if err != nil {
		return nil, err
	}
	return &verdict.Prediction{Labels: labels}, nil
}

func (m *Model) judge(labels []int, distances []float64) *verdict.Rows {
	n := len(labels)
	j := judging.New(n, kinds)
	j.Label, j.Residual, j.ResidualCutoff, j.Weight = labels, make([]float64, n), 1, make([]float64, n)
	for i, d := range distances {
		cutoff := m.cutoffs[labels[i]]
		j.Residual[i], j.Weight[i] = d/cutoff, m.vote(d)
		if d > cutoff {
			judging.Set(j, i, verdict.FarFromCenter, true)
		}
	}
	return j
}

// closestRows finds the nearest of some points for every row and the distance from it, for
// all finite numbers. Products decide where rounding cannot have changed the order; other
// candidates are measured directly, and so is the distance, so that the answer for a row
// depends on nothing but the row and the points.
func closestRows(ctx context.Context, src linalg.Source, points *mat.Dense) (labels []int, distances []float64, err error) {
	n, d := src.Dims()
	k, want := points.Dims()
	if d != want {
		return nil, nil, refusal.Columns(d, want)
	}
	t := &table{src: src, n: n, d: d, origin: medians(points)}
	t.offset = kernel.Ddot(d, t.origin, 1, t.origin, 1)
	centers := make([]float64, k*d)
	for c := range k {
		subtract(centers[c*d:(c+1)*d], points.RawRowView(c), t.origin)
	}
	all := t.set(centers)
	// Rows are usually about as far from the origin as the centers are.
	t.near = t.offset <= nearOrigin*all.longest
	labels, distances = make([]int, n), make([]float64, n)
	odd, err := linalg.Pass(ctx, src, func() *stripe { return &stripe{room: t.room()} },
		func(r *stripe, first int, block *mat.Dense) {
			rows, _ := block.Dims()
			r.all(rows)
			t.multiply(r.room, block, all)
			factor, more := t.slack(r.room, all)
			for i := range rows {
				x := block.RawRowView(i)
				norm := linalg.SquaredDistance(x, t.origin)
				best := -1
				if size := norm + all.longest; size >= leastSquare && size <= mostSquare {
					best, _, _ = t.closest(r.room, i, block, all, norm, factor*(norm+more))
				} else {
					best = closestOf(x, points)
					r.odd = r.odd || !(norm <= mostSquare)
				}
				labels[first+i], distances[first+i] = best, linalg.Distance(x, points.RawRowView(best))
			}
		},
		func(into, from *stripe) { into.odd = into.odd || from.odd; t.rooms.Put(from.room) })
	if err == nil && odd.odd {
		err = linalg.Usable(ctx, src)
	}
	if err != nil {
		return nil, nil, err
	}
	return labels, distances, nil
}

// stripe is the working memory of a stripe of rows; odd: a number may be none.
type stripe struct {
	*room
	odd bool
}

// closestOf measures the distances from all points.
func closestOf(x []float64, points *mat.Dense) int {
	k, _ := points.Dims()
	best, least := 0, math.Inf(1)
	for c := range k {
		if v := linalg.Distance(x, points.RawRowView(c)); v < least {
			best, least = c, v
		}
	}
	return best
}

// medians of the columns.
func medians(x *mat.Dense) []float64 {
	n, d := x.Dims()
	rows := (&table{n: n, counted: n, total: float64(n)}).spaced(1001) // of many points some tell enough
	out, column := make([]float64, d), make([]float64, len(rows))
	for j := range d {
		for a, i := range rows {
			column[a] = x.At(i, j)
		}
		out[j] = univariate.Median(column)
	}
	return out
}
