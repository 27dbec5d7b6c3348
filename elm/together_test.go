package elm

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/random"
)

// Outputs with weights of their own are solved together as each is by equations of its own, to what conjugate gradients leave; outputs
// whose weights are the same share one set of equations.
func TestOutputsAreSolvedTogether(t *testing.T) {
	draw := random.New(5, "together")
	n, l, k := 400, togetherNodes, 5
	h := &hidden{n: n, l: l, kept: mat.NewDense(n, l, nil)}
	for i := range h.kept.RawMatrix().Data {
		h.kept.RawMatrix().Data[i] = draw.NormFloat64()
	}
	targets, w := mat.NewDense(n, k, nil), weighting{w: make([]float64, n*k), k: k}
	for i := range w.w {
		targets.RawMatrix().Data[i] = draw.NormFloat64()
		if w.w[i] = 0.8 + 0.2*draw.Float64(); draw.Float64() < 0.03 {
			w.w[i] = 1e-6
		}
	}
	r := &regression{h: h, t: targets, k: k, lambda: 0.5}
	from := mat.NewDense(l, k, nil)
	from.Set(3, 2, 1)
	got, err := r.together(context.Background(), from, w)
	if err != nil || got == nil {
		t.Fatalf("not solved together: %v", err)
	}
	for c := range k {
		one := &regression{h: h, t: mat.NewDense(n, 1, mat.Col(nil, c, targets)), k: 1, lambda: 0.5}
		want, err := one.solve(context.Background(), nil, weighting{w: w.column(c, 0, n), k: 1}, true)
		if err != nil {
			t.Fatal(err)
		}
		for j := range l {
			if math.Abs(got.At(j, c)-want.At(j, 0)) > 1e-7 {
				t.Fatalf("output %d, node %d: %v together, %v alone", c, j, got.At(j, c), want.At(j, 0))
			}
		}
	}
	for i := range n { // weights that have nothing in common
		for c := range k {
			if w.w[i*k+c] = 1e-9; (i+c)%k == 0 {
				w.w[i*k+c] = 1
			}
		}
	}
	r.lambda = 1e-6
	if got, err = r.together(context.Background(), nil, w); got != nil || err != nil {
		t.Errorf("weights without anything in common were solved together (%v)", err)
	}
	same := weighting{w: []float64{1, 1, 0.5, 0.5}, k: 2}
	if a := same.alike(); !a.shared() || a.at(1, 1) != 0.5 || a.at(0, 0) != 1 {
		t.Errorf("%v: outputs with the same weights do not share them", a)
	}
}
