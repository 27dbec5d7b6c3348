package classify

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/kernel"
)

// The exact kernel's own equations have the solution of the features' least squares by QR, also with
// weights, weights of elements and rows that do not count, by a Cholesky factor and by conjugate gradients.
func TestKernelEquationsEqualLeastSquares(t *testing.T) {
	x, labels, _ := clouds(90, 4, 3, 1.5, 0, 12)
	weights := make([]float64, 90)
	elements := mat.NewDense(90, 3, nil)
	for i := range weights {
		weights[i] = float64(i % 4)
		for l := range 3 {
			elements.Set(i, l, float64((i+l)%5)/4)
		}
		elements.Set(i, 0, 1e-12*elements.At(i, 0)+elements.At(i, 1))
	}
	task := taskOf(t, x, labels, 3, Options{Kernel: kernel.Kernel{Kind: kernel.RBF, Gamma: 0.3}})
	features, factor, err := task.spelled()
	if err != nil {
		t.Fatal(err)
	}
	for _, ridge := range []float64{1e-3, 0.4, 30} {
		way := func(how string) *system { return &system{a: task.a, kernel: true, ridge: ridge, forced: how} }
		direct, gradients := way(""), way("cg")
		peer := &system{a: features.a, ridge: ridge, forced: "qr"}
		from, own := mat.NewDense(91, 3, nil), [2]*mat.Dense{mat.NewDense(91, 3, nil), mat.NewDense(91, 3, nil)}
		for step, w := range []importance{{rows: task.prior}, {rows: weights}, {elements: elements}, {rows: task.prior}, {elements: elements}} {
			solve := func(s *system, start *mat.Dense) *mat.Dense {
				residual := task.targets()
				residual.Sub(residual, s.scores(start))
				theta, err := s.solve(context.Background(), start, residual, w)
				if err != nil {
					t.Fatal(err)
				}
				return theta
			}
			from = solve(peer, from)
			for at, s := range []*system{direct, gradients} {
				own[at] = solve(s, own[at])
				spelled := mat.DenseCopyOf(own[at]) // the same in terms of the features
				spelled.Slice(0, 90, 0, 3).(*mat.Dense).Mul(factor.Lower().T(), own[at].Slice(0, 90, 0, 3))
				if d := relativeChange(from, spelled); !(d <= 1e-8) {
					t.Errorf("ridge %v, solve %d by way %d: solutions differ by %v", ridge, step, at, d)
				}
			}
		}
	}
}
