package linear

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/internal/leverage"
	"github.com/inlier-ml/inlier/linalg"
)

// past is what a model keeps of its rows for updates: the curvature of the loss at the coefficients of the design, and what
// makes a row one of the design. See package renewal.
type past struct {
	curvature *mat.SymDense // p x p, sum of psi' z z'
	columns   []leverage.Column
	lambda    float64 // penalty of the squared coefficients of the design
}

// remember keeps the curvature that standard errors are computed from, or, where more rows lie where the loss bends down than
// where it bends up, that of the weighted squares; nil where these say nothing either.
func (f *fitting) remember(m *Model, curves ...[]float64) *past {
	out := &past{lambda: f.g.lambda, columns: make([]leverage.Column, len(f.g.offset))}
	for j := range out.columns {
		out.columns[j] = leverage.Column{Centre: f.g.offset[j], Spread: f.g.scale[j]}
	}
	if m.exact { // no row that is taken moves it
		out.curvature = mat.NewSymDense(f.g.p, nil)
		for j := range f.g.p {
			out.curvature.SetSym(j, j, 1)
		}
		return out
	}
	for _, c := range curves {
		if c == nil {
			continue
		}
		out.curvature = f.g.symmetric(c)
		if _, ok := linalg.NewCholesky(out.curvature); ok && finite(out.curvature) {
			return out
		}
	}
	return nil
}

// store puts the past into the arrays of a file.
func (p *past) store(arrays map[string]archive.Array, extra map[string]any) {
	if p == nil {
		return
	}
	d := len(p.columns)
	columns := mat.NewDense(2, d, nil)
	for j, c := range p.columns {
		columns.Set(0, j, c.Centre)
		columns.Set(1, j, c.Spread)
	}
	arrays["past_columns"] = archive.Matrix(columns)
	arrays["past_curvature"] = archive.Matrix(mat.DenseCopyOf(p.curvature))
	extra["past_lambda"] = p.lambda
}

// restorePast reads it; nil: files of old have none.
func restorePast(r *archive.Reader, columns, unknown int) *past {
	if !r.Has("past_curvature") {
		return nil
	}
	as, curvature := r.Matrix("past_columns"), r.Matrix("past_curvature")
	out := &past{lambda: r.Number("past_lambda")}
	if r.Err() != nil {
		return nil
	}
	rows, d := as.Dims()
	n, k := curvature.Dims()
	if rows != 2 || d != columns || n != unknown || k != unknown || !(out.lambda >= 0) {
		r.Fail("%d x %d columns and a curvature of %d x %d do not go with %d coefficients", rows, d, n, k, unknown)
		return nil
	}
	for j := range d {
		c := leverage.Column{Centre: as.At(0, j), Spread: as.At(1, j)}
		if !(c.Spread > 0) || math.IsInf(c.Spread, 0) || c.Centre-c.Centre != 0 {
			r.Fail("column %d has the centre %g and the spread %g", j+1, c.Centre, c.Spread)
		}
		out.columns = append(out.columns, c)
	}
	out.curvature = symmetric(curvature)
	if !finite(out.curvature) {
		r.Fail("the curvature holds a number that is not finite")
	}
	return out
}

// symmetric is the mean of a square matrix and its transpose.
func symmetric(a *mat.Dense) *mat.SymDense {
	n, _ := a.Dims()
	out := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			out.SetSym(i, j, (a.At(i, j)+a.At(j, i))/2)
		}
	}
	return out
}
