package jobs

import (
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset"
)

// Where a model finds another number of outliers among few training rows than its fit did, the fit says so, and only there.
func TestFitTellsWhenJudgingAgainDiffers(t *testing.T) {
	told := 0
	for seed := range uint64(12) {
		g := rand.New(rand.NewPCG(seed, 1))
		x := mat.NewDense(12, 4, nil)
		x.Apply(func(i, _ int, _ float64) float64 { return g.NormFloat64() * float64(1+i/10*3) }, x)
		data := inlier.Data{Set: &dataset.Set{X: x}}
		fit, err := inlier.Fit{Method: "pca-robust", Parameters: map[string]string{"components": "2"}, Data: data}.Run(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		again, err := inlier.Judge{Model: fit.Fitted(), Data: data}.Run(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		says := strings.Contains(strings.Join(fit.Warnings, "\n"), "judged again by this model")
		if differs := again.Outliers != fit.Outliers; says != differs {
			t.Errorf("seed %d: %d outliers, judged again %d, told: %v", seed, fit.Outliers, again.Outliers, says)
		}
		if says {
			told++
		}
	}
	if told == 0 {
		t.Error("no table differs; the test needs one")
	}
}
