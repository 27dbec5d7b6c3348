package leverage

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/archive"
)

// Store adds the distances to the arrays of a model file, under the same names for every
// regression; the cut-off belongs to its numbers. Without columns there is nothing to add.
func (l *Leverage) Store(arrays map[string]archive.Array) {
	if len(l.Columns) == 0 {
		return
	}
	arrays["leverage_columns"], arrays["leverage_center"] = archive.Integers(l.Columns), archive.Vector(l.Offset)
	arrays["leverage_whiten"] = archive.Matrix(l.Whiten)
}

// Restore reads what Store wrote; without columns, if there is nothing.
func Restore(r *archive.Reader) *Leverage {
	if !r.Has("leverage_columns") {
		return &Leverage{}
	}
	return &Leverage{
		Columns: r.Integers("leverage_columns"), Offset: r.Vector("leverage_center"), Whiten: r.Matrix("leverage_whiten"), Cutoff: r.Number("leverage_cutoff"),
	}
}

// Check tells whether the parts belong together and to rows of d columns.
func (l *Leverage) Check(d int) error {
	k := len(l.Columns)
	if len(l.Offset) != k || (k > 0) != (l.Whiten != nil) {
		return fmt.Errorf("%d centres for %d columns of the leverage", len(l.Offset), k)
	}
	if k > 0 {
		if r, c := l.Whiten.Dims(); r != k || c != k {
			return fmt.Errorf("a %d x %d matrix for %d columns of the leverage", r, c, k)
		}
		for i, v := range append(mat.DenseCopyOf(l.Whiten).RawMatrix().Data, l.Offset...) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("number %d of the leverage is not finite", i+1)
			}
		}
	}
	for _, j := range l.Columns {
		if j < 0 || j >= d {
			return fmt.Errorf("the leverage uses column %d of %d", j+1, d)
		}
	}
	return nil
}
