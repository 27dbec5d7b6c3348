package linear

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Leverage tells how far rows are out in the columns of a regression, linear or not: their
// robust distance by the reweighted minimum covariance determinant, as in [Model.Judge]. It
// does not change when columns are shifted, scaled or mixed.
type Leverage struct{ from *leverage }

// leverageParts are what a Leverage consists of, for files: the columns that take part,
// their centre, the upper triangular matrix that whitens deviations from it, and the
// distance beyond which a row counts as far out.
type leverageParts struct {
	Columns []int
	Centre  []float64
	Whiten  *mat.Dense
	Cutoff  float64
}

// NewLeverage learns where the bulk of the rows of x is. weights nil: ones. It returns nil
// where distances cannot be told: too few rows, or no column with a spread.
func NewLeverage(ctx context.Context, x *mat.Dense, weights []float64, seed uint64) (*Leverage, error) {
	l, err := newLeverage(ctx, x, Robust{Weights: weights, Seed: seed})
	if err != nil || len(l.columns) == 0 {
		return nil, err
	}
	return &Leverage{l}, nil
}

// Distances of the rows of x.
func (l *Leverage) Distances(x *mat.Dense) []float64 { return l.from.distances(x) }

// Cutoff is the distance that 97.5 % of normal rows stay below.
func (l *Leverage) Cutoff() float64 { return l.from.cutoff }

// leverageFromParts puts it together again for rows of d columns.
func leverageFromParts(p leverageParts, d int) (*Leverage, error) {
	l := &leverage{columns: p.Columns, offset: p.Centre, whiten: p.Whiten, cutoff: p.Cutoff}
	if err := l.check(d); err != nil {
		return nil, err
	}
	if len(p.Columns) == 0 || !(p.Cutoff > 0) {
		return nil, fmt.Errorf("linear: a leverage of %d columns with cut-off %g", len(p.Columns), p.Cutoff)
	}
	return &Leverage{l}, nil
}

// check tells whether the parts belong together and to rows of d columns.
func (l *leverage) check(d int) error {
	k := len(l.columns)
	if len(l.offset) != k || (k > 0) != (l.whiten != nil) {
		return fmt.Errorf("linear: %d centres for %d columns of the leverage", len(l.offset), k)
	}
	if k > 0 {
		if r, c := l.whiten.Dims(); r != k || c != k {
			return fmt.Errorf("linear: a %d x %d matrix for %d columns of the leverage", r, c, k)
		}
		for i, v := range append(mat.DenseCopyOf(l.whiten).RawMatrix().Data, l.offset...) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("linear: number %d of the leverage is not finite", i+1)
			}
		}
	}
	for _, j := range l.columns {
		if j < 0 || j >= d {
			return fmt.Errorf("linear: the leverage uses column %d of %d", j+1, d)
		}
	}
	return nil
}
