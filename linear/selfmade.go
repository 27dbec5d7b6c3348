package linear

import (
	"context"

	"github.com/inlier-ml/inlier/linalg"
)

// selfMade is the leverage from which on a row has made its own residual: the fit goes where the row is, and that they agree
// says nothing of how sure it is.
const selfMade = 0.5

// mendSquares gives rows that have made their own residual, such as one with a cell of 1e9 in a column that does not matter,
// at least the squared score psi^2 of a typical row; theirs is near 0, and standard errors from it are too (White's HC0, which
// a single such row takes to any number of stars). It changes e.Squares where there are such rows and nothing else.
//
// The leverage of a row is psi' z'(sum w psi' z z')^-1 z, so that repeated rows share theirs as a weight does.
func (f *fitting) mendSquares(ctx context.Context, g *design, e *evidence, slopes, squares []float64) error {
	inverses := make([]float64, g.p)
	for j := range inverses {
		if s := e.Slopes[j*g.stride+j]; s > 0 {
			inverses[j] = 1 / s
		}
	}
	// A leverage is at least that along each column, and one cell is far in one.
	far := make([][]int, (g.n+pieceRows-1)/pieceRows)
	linalg.Parallel(len(far), func(k int) {
		for i := k * pieceRows; i < min((k+1)*pieceRows, g.n); i++ {
			w := g.weight(i)
			if !(slopes[i] > 0) {
				continue
			}
			for j, z := range g.row(i) {
				if z*z*inverses[j]*slopes[i] >= selfMade*w {
					far[k] = append(far[k], i)
					break
				}
			}
		}
	})
	typical, slope, found := 0.0, 0.0, false
	for _, rows := range far {
		found = found || len(rows) > 0
	}
	if !found {
		return nil
	}
	for i, v := range squares {
		typical += v
		slope += slopes[i]
	}
	if !(slope > 0) {
		return nil
	}
	typical *= g.total / (slope * slope) // of psi/mean(psi'), which is what coefficients spread by
	for _, rows := range far {
		for _, i := range rows {
			squares[i] = max(squares[i], slopes[i]*slopes[i]/g.weight(i)*typical)
		}
	}
	kept := append([]float64(nil), e.Slopes...)
	cross := append([]float64(nil), e.Cross...)
	_, also, _, err := g.sums(ctx, nil, squares, nil)
	e.Slopes, e.Squares, e.Cross = kept, also, cross
	return err
}

// pieceRows is how many rows one goroutine looks at.
const pieceRows = 1 << 14
