package elm

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// wavy is a sinc in an input that was scaled to about [-1.3, 1.3], as the catalogue does:
// the nodes are nearly polynomials, and their singular values fall to rounding.
func wavy(n, nodes int) *regression {
	x, y := sinc(n, false, 4)
	x.Scale(0.13, x)
	layer := RandomLayer(nodes, 1, Sigmoid, Range{-1, 1}, Range{0, 1}, 1)
	h := &hidden{layer: layer, src: linalg.FromDense(x), n: n, l: nodes, kept: textbookLayer(x, layer)}
	return &regression{h: h, t: y, k: 1}
}

// The spectrum against gonum's singular value decomposition of sqrt(W)H, with fewer and
// with more nodes than rows.
func TestSpectrumIsThatOfSVD(t *testing.T) {
	for _, nodes := range []int{70, 150} {
		w := make([]float64, 100)
		for i := range w {
			w[i] = 1 / (1 + float64(i%5))
		}
		r := wavy(100, nodes)
		got, err := r.exactSpectrum(context.Background(), w)
		if err != nil {
			t.Fatal(err)
		}
		h, y := mat.DenseCopyOf(r.h.kept), mat.DenseCopyOf(r.t)
		for i, v := range w {
			for j := range nodes {
				h.Set(i, j, math.Sqrt(v)*h.At(i, j))
			}
			y.Set(i, 0, math.Sqrt(v)*y.At(i, 0))
		}
		var svd mat.SVD
		svd.Factorize(h, mat.SVDThin)
		var u, z mat.Dense
		svd.UTo(&u)
		z.Mul(u.T(), y)
		values := svd.Values(nil)
		for i, v := range values {
			if v < 1e-12*values[0] {
				break
			}
			if off := math.Abs(math.Sqrt(got.values[i]) - v); off > 1e-14*values[0] {
				t.Errorf("%d nodes, singular value %d: %g, gonum has %g", nodes, i, math.Sqrt(got.values[i]), v)
			}
		}
		for _, relative := range []float64{1, 1e-6, 1e-12, 1e-18, 1e-22} {
			lambda := relative * values[0] * values[0]
			left, free := mat.Norm(y, 2)*mat.Norm(y, 2)-mat.Norm(&z, 2)*mat.Norm(&z, 2), 0.0
			for i, v := range values {
				part := lambda / (v*v + lambda)
				left += z.At(i, 0) * z.At(i, 0) * part * part
				free += v * v / (v*v + lambda)
			}
			if a, b := got.residual(lambda), got.freedom(lambda); math.Abs(a-left) > 1e-3*left || math.Abs(b-free) > 1e-2 {
				t.Errorf("%d nodes, penalty %g: residuals %g and freedom %g, gonum has %g and %g", nodes, relative, a, b, left, free)
			}
		}
		products, err := r.gramSpectrum(context.Background(), w)
		if err != nil {
			t.Fatal(err)
		}
		for _, relative := range []float64{1, 1e-4, 1e-8} {
			lambda := relative * got.values[0]
			if a, b := products.residual(lambda), got.residual(lambda); math.Abs(a-b) > 1e-5*b {
				t.Errorf("%d nodes, penalty %g: residuals %g from products, %g from the factor", nodes, relative, a, b)
			}
		}
	}
}
