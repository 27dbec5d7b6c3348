package classify_test

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/classify"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/verdict"
)

// Planes know nothing of classes that lie around each other: by them alone 4 of 480 wrong labels were found. Where neighbours
// tell more of labels, a kernel judges those of a linear machine.
func TestKernelJudgesLabelsThatPlanesCannotTell(t *testing.T) {
	found, falsely := 0, 0
	for seed := range uint64(2) {
		r := rand.New(rand.NewPCG(seed, 31))
		x, labels, truth := mat.NewDense(600, 6, nil), make([]int, 600), make([]int, 600)
		for i := range labels {
			sum := 0.0
			for j := range 6 {
				x.Set(i, j, r.NormFloat64())
				sum += x.At(i, j) * x.At(i, j)
			}
			if truth[i] = 0; sum > 4 {
				truth[i]++
			}
			if sum > 7 {
				truth[i]++
			}
			if labels[i] = truth[i]; i%5 == 0 {
				labels[i] = (truth[i] + 1 + r.IntN(2)) % 3
			}
		}
		for _, o := range []classify.Options{{}, {Lambda: .5 / 600}} {
			m, err := classify.RegMaxCEM{Options: o}.Fit(t.Context(), linalg.FromDense(x), labels, 3)
			if err != nil {
				t.Fatal(err)
			}
			for i, kind := range m.Training().Kind {
				if kind == verdict.DoubtfulLabel && labels[i] != truth[i] {
					found++
				} else if kind == verdict.DoubtfulLabel {
					falsely++
				}
			}
		}
	}
	t.Logf("%d of 480 wrong labels found, %d others", found, falsely)
	if found < 340 || falsely > 120 {
		t.Errorf("%d of 480 wrong labels found, %d others", found, falsely)
	}
}
