package cluster

import (
	"context"
	"fmt"
	"math"
	"sort"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/refusal"
)

// MostSimilarRows is the largest number of rows of a similarity matrix.
const MostSimilarRows = 3000

// Similarity returns how alike rows are, exp(-distance^2 / median distance^2), with the rows
// ordered by their labels, so that clusters are bright squares on the diagonal (Fig. 10 of
// the corr-tensor paper). order[i] is the row of x behind row and column i.
func Similarity(ctx context.Context, x *mat.Dense, labels []int) (similarity *mat.Dense, order []int, err error) {
	ctx = given.Context(ctx)
	n, _ := x.Dims()
	if n > MostSimilarRows {
		return nil, nil, &refusal.SizeError{Rows: n, Most: MostSimilarRows, Problem: fmt.Sprintf("a similarity matrix of %d rows is too large; the most is %d", n, MostSimilarRows)}
	}
	if len(labels) != n {
		return nil, nil, refusal.Target("%d labels for %d rows", len(labels), n)
	}
	order = make([]int, n)
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return labels[order[a]] < labels[order[b]] })
	t, err := newTable(ctx, linalg.FromDense(x), nil, false)
	if err != nil {
		return nil, nil, err
	}
	p, err := t.points(ctx, order)
	if err != nil {
		return nil, nil, err
	}
	typical, err := p.reach(ctx, 50)
	if err != nil {
		return nil, nil, err
	}
	similarity = mat.NewDense(n, n, nil)
	err = p.strips(ctx, func(i0, i1 int, tile []float64) {
		for j0 := 0; j0 < n; j0 += side {
			j1 := min(j0+side, n)
			p.tile(i0, i1, j0, j1, tile)
			for i := i0; i < i1; i++ {
				to := similarity.RawRowView(i)[j0:j1]
				for c, s := range tile[(i-i0)*(j1-j0) : (i-i0+1)*(j1-j0)] {
					to[c] = math.Exp(-s / (typical * typical))
				}
			}
		}
	})
	return similarity, order, err
}
