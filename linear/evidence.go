package linear

import (
	"context"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/internal/workspace"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linalg/fastblas"
)

// evidence are the sums over rows that standard errors follow from; see covariance.
type evidence struct {
	Slopes, Squares, Cross []float64 // of psi' [z r], psi^2 z z', psi chi z
	Slope, Square          float64   // of psi' and psi^2
	ChiSquares, ChiSlopes  float64
}

// slopes is the curvature of the loss; nil without evidence.
func (e *evidence) slopes() []float64 {
	if e == nil {
		return nil
	}
	return e.Slopes
}

// gather sums over the rows of a design that has the residuals of the fit, with those of the start.
func (f *fitting) gather(ctx context.Context, g *design, start []float64) *evidence {
	slopes, squares, cross := make([]float64, g.n), make([]float64, g.n), make([]float64, g.n)
	derive := f.derivative()
	var e evidence
	e.ChiSquares, e.ChiSlopes = inPieces(g.n, func(first, last int) (chiSquares, chiSlopes float64) {
		for i := first; i < last; i++ {
			w := g.weight(i)
			if w == 0 {
				continue
			}
			value, slope := derive(g.r[i])
			value /= f.scale
			u0 := start[i] / f.scale
			c := chi(u0)
			slopes[i], squares[i], cross[i] = w*slope, w*value*value, w*value*c
			chiSquares += w * (c*c - halfway*halfway)
			chiSlopes += w * chiSlope(u0) * u0
		}
		return chiSquares, chiSlopes
	})
	e.Slope, e.Square = inPieces(g.n, func(first, last int) (slope, square float64) {
		for i := first; i < last; i++ {
			slope += slopes[i]
			square += squares[i]
		}
		return slope, square
	})
	var err error
	if e.Slopes, e.Squares, e.Cross, err = g.sums(ctx, slopes, squares, cross); err == nil {
		if by := g.mender(&e); by != nil && g.mend(by, slopes, squares) {
			e.Slopes, e.Squares, e.Cross, err = g.sums(ctx, slopes, squares, cross)
		}
	}
	if err != nil {
		return nil
	}
	return &e
}

// selfMade is the leverage along one column from which on a row has made its own residual: the fit goes where the row is, and
// that they agree says nothing of how sure it is. Of its leverage in all columns, which good rows far out in several of them
// have too, ownMade is that.
const selfMade, ownMade = 0.5, 0.9

// mender tells rows that have made their own residual, such as one with a cell of 1e9 in a column that does not matter,
// or the only one of the category that the others are compared with. They get at least the squared score of a typical row;
// theirs is near 0, and standard errors from it are too (White's HC0, which a single such row takes to any number of stars).
//
// The leverage of a row is psi' z'(sum w psi' z z')^-1 z, so that repeated rows share theirs as a weight does. A typical row
// has the mean of (psi/mean psi')^2, which is what coefficients spread by.
type mender struct {
	typical float64
	least   []float64 // w psi' z^2 over w of a row that has made its own residual along a column
	root    []float64 // of the inverse of the curvature, stride x stride
}

// mender is that of rows with these sums; nil where they have no curvature.
func (g *design) mender(of *evidence) *mender {
	bread := g.symmetric(of.Slopes)
	for j := g.ones; j < g.p; j++ {
		bread.SetSym(j, j, bread.At(j, j)+g.lambda)
	}
	c, ok := linalg.NewCholesky(bread)
	if !(of.Slope > 0) || !ok {
		return nil
	}
	by := &mender{typical: of.Square * (g.total / (of.Slope * of.Slope)), least: make([]float64, g.p), root: make([]float64, g.stride*g.stride)}
	for j := range by.least {
		if by.least[j] = selfMade * of.Slopes[j*g.stride+j]; !(by.least[j] > 0) {
			by.least[j] = math.Inf(1)
		}
	}
	lower := c.InverseLower()
	for j := range g.p {
		copy(by.root[j*g.stride:], lower.RawRowView(j))
	}
	return by
}

// mend raises the squares w psi^2 of such rows, whose w psi' are slopes, and tells whether there are any.
func (g *design) mend(by *mender, slopes, squares []float64) bool {
	count, _ := pieces(g.n, g.stride)
	found := make([]bool, count)
	_ = g.each(context.Background(), func(k, first, last int) {
		const block = 256
		room := workspace.Get(block * g.stride)
		defer room.Put()
		product := room.Take(block * g.stride)
		for ; first < last; first += block {
			n := min(block, last-first)
			rows := g.rows[first*g.stride : (first+n)*g.stride]
			fastblas.Gemm(1, false, true, n, g.stride, g.stride, 1, rows, g.stride, by.root, g.stride, 0, product, g.stride)
			for i := range n {
				w, s := g.weight(first+i), slopes[first+i]
				if !(s > 0) {
					continue
				}
				white := product[i*g.stride : i*g.stride+g.p]
				made := s*dot(white, white) >= ownMade*w
				for j, z := range g.row(first + i) {
					made = made || s*z*z >= w*by.least[j]
				}
				if made {
					squares[first+i] = max(squares[first+i], s*s/w*by.typical)
					found[k] = true
				}
			}
		}
	})
	return slices.Contains(found, true)
}
