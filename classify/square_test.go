package classify

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/kernel"
)

// The exact kernel's own equations have the solution of the features' normal equations, also with
// weights and rows that do not count.
func TestKernelRidgeEqualsNormalEquations(t *testing.T) {
	x, labels, _ := clouds(90, 4, 3, 1.5, 0, 12)
	weights := make([]float64, 90)
	for i := range weights {
		weights[i] = float64(i % 4)
	}
	for _, w := range [][]float64{nil, weights} {
		task := taskOf(t, x, labels, 3, Options{Kernel: kernel.Kernel{Kind: kernel.RBF, Gamma: 0.3}, Lambda: 0.004, Weights: w})
		zero := mat.NewDense(91, 3, nil)
		s := &system{a: task.a, ridge: task.o.Lambda * task.total, forced: "qr"}
		want, err := s.solve(context.Background(), zero, task.targets(), importance{rows: task.prior})
		if err != nil {
			t.Fatal(err)
		}
		s = &system{a: task.a, ridge: task.o.Lambda * task.total, gram: task.gram}
		got := s.kernelRidge(context.Background(), zero, task.targets(), task.prior)
		if got == nil || relativeChange(want, got) > 1e-9 {
			t.Fatalf("solutions differ by %v", relativeChange(want, got))
		}
		residual := task.targets()
		residual.Sub(residual, s.scores(got))
		if again := s.kernelRidge(context.Background(), got, residual, task.prior); relativeChange(got, again) > 1e-9 {
			t.Errorf("from the solution it moves by %v", relativeChange(got, again))
		}
	}
}
