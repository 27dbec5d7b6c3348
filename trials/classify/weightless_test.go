package classify_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/classify"
	"github.com/inlier-ml/inlier/linalg"
)

// A class whose rows all have weight 0 changes nothing: what is fitted to the others, limits of clipping too, is what it is without its rows.
func TestClassWithoutWeight(t *testing.T) {
	const n, d = 300, 2
	g := rand.New(rand.NewPCG(4, 4))
	x, labels, weights := mat.NewDense(n, d, nil), make([]int, n), make([]float64, n)
	var rows []float64
	var kept []int
	for i := range n {
		labels[i] = i % 3
		x.SetRow(i, []float64{10 + float64(labels[i]) + g.NormFloat64(), g.NormFloat64() - float64(labels[i])})
		if i%20 == 0 {
			x.Set(i, 0, 1)
		}
		if labels[i] < 2 {
			weights[i] = 1
			rows, kept = append(rows, x.RawRowView(i)...), append(kept, labels[i])
		}
	}
	for _, with := range [][2]besides{
		{classify.Square{Options: classify.Options{Weights: weights}}, classify.Square{}},
		{classify.RegMaxCEM{Options: classify.Options{Weights: weights}}, classify.RegMaxCEM{}},
	} {
		a, err := with[0].Fit(t.Context(), linalg.FromDense(x), labels, 3)
		if err != nil {
			t.Fatal(err)
		}
		b, err := with[1].Fit(t.Context(), linalg.FromDense(mat.NewDense(len(kept), d, rows)), kept, 3)
		if err != nil {
			t.Fatal(err)
		}
		p, _ := a.Predict(t.Context(), x)
		q, _ := b.Predict(t.Context(), x)
		p.Probabilities.Sub(p.Probabilities, q.Probabilities)
		if off := mat.Norm(p.Probabilities, math.Inf(1)); !(off < 1e-9) {
			t.Errorf("%T: probabilities are off by %g", with[1], off)
		}
	}
}
