package cluster

import (
	"context"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linalg/fastblas"
	"github.com/inlier-ml/inlier/refusal"
)

var kernel fastblas.Implementation

// table is the rows to be clustered with what all starts share. Inside the package every
// row and center is an offset from the origin, the median of each column, so that neither a
// large common offset nor rows far off cost the others their digits.
type table struct {
	src     linalg.Source
	n, d    int
	weights []float64 // nil: one each
	total   float64   // sum of the weights
	counted int       // rows with weight
	origin  []float64
	norms   []float64 // ||x - origin||^2 of every row
	scatter float64   // sum of weights * norms
	typical float64   // median of the norms above 0: what most rows have, whatever the others are
	offset  float64   // ||origin||^2 where rows may be multiplied as they are; see set
	near    bool      // the origin is no further than that
	unit    float64   // what 1 in the user's table counts here; see inRange
	clip    bool      // far rows have no vote
	rooms   sync.Pool // of *room
	sorted  sync.Once // for onLine
	line    *line
}

// newTable measures the rows. clip says that rows far off will have no vote.
func newTable(ctx context.Context, src linalg.Source, weights []float64, clip bool) (*table, error) {
	n, d := src.Dims()
	if n < 1 || d < 1 {
		return nil, refusal.Few(n, 1, "a table of %d rows and %d columns has nothing to group", n, d)
	}
	t := &table{src: src, n: n, d: d, norms: make([]float64, n), unit: 1, clip: clip}
	if err := t.weigh(weights); err != nil {
		return nil, err
	}
	if err := t.measure(ctx); err != nil {
		return nil, err
	}
	if most := slices.Max(t.norms); most >= leastSquare && most <= mostSquare {
		return t, nil
	}
	if err := linalg.Usable(ctx, src); err != nil {
		return nil, err
	}
	view, err := inRange(ctx, src, clip, !(t.typical <= 1e200 && t.offset <= 1e200))
	if err != nil {
		return nil, err
	}
	t.src, t.unit = view, view.unit
	return t, t.measure(ctx)
}

// measure finds the origin and how far rows are from it.
func (t *table) measure(ctx context.Context) error {
	rows := t.spaced(min(1001, max(65, 1<<18/t.d)))
	t.origin = make([]float64, t.d)
	sample, err := t.pick(ctx, rows)
	if err != nil {
		return err
	}
	column := make([]float64, 0, len(rows))
	for j := range t.d {
		column = column[:0]
		for a := range rows {
			if v := sample[a*t.d+j]; !math.IsNaN(v) && !math.IsInf(v, 0) {
				column = append(column, v)
			}
		}
		if len(column) > 0 {
			t.origin[j] = univariate.Median(column)
		}
	}
	if err := linalg.Residuals(ctx, t.src, t.origin, nil, t.norms, nil); err != nil {
		return err
	}
	t.scatter = 0
	for i, s := range t.norms {
		t.scatter += t.weight(i) * s
	}
	positive := make([]float64, 0, len(rows))
	for _, i := range t.spaced(10001) {
		if s := t.norms[i]; s > 0 {
			positive = append(positive, s)
		}
	}
	t.typical = 0
	if len(positive) > 0 {
		t.typical = univariate.Median(positive)
	}
	t.offset = kernel.Ddot(t.d, t.origin, 1, t.origin, 1)
	t.near = t.offset <= nearOrigin*t.typical
	return nil
}

// nearOrigin is how large the squared norm of the origin may be, in squared distances of
// most rows from it, for products with rows that were not centred first to lose no more
// than a digit.
const nearOrigin = 100

func (t *table) weight(i int) float64 {
	if t.weights == nil {
		return 1
	}
	return t.weights[i]
}

// variance is the mean over the columns of their variance, the unit of tolerances. A few
// rows far off do not widen it.
func (t *table) variance() float64 {
	return math.Min(t.scatter/t.total, 10*t.typical) / float64(t.d)
}

// rounding is a distance too small to mean anything.
func (t *table) rounding() float64 {
	least := math.Max(1e-9*math.Sqrt(t.variance()*float64(t.d)), 4*epsilon*math.Sqrt(t.offset))
	if least == 0 {
		return 1e-12 * t.unit // all rows are zero
	}
	return least
}

// outside turns centers back into the units of the data.
func (t *table) outside(centers []float64) *mat.Dense {
	out := mat.NewDense(len(centers)/t.d, t.d, append([]float64(nil), centers...))
	k, _ := out.Dims()
	for c := range k {
		row := out.RawRowView(c)
		for j, o := range t.origin {
			row[j] = (row[j] + o) / t.unit
		}
	}
	return out
}
