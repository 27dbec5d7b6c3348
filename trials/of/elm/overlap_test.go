package elm_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/verdict"
)

// Loans that fail by chance, by a law of debt over income and of late payments: the classes overlap, many labels are far on the other side, and none is wrong.
func TestChanceIsNoWrongLabel(t *testing.T) {
	const n, draws = 700, 8
	doubted := 0
	for seed := range uint64(draws) {
		r := rand.New(rand.NewPCG(seed, 21))
		x, labels := mat.NewDense(n, 4, nil), make([]int, n)
		for i := range n {
			income, debt := math.Exp(8+r.NormFloat64()/2), math.Exp(7+0.8*r.NormFloat64())
			age, late := 18+57*r.Float64(), 0.0
			for p := r.Float64(); p > math.Exp(-0.7); p *= r.Float64() {
				late++
			}
			x.SetRow(i, []float64{math.Round(income), math.Round(debt), math.Floor(age), late})
			if odds := -0.8 + 1.2*math.Log(debt/income) + 0.9*late - 0.02*(age-40); r.Float64() < 1/(1+math.Exp(-odds)) {
				labels[i] = 1
			}
		}
		for _, fit := range []func(elm.Options) (*elm.Model, error){
			func(o elm.Options) (*elm.Model, error) {
				return elm.Ridge{Options: o}.Fit(t.Context(), linalg.FromDense(x), elm.OneVsAll(labels, 2))
			},
			func(o elm.Options) (*elm.Model, error) {
				return elm.Robust{Options: o}.Fit(t.Context(), linalg.FromDense(x), elm.OneVsAll(labels, 2))
			},
		} {
			m, err := fit(elm.Options{Labels: true, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			count := m.Training().CountKind(verdict.DoubtfulLabel)
			t.Logf("draw %d: %d of %d", seed, count, n)
			doubted += count
		}
	}
	if doubted > 2*draws*n/25 {
		t.Errorf("%d of %d right labels are doubted", doubted, 2*draws*n)
	}
}
