package classify_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/classify"
	"github.com/inlier-ml/inlier/kernel"
	"github.com/inlier-ml/inlier/linalg"
)

// grid draws rows of nine classes in a square of three by three, a share of whose labels is any other.
func grid(n int, spread, wrong float64, seed uint64) (x *mat.Dense, labels, truth []int) {
	g := rand.New(rand.NewPCG(seed, 9))
	x, labels, truth = mat.NewDense(n, 2, nil), make([]int, n), make([]int, n)
	for i := range n {
		l := i % 9
		x.SetRow(i, []float64{2.2*float64(l/3) + spread*g.NormFloat64(), 2.2*float64(l%3) + spread*g.NormFloat64()})
		if truth[i], labels[i] = l, l; g.Float64() < wrong {
			labels[i] = (l + 1 + g.IntN(8)) % 9
		}
	}
	return x, labels, truth
}

// With two fifths of the labels of nine classes wrong no class has most labels anywhere, as soon as it meets another: a support vector machine with a
// kernel finds them all the same, two by two, and what it says of a row is what is most probable to it. Where labels are right a class is still told from all others.
func TestKernelHingeAmongWrongLabelsOfManyClasses(t *testing.T) {
	fit := func(x *mat.Dense, labels []int, lambda float64) *classify.Model {
		m, err := classify.Hinge{Options: classify.Options{Kernel: kernel.Kernel{Kind: kernel.RBF}, Lambda: lambda}}.Fit(t.Context(), linalg.FromDense(x), labels, 9)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	const n = 540
	fresh, _, truth := grid(1800, 0.75, 0, 1)
	for seed := uint64(2); seed < 4; seed++ {
		x, labels, _ := grid(n, 0.75, 0.4, seed)
		model := fit(x, labels, 0)
		found, err := model.Predict(t.Context(), fresh)
		if err != nil {
			t.Fatal(err)
		}
		right := 0
		for i, l := range truth {
			if found.Labels[i] == l {
				right++
			}
			if one := model.PredictRow(nil, fresh.RawRowView(i)); one != found.Labels[i] {
				t.Fatalf("row %d is %d by itself and %d among others", i, one, found.Labels[i])
			}
		}
		if share := float64(right) / float64(len(truth)); share < 0.77 {
			t.Errorf("%.3f of the new rows are right; a line in the middle between neighbours has .80", share)
		}
	}
	x, labels, _ := grid(n, 0.4, 0, 4)
	open, _ := fit(x, labels, 0).Scores(t.Context(), fresh)
	given, _ := fit(x, labels, 1.0/(2*n)).Scores(t.Context(), fresh)
	var off mat.Dense
	if off.Sub(open, given); math.Max(mat.Max(&off), -mat.Min(&off)) > 0.02 { // each begins elsewhere and ends within the tolerance
		t.Errorf("right labels change the machine: scores differ by %.3f", math.Max(mat.Max(&off), -mat.Min(&off)))
	}
}
