package elm

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linalg/fastblas"
)

// Reweighting solves the same equations again and again with other weights. Nodes that are much alike make
// them so badly conditioned that only orthogonal factorisations help, each several times as dear. Turned to
// their principal axes, nodes are columns of unlike length but at right angles, and weights bend these little:
// with columns brought to length one the equations are good, whatever the lengths. The penalty does not see a turn.

// turn replaces the outputs H by HV, with V orthogonal and the columns of HV at right angles. Products of columns
// show the long ones; the others are turned again among themselves, as in peel.
func (h *hidden) turn(ctx context.Context) error {
	z, v := mat.DenseCopyOf(h.kept), mat.NewDense(h.l, h.l, nil)
	for j := range h.l {
		v.Set(j, j, 1)
	}
	longest := 0.0
	for first := 0; first < h.l; {
		left := h.l - first
		rest, axes := z.Slice(0, h.n, first, h.l).(*mat.Dense), v.Slice(0, h.l, first, h.l).(*mat.Dense)
		raw, gram := rest.RawMatrix(), make([]float64, left*left)
		fastblas.WeightedGram(linalg.Threads(), h.n, left, raw.Data, raw.Stride, nil, nil, gram, left)
		values, vectors, err := linalg.SymEigen(ctx, mat.NewSymDense(left, gram))
		if err != nil {
			return err
		}
		if first == 0 {
			longest = values[0]
		}
		if !(values[0] > lowestPenalty*level*longest) {
			break
		}
		for _, m := range []*mat.Dense{rest, axes} {
			rows, _ := m.Dims()
			turned := mat.NewDense(rows, left, nil)
			linalg.Mul(turned, m, vectors)
			m.Copy(turned)
		}
		for _, value := range values {
			if value <= level*values[0] {
				break
			}
			first++
		}
	}
	h.kept, h.axes = z, v
	return nil
}

// back turns output weights of turned nodes into those of the nodes.
func (h *hidden) back(beta *mat.Dense) *mat.Dense {
	if h.axes == nil || beta == nil {
		return beta
	}
	l, k := beta.Dims()
	out := mat.NewDense(l, k, nil)
	linalg.Mul(out, h.axes, beta)
	return out
}
