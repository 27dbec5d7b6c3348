package classify

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/kernel"
	"github.com/inlier-ml/inlier/linalg"
)

// Machines with the exact kernel of so many rows that conjugate gradients train them end at the objective
// that features with the same inner products lead to, whatever the number of workers.
func TestKernelTrainingEqualsFeatures(t *testing.T) {
	defer linalg.SetThreads(0)
	x, labels, _ := clouds(directRows+40, 4, 3, 1, 0.15, 6)
	for _, name := range []string{"logistic", "regmaxcem:anneal=1", "regmaxcem:variant=element;anneal=1"} {
		whole := taskOf(t, x, labels, 3, Options{Kernel: kernel.Kernel{Kind: kernel.RBF, Gamma: 0.2}, Lambda: 0.002, Tol: 1e-9})
		features, _, err := whole.spelled()
		if err != nil {
			t.Fatal(err)
		}
		train := func(threads int, t1 *task) *outcome {
			linalg.SetThreads(threads)
			out, err := studyMachine(name, t1.o).train(context.Background(), t1)
			if err != nil {
				t.Fatal(err)
			}
			return out
		}
		one, three, want := train(1, whole), train(3, whole), train(3, features)
		if !mat.Equal(one.theta, three.theta) {
			t.Errorf("%s: one and three workers differ by %g", name, apart(one.theta, three.theta))
		}
		a, b := one.steps[len(one.steps)-1].Objective, want.steps[len(want.steps)-1].Objective
		if !(math.Abs(a-b) <= 1e-7*b) {
			t.Errorf("%s: objective %.12g, with features %.12g", name, a, b)
		}
	}
}
