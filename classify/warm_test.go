package classify

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/kernel"
)

// A training that begins where others on nearly the same rows ended comes to the same objective as one that begins at
// nothing, whatever the loss and whatever stands in the votes.
func TestWhereTrainingBeginsDoesNotMatter(t *testing.T) {
	x, labels, _ := clouds(320, 4, 3, 1, 0.1, 8)
	for _, name := range []string{"square", "hinge", "logistic", "regmaxcem"} {
		o := Options{Kernel: kernel.Kernel{Kind: kernel.RBF}, Lambda: 1e-3}
		m := studyMachine(name, o)
		if r, ok := m.(RegMaxCEM); ok {
			r, _ = r.filled()
			m = r
		}
		task := taskOf(t, x, labels, 3, o)
		cold, err := m.train(t.Context(), task)
		if err != nil {
			t.Fatal(err)
		}
		held, err := task.hold(t.Context(), m, task.folds(3), nil)
		if err != nil {
			t.Fatal(err)
		}
		wild := mat.NewDense(321, 3, nil)
		for i := range wild.RawMatrix().Data {
			wild.RawMatrix().Data[i] = 3 * math.Sin(float64(i))
		}
		want := cold.steps[len(cold.steps)-1].Objective
		for start, votes := range map[string]*mat.Dense{"folds": held.meanVotes(), "its own": task.votesOf(cold.theta), "wild": wild} {
			if votes == nil {
				t.Fatalf("%s: no votes of %s", name, start)
			}
			if task.votes = votes; name == "regmaxcem" && start == "wild" {
				continue // its objective has several minima
			}
			warm, err := m.train(t.Context(), task)
			if err != nil {
				t.Fatal(err)
			}
			if got := warm.steps[len(warm.steps)-1].Objective; math.Abs(got-want) > 2e-6*want {
				t.Errorf("%s from %s: objective %v, from nothing %v", name, start, got, want)
			}
			if start == "folds" && (name == "hinge" || name == "logistic") && len(warm.steps) > len(cold.steps) {
				t.Errorf("%s: %d steps from the folds, %d from nothing", name, len(warm.steps), len(cold.steps))
			}
		}
	}
}

// Held-out scores of least squares are those of the full solution to a few thousandths.
func TestRoughSquares(t *testing.T) {
	x, labels, _ := clouds(500, 5, 3, 1, 0.1, 4)
	task := taskOf(t, x, labels, 3, Options{Kernel: kernel.Kernel{Kind: kernel.RBF}, Lambda: 1e-3})
	held := task.folds(3)[0]
	rough, _, err := task.scoresWithout(t.Context(), Square{}, held)
	if err != nil {
		t.Fatal(err)
	}
	full, err := leastSquares(t.Context(), task.without(held), task.without(held).system(1e-3*task.without(held).total))
	if err != nil {
		t.Fatal(err)
	}
	for i := range labels {
		for l := range 3 {
			if math.Abs(rough.At(i, l)-full.scores.At(i, l)) > 5e-3 {
				t.Fatalf("row %d, class %d: %v, full solution %v", i, l, rough.At(i, l), full.scores.At(i, l))
			}
		}
	}
}
