package pca

import (
	"bytes"
	"math"
	"testing"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/pca"
	"gonum.org/v1/gonum/mat"
)

// Without centring the matrix is the mean of kappa(x_i - x_j) over rows, and a score the sum
// that the slides print, in every regime of the expansion, for new rows and from a file.
func TestUncentredCorrentropy(t *testing.T) {
	for _, c := range []struct {
		name  string
		x     *mat.Dense
		sigma float64
	}{{"fourier", correlated(150, 4, 1), 0.7}, {"hermite", correlated(150, 4, 1), 40}, {"window", correlated(60, 4, 2), 0.01}} {
		m, err := pca.Correntropy{Sigma: c.sigma, Scaling: pca.ScaleNone, Uncentered: true, Components: 2}.Fit(t.Context(), linalg.FromDense(c.x))
		if err != nil {
			t.Fatal(err)
		}
		n, l := c.x.Dims()
		kappa := func(a, b float64) float64 { return math.Exp(-(a - b) * (a - b) / (2 * c.sigma * c.sigma)) }
		v := mat.NewDense(l, l, nil)
		for k := range n {
			for i := range l {
				for j := range l {
					v.Set(i, j, v.At(i, j)+kappa(c.x.At(k, i), c.x.At(k, j))/float64(n))
				}
			}
		}
		if d := largestDifference(m.Matrix(), v); d > 1e-13 {
			t.Errorf("%s: the matrix differs from the definition by %.2g", c.name, d)
		}
		asked := correlated(30, l, 9)
		beta := m.Components()
		want := mat.NewDense(30, 2, nil)
		for r := range 30 {
			for p := range 2 {
				for i := range l {
					for k := range n {
						want.Set(r, p, want.At(r, p)+beta.At(p, i)*kappa(c.x.At(k, i), asked.At(r, i))/float64(n))
					}
				}
			}
		}
		var file bytes.Buffer
		if _, err := m.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		again, err := pca.ReadCorrentropy(&file)
		if err != nil {
			t.Fatal(err)
		}
		for name, model := range map[string]*pca.CorrentropyModel{"fitted": m, "restored": again} {
			got, err := model.Transform(t.Context(), asked)
			if err != nil {
				t.Fatal(err)
			}
			if d := largestDifference(got, want); d > 1e-10*mat.Norm(beta, 1) {
				t.Errorf("%s, %s: scores differ from the definition by %.2g", c.name, name, d)
			}
			for p, z := range model.TransformRow(nil, asked.RawRowView(3)) {
				if z != got.At(3, p) {
					t.Errorf("%s, %s: score %g of a row alone, %g among others", c.name, name, z, got.At(3, p))
				}
			}
		}
	}
}
