package classify

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/classify"
	"github.com/inlier-ml/inlier/kernel"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/verdict"
)

// Rows of absurd inputs are far from all classes, among training rows and new ones, in blocks
// and alone, also after reading the model; a rare class at 1e6 is not.
func TestAbsurdInputsAreFlagged(t *testing.T) {
	ctx := context.Background()
	g := rand.New(rand.NewPCG(1, 1))
	draw := func(n int) (*mat.Dense, []int) {
		x, labels := mat.NewDense(n, 3, nil), make([]int, n)
		for i := range n {
			if labels[i] = i % 2; i%40 == 7 {
				labels[i] = 2
			}
			for j := range 3 {
				x.Set(i, j, g.NormFloat64())
			}
			x.Set(i, 0, x.At(i, 0)+6*float64(labels[i]%2))
			x.Set(i, 2, 1e-6*x.At(i, 2))
			if labels[i] == 2 {
				x.Set(i, 1, 1e6+1e4*g.NormFloat64())
			}
		}
		return x, labels
	}
	for name, m := range map[string]interface {
		Fit(context.Context, linalg.Source, []int, int) (*classify.Model, error)
	}{
		"regmaxcem": classify.RegMaxCEM{}, "rbf": classify.RegMaxCEM{Options: classify.Options{Kernel: kernel.Kernel{Kind: kernel.RBF}}}, "square": classify.Square{}, "logistic": classify.Logistic{},
	} {
		x, labels := draw(200)
		fresh, others := draw(200)
		for k, v := range []float64{1e8, -1e9, 1e300, -1e300, -5e6, -999} {
			x.Set(20*k+1, k%3, v)
			fresh.Set(20*k+1, k%3, v)
		}
		fit, err := m.Fit(ctx, linalg.FromDense(x), labels, 3)
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if _, err := fit.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		read, err := classify.Read(&file)
		if err != nil {
			t.Fatal(err)
		}
		check := func(what string, i int, v verdict.Row) {
			bad := i%20 == 1 && i < 120
			if bad && (v.Kind != verdict.FarFromAll || !v.Outlier || v.Weight != 0) {
				t.Errorf("%s, %s: row %d: %+v", name, what, i, v)
			}
			if !bad && v.Kind == verdict.FarFromAll && v.Weight == 0 {
				t.Errorf("%s, %s: row %d is flagged", name, what, i)
			}
			if math.IsNaN(v.Residual) {
				t.Errorf("%s, %s: row %d: %+v", name, what, i, v)
			}
		}
		a, err := fit.Judge(ctx, fresh, others)
		if err != nil {
			t.Fatal(err)
		}
		b, err := read.Judge(ctx, fresh, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 200 {
			check("training", i, fit.Training().Row(i))
			check("new", i, a.Row(i))
			check("read", i, b.Row(i))
			check("alone", i, read.JudgeRow(fresh.RawRowView(i), others[i]))
		}
		p, err := read.Predict(ctx, fresh)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range append(p.Probabilities.RawMatrix().Data, p.Scores.RawMatrix().Data...) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("%s: a probability or score is %v", name, v)
			}
		}
	}
}
