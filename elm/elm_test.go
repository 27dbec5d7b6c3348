package elm

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// data makes n rows of d inputs and k smooth outputs with noise and a few wild targets.
func data(n, d, k int, seed uint64) (x, t *mat.Dense) {
	random := rand.New(rand.NewPCG(seed, 3))
	x, t = mat.NewDense(n, d, nil), mat.NewDense(n, k, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, random.NormFloat64())
		}
		for c := range k {
			v := math.Sin(x.At(i, 0)+float64(c)) + 0.1*random.NormFloat64()
			if random.Float64() < 0.1 {
				v += 5
			}
			t.Set(i, c, v)
		}
	}
	return x, t
}

func relative(a, b mat.Matrix) float64 {
	var d mat.Dense
	d.Sub(a, b)
	return mat.Norm(&d, 2) / mat.Norm(b, 2)
}

// Where the hidden layer is not kept, the result is the same.
func TestStreamingIsTheSame(t *testing.T) {
	x, y := data(9000, 5, 2, 5)
	layer := RandomLayer(20, 5, Sigmoid, Range{-1, 1}, Range{0, 1}, 1)
	prob := func(keep bool) *problem {
		h := &hidden{layer: layer, src: linalg.FromDense(x), n: 9000, l: 20}
		if keep {
			all, err := layer.Outputs(x)
			if err != nil {
				t.Fatal(err)
			}
			h.kept = all
		}
		return &problem{regression: regression{h: h, t: y, k: 2, lambda: 1e-3}, total: 18000}
	}
	w := make([]float64, 18000)
	for i := range w {
		w[i] = 1 / (1 + float64(i%7))
	}
	a, err := prob(true).Solve(context.Background(), nil, w)
	if err != nil {
		t.Fatal(err)
	}
	b, err := prob(false).Solve(context.Background(), nil, w)
	if err != nil {
		t.Fatal(err)
	}
	c, err := prob(false).factorise(context.Background(), weighting{w: w, k: 2})
	if err != nil {
		t.Fatal(err)
	}
	if d := relative(a, b); d > 1e-12 {
		t.Errorf("streamed normal equations are %.2g off", d)
	}
	if d := relative(a, c); d > 1e-7 {
		t.Errorf("streamed factorisation is %.2g off", d)
	}
}

func TestPartsComeBack(t *testing.T) {
	x, y := data(60, 2, 2, 11)
	m, err := KMPE{Options: Options{Hidden: 10}, P: 3}.Fit(context.Background(), linalg.FromDense(x), y)
	p := must(t, m, err).parts()
	back, err := fromParts(p)
	must(t, back, err).inputs = m.inputs
	a, _ := m.Judge(context.Background(), x, y)
	b, _ := back.Judge(context.Background(), x, y)
	for i := range a.Weight {
		if a.Weight[i] != b.Weight[i] || a.Residual[i] != b.Residual[i] {
			t.Fatalf("row %d weighs %g and %g", i, a.Weight[i], b.Weight[i])
		}
	}
	p.OutputWeights = mat.NewDense(7, 2, nil)
	if _, err := fromParts(p); err == nil {
		t.Error("seven rows of output weights for nine nodes are accepted")
	}
}
