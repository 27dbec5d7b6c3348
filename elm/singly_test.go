package elm

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// Errors of left-out rows are those of fits without them, also where a few rows lie apart and nodes are
// all but dependent, with weights, and with fewer rows than nodes.
func TestScoresOfLeftOutRows(t *testing.T) {
	draw := rand.New(rand.NewPCG(7, 1))
	for name, n := range map[string]int{"more rows": 45, "fewer rows": 18} {
		x, y, w := mat.NewDense(n, 2, nil), mat.NewDense(n, 2, nil), make([]float64, n)
		for i := range n {
			a, b := draw.NormFloat64(), draw.NormFloat64()
			if i < 3 {
				a += 8
			}
			x.SetRow(i, []float64{a, b})
			y.SetRow(i, []float64{math.Sin(a) + b, a * b})
			w[i] = 0.2 + draw.Float64()
		}
		w[5] = 0
		h, err := newHidden(t.Context(), RandomLayer(24, 2, Gaussian, Range{-1, 1}, Range{0, 0.5}, 3), linalg.FromDense(x), true, 1<<40)
		if err != nil {
			t.Fatal(err)
		}
		r := &regression{h: h, t: y, k: 2}
		s, err := r.exactSpectrum(t.Context(), w)
		if err != nil {
			t.Fatal(err)
		}
		for _, relative := range []float64{1e-1, 1e-4, 1e-8, 1e-12} {
			lambda := relative * s.values[0]
			want := 0.0
			for i := range n {
				without := append([]float64(nil), w...)
				without[i] = 0
				r.lambda = lambda
				beta, err := r.factorise(t.Context(), weighting{w: without, k: 2, perRow: true})
				if err != nil {
					t.Fatal(err)
				}
				var out mat.Dense
				out.Mul(h.kept.Slice(i, i+1, 0, 24), beta)
				for c := range 2 {
					want += w[i] * (out.At(0, c) - y.At(i, c)) * (out.At(0, c) - y.At(i, c))
				}
			}
			if got := s.scores([]float64{lambda})[0]; math.Abs(got/want-1) > 1e-5 {
				t.Errorf("%s, penalty %g of the largest eigenvalue: %g instead of %g", name, relative, got, want)
			}
		}
	}
}

// Many columns of spread one leave the nodes room: a plane in twenty columns is learned nearly as well as by
// least squares, whose error is 1.06 here. Ranges that are given are taken as they are.
func TestGentleNodes(t *testing.T) {
	draw := rand.New(rand.NewPCG(11, 1))
	made := func(n int) (x, y *mat.Dense) {
		x, y = mat.NewDense(n, 20, nil), mat.NewDense(n, 1, nil)
		for i := range n {
			sum := 0.0
			for j := range 20 {
				v := draw.NormFloat64()
				x.Set(i, j, v)
				sum += v * float64(j%4-1)
			}
			y.Set(i, 0, sum+draw.NormFloat64())
		}
		return x, y
	}
	x, y := made(200)
	fresh, want := made(300)
	for _, scaling := range []Scaling{ScaleStandard, ScaleRobust} {
		m, err := Ridge{Options{Scaling: scaling, Seed: 1}}.Fit(t.Context(), linalg.FromDense(x), y)
		if err != nil {
			t.Fatal(err)
		}
		p, _ := m.Predict(t.Context(), fresh)
		p.Sub(p, want)
		if off := math.Sqrt(meanSquareOf(p)); off > 1.25 {
			t.Errorf("scaling %s: new rows are off by %.3f where noise is 1", scaling, off)
		}
	}
	for name, o := range map[string]Options{
		"penalty given": {Scaling: ScaleStandard, Lambda: 1}, "as they are": {}, "range given": {Scaling: ScaleStandard, WeightRange: Range{-1, 1}, BiasRange: Range{0, 1}},
		"no penalty": {Scaling: ScaleStandard, Lambda: -1},
	} {
		if w, b := o.filled(200).ranges(20); w != (Range{-1, 1}) || b != (Range{0, 1}) {
			t.Errorf("%s: weights from %v, biases from %v", name, w, b)
		}
	}
}
