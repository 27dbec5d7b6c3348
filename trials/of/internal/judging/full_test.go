package judging

import (
	"math"
	"testing"

	"github.com/inlier-ml/inlier/internal/judging"
	"github.com/inlier-ml/inlier/loss"
)

// A row that is met to the last digit takes nothing from the others, also where the weight of
// such a row has no bound; elsewhere the largest weight counts as 1, however narrow the loss.
func TestFullWeight(t *testing.T) {
	squared := []float64{1e-30, 0.5, 0.8, 1, 1.2, 2, 400}
	for text, want := range map[string]float64{
		"l1": 1, "lp:p=0.5": 1, "lp:p=1.5": 1, "kmpe:p=1,sigma=3": 1, // the typical row's
		"welsch:sigma=1": math.Exp(-0.5), "welsch:sigma=0.2": math.Exp(-12.5),
	} {
		l := loss.MustParse(text)
		at := l.At(l.Rule().Value)
		if got := math.Exp(at.LogWeight(1) - judging.FullWeight(at, squared, nil)); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: a typical row weighs %g instead of %g", text, got, want)
		}
	}
	at := loss.MustParse("l1").At(0)
	if a, b := judging.FullWeight(at, []float64{1, 4, 9}, []float64{1, 2, 0}), judging.FullWeight(at, []float64{1, 4, 4}, nil); a != b {
		t.Errorf("weights that repeat rows: %g and %g", a, b)
	}
	if got := judging.FullWeight(at, []float64{0, 0, 1}, nil); got-got != 0 {
		t.Errorf("rows met exactly: %g", got)
	}
}
