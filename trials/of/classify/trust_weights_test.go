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

// A whole weight is as many rows also where rows are weighed by scores of fits without them: copies of a row that were held out apart are
// believed alike.
func TestWeightsAreRowsAmongWrongLabels(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, classes := range []int{2, 3} {
		const n, columns = 150, 3
		x := mat.NewDense(n, columns, nil)
		labels, weights := make([]int, n), make([]float64, n)
		var rows []float64
		var repeated []int
		for i := range n {
			labels[i] = r.IntN(classes)
			for j := range columns {
				v := r.NormFloat64()
				if j == labels[i] {
					v += 2
				}
				x.Set(i, j, v)
			}
			if r.Float64() < 0.4 {
				labels[i] = r.IntN(classes)
			}
			weights[i] = float64(r.IntN(4))
			for range int(weights[i]) {
				rows, repeated = append(rows, x.RawRowView(i)...), append(repeated, labels[i])
			}
		}
		o := classify.Options{Kernel: kernel.Kernel{Kind: kernel.RBF}}
		plain, err := classify.RegMaxCEM{Options: o}.Fit(t.Context(), linalg.FromDense(mat.NewDense(len(repeated), columns, rows)), repeated, classes)
		if err != nil {
			t.Fatal(err)
		}
		o.Weights = weights
		weighed, err := classify.RegMaxCEM{Options: o}.Fit(t.Context(), linalg.FromDense(x), labels, classes)
		if err != nil {
			t.Fatal(err)
		}
		a, err := plain.Scores(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		b, err := weighed.Scores(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		most := 0.0
		for i := range n {
			for l := range classes {
				most = math.Max(most, math.Abs(a.At(i, l)-b.At(i, l)))
			}
		}
		if most > 1e-4 {
			t.Errorf("%d classes: scores differ by %.3g", classes, most)
		}
	}
}
