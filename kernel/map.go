package kernel

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/refusal"
)

// Map takes rows to features. Maps are immutable and may be used by many goroutines.
type Map interface {
	// Widths returns the number of columns that go in and that come out.
	Widths() (in, out int)
	// Apply writes the features of the rows of x into dst, one row each.
	Apply(dst, x *mat.Dense) error
}

// Transform applies a map to all rows of a matrix.
func Transform(m Map, x *mat.Dense) (*mat.Dense, error) {
	n, _ := x.Dims()
	if n == 0 {
		return nil, refusal.Data("a map needs rows")
	}
	_, out := m.Widths()
	dst := mat.NewDense(n, out, nil)
	return dst, m.Apply(dst, x)
}

// Landmarks is the map whose features are the kernel with each of a few fixed rows.
type Landmarks struct {
	Kernel Kernel
	Points *mat.Dense // one per row
}

// Widths returns the columns of the points and their number.
func (l *Landmarks) Widths() (in, out int) {
	out, in = l.Points.Dims()
	return in, out
}

// Apply writes the kernel of every row with every landmark.
func (l *Landmarks) Apply(dst, x *mat.Dense) error { return l.Kernel.GramTo(dst, x, l.Points) }

// checkApply checks the sizes of a call of Apply.
func checkApply(m Map, dst, x *mat.Dense) error {
	in, out := m.Widths()
	n, d := x.Dims()
	if d != in {
		return &refusal.ColumnsError{Columns: d, Want: in, Problem: fmt.Sprintf("a map of %d columns cannot take rows of %d", in, d)}
	}
	if r, c := dst.Dims(); r != n || c != out {
		return fmt.Errorf("kernel: features of %d x %d do not fit into %d x %d", n, out, r, c)
	}
	return nil
}
