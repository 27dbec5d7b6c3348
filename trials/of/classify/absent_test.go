package classify_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/classify"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/kernel"
	"github.com/inlier-ml/inlier/linalg"
)

// A class without a row that counts changes nothing for the others. No row is short of its margin, and an equation without rows put its score to 0
// at all of them: the squared hinge and regmaxcem stalled where they had begun, up to 3 % above their least objective. So they did whenever the only row of a
// class was held out.
func TestAClassWithoutRowsStallsNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 8))
	const n = 90
	x, labels, weights := mat.NewDense(n, 3, nil), make([]int, n), make([]float64, n)
	for i := range labels {
		if weights[i] = 1; i >= 80 {
			labels[i], weights[i] = 2, 0
		} else {
			labels[i] = i % 2
		}
		for j := range 3 {
			x.Set(i, j, r.NormFloat64()+.8*float64(labels[i]))
		}
	}
	wide := mat.NewDense(n, 150, nil)
	for i := range n {
		for j := range 150 {
			wide.Set(i, j, r.NormFloat64()+.2*float64(labels[i]))
		}
	}
	for _, c := range []struct {
		x *mat.Dense
		k kernel.Kind
	}{{x, kernel.RBF}, {wide, kernel.Linear}, {x, kernel.Linear}} {
		o := classify.Options{Kernel: kernel.Kernel{Kind: c.k}, Lambda: .003, Clip: math.Inf(1), Weights: weights, Calibration: classify.NoCalibration}
		if c.k == kernel.RBF {
			o.Kernel.Gamma = .2
		}
		for name, fit := range map[string]func(*mat.Dense, []int, int, classify.Options) (*classify.Model, error){
			"hinge": func(x *mat.Dense, labels []int, k int, o classify.Options) (*classify.Model, error) {
				return classify.Hinge{Options: o, Power: 2}.Fit(t.Context(), linalg.FromDense(x), labels, k)
			},
			"regmaxcem": func(x *mat.Dense, labels []int, k int, o classify.Options) (*classify.Model, error) {
				return classify.RegMaxCEM{Options: o, Variant: classify.PerRow}.Fit(t.Context(), linalg.FromDense(x), labels, k)
			},
		} {
			m, err := fit(c.x, labels, 3, o)
			if err != nil {
				t.Fatal(err)
			}
			some := o
			some.Weights = nil
			_, d := c.x.Dims()
			two, err := fit(mat.DenseCopyOf(c.x.Slice(0, 80, 0, d)), labels[:80], 2, some)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := m.Objective(), two.Objective(); m.Status() != irls.Converged || math.Abs(got-want) > 1e-6*want {
				t.Errorf("%s %s: %v at %.8g, without the class %v at %.8g", name, c.k, m.Status(), got, two.Status(), want)
			}
		}
	}
}

// A bandwidth that is chosen by folds holds rows out of what is left when others are held out: of two rows that is none.
func TestBandwidthByFoldsOfTwoRows(t *testing.T) {
	x := mat.NewDense(4, 1, []float64{0, 1, 3, 4})
	for n := 2; n <= 4; n++ {
		for _, kind := range []kernel.Kind{kernel.Linear, kernel.RBF} {
			m, err := classify.RegMaxCEM{Rule: classify.SigmaByFolds, Options: classify.Options{Kernel: kernel.Kernel{Kind: kind}}}.Fit(t.Context(), linalg.FromDense(x.Slice(0, n, 0, 1).(*mat.Dense)), []int{0, 1, 1, 0}[:n], 2)
			if err != nil {
				t.Fatalf("%d rows, %s: %v", n, kind, err)
			}
			if v := m.Objective(); v-v != 0 {
				t.Errorf("%d rows, %s: objective %v", n, kind, v)
			}
		}
	}
}
