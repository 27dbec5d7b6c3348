package irls

import (
	"context"
	"math"
	"testing"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/loss"
)

// Numbers in another unit give the same result in that unit, for every loss whose
// parameters are left to it.
func TestResultsDoNotDependOnTheUnit(t *testing.T) {
	y := sample(60, 2)
	var texts []string
	for _, info := range loss.Losses() {
		texts = append(texts, info.Name)
	}
	texts = append(texts, "lp:p=0.8", "lp:p=3", "kmpe:p=4,sigma=silverman", "kmpe:p=1", "gcorr:alpha=1", "gm:p=0.3")
	for _, text := range texts {
		run := func(unit float64) irls.Result[float64] {
			scaled := make([]float64, len(y))
			for i, v := range y {
				scaled[i] = unit * v
			}
			res, err := irls.Run(context.Background(), &relative{line{y: scaled}}, 2*unit, irls.Settings{Loss: loss.MustParse(text), MaxSteps: 300})
			if err != nil {
				t.Fatal(err)
			}
			return res
		}
		want := run(1)
		for _, unit := range []float64{1e-12, 1e-9, 1e-3, 1e5, 1e12} {
			got := run(unit)
			if d := math.Abs(got.State/unit - want.State); !(d <= 1e-6) {
				t.Errorf("%s: %v in units of 1, %v in units of %g", text, want.State, got.State/unit, unit)
			}
		}
		if back, err := loss.Parse(want.Loss.String()); err != nil || back.At(want.Loss.Scale()).Rho(0.3) != want.Loss.Rho(0.3) {
			t.Errorf("%s: the fitted loss %q does not read back: %v", text, want.Loss, err)
		}
	}
}

// relative measures distances in units of the state.
type relative struct{ line }

func (l *relative) Distance(a, b float64) float64 { return math.Abs(a-b) / math.Abs(a) }
