package elm

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

type fitter interface {
	Fit(ctx context.Context, src linalg.Source, t *mat.Dense) (*Model, error)
}

// bends makes n rows of d inputs and a target with two bends, noise of 0.05 and a few far off.
func bends(n, d int, seed uint64) (x, y *mat.Dense) {
	r := rand.New(rand.NewPCG(seed, 5))
	x, y = mat.NewDense(n, d, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, r.NormFloat64())
		}
		y.Set(i, 0, math.Sin(x.At(i, 0))+0.5*x.At(i, 1)+0.05*r.NormFloat64())
		if i%17 == 3 {
			y.Set(i, 0, y.At(i, 0)+9)
		}
	}
	return x, y
}

// A shift of the targets shifts what default machines say, and nothing else.
func TestShiftOfTargets(t *testing.T) {
	x, y := bends(90, 2, 1)
	for name, f := range map[string]fitter{
		"elm": Plain{Options{Hidden: 20, Scaling: ScaleRobust}}, "relm": Ridge{Options{Hidden: 20}}, "elm-rcc": RCC{Options: Options{Hidden: 20}},
		"l1": Robust{Options: Options{Hidden: 20}, Loss: loss.MustParse("l1")},
	} {
		base, err := f.Fit(t.Context(), linalg.FromDense(x), y)
		if err != nil {
			t.Fatal(name, err)
		}
		want, _ := base.Predict(t.Context(), x)
		for _, shift := range []float64{3, -1e6, 1e8} {
			moved := mat.DenseCopyOf(y)
			moved.Apply(func(_, _ int, v float64) float64 { return v + shift }, moved)
			m, err := f.Fit(t.Context(), linalg.FromDense(x), moved)
			if err != nil {
				t.Fatal(name, err)
			}
			got, _ := m.Predict(t.Context(), x)
			for i := range 90 {
				if d := math.Abs(got.At(i, 0) - shift - want.At(i, 0)); d > 1e-3 {
					t.Errorf("%s, targets plus %g: row %d is %g off", name, shift, i, d)
					break
				}
			}
			if math.Abs(m.scale[0]/base.scale[0]-1) > 0.01 {
				t.Errorf("%s, targets plus %g: scale %g instead of %g", name, shift, m.scale[0], base.scale[0])
			}
		}
	}
}

// However small a bandwidth that is given: numbers come out, and weights that are all 0 are
// never called a fit that converged.
func TestSmallBandwidths(t *testing.T) {
	x, y := bends(30, 2, 4)
	for _, text := range []string{"welsch", "tukey", "cauchy", "kmpe:p=4", "kmpe:p=1.5", "huber"} {
		for _, sigma := range []float64{1e-2, 1e-12, 1e-130} {
			for _, lambda := range []float64{0, 1e-4} {
				for _, start := range []Start{StartRidge, StartZero} {
					spec := loss.MustParse(text).WithRule(loss.FixedAt(sigma))
					m, err := Robust{Options: Options{Hidden: 8, Lambda: lambda, Start: start}, Loss: spec}.Fit(t.Context(), linalg.FromDense(x), y)
					if err != nil {
						t.Errorf("%s, sigma %g, lambda %g, start %s: %v", text, sigma, lambda, start, err)
						continue
					}
					out, _ := m.Predict(t.Context(), x)
					sum := 0.0
					for _, w := range m.Weights() {
						sum += w
					}
					if v := mat.Norm(out, 2); v-v != 0 || sum-sum != 0 || m.lambda-m.lambda != 0 {
						t.Errorf("%s, sigma %g, lambda %g, start %s: outputs of size %g, weights %g, penalty %g", text, sigma, lambda, start, v, sum, m.lambda)
					}
					if sum == 0 && (m.Status() == irls.Converged || len(m.Warnings()) == 0) {
						t.Errorf("%s, sigma %g, lambda %g, start %s: %s with weights that are all 0 (%v)", text, sigma, lambda, start, m.Status(), m.Warnings())
					}
				}
			}
		}
	}
}
