package classify_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/classify"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
)

// A support vector machine with next to no penalty may end where rounding lets no step help, long before its limit of steps: more of them would
// not bring it further, and it says so, with the bound that it has.
func TestHingeTellsRoundingFromALimitOfSteps(t *testing.T) {
	ended := 0
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 4))
		x, labels := mat.NewDense(75, 145, nil), make([]int, 75)
		for i := range labels {
			labels[i] = r.IntN(3)
			for j := range 145 {
				x.Set(i, j, r.NormFloat64()+.7*float64((labels[i]*(j+1))%3))
			}
			if i > 0 && r.IntN(6) == 0 {
				x.SetRow(i, x.RawRowView(i-1))
			}
		}
		m, err := classify.Hinge{Power: 1, Options: classify.Options{Lambda: 2e-7, Clip: math.Inf(1), Scaling: classify.ScaleNone, Calibration: classify.NoCalibration}}.Fit(t.Context(), linalg.FromDense(x), labels, 3)
		if err != nil {
			t.Fatal(err)
		}
		if m.Status() == irls.Converged || len(m.Steps()) > 100 {
			continue
		}
		ended++
		if said := strings.Join(m.Warnings(), " "); m.Status() != irls.Stalled || !strings.Contains(said, "rounding") || !strings.Contains(said, "% above") {
			t.Errorf("draw %d: %v after %d steps: %q", seed, m.Status(), len(m.Steps())-1, said)
		}
	}
	if ended == 0 {
		t.Error("none of 20 machines ended before its limit: the case is not met")
	}
}
