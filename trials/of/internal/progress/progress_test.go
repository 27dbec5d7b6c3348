package progress

import (
	"math"
	"testing"

	"github.com/inlier-ml/inlier/internal/progress"
	"github.com/inlier-ml/inlier/irls"
)

func TestMeterIsStraightForLinearConvergence(t *testing.T) {
	m := progress.NewMeter(1000, 1e-6)
	m.Step(irls.Step{Number: 0})
	// The change falls from 1 to 1e-6 by a factor of 10 in each of six steps.
	for k := 0; k <= 6; k++ {
		got := m.Step(irls.Step{Number: k + 1, Change: math.Pow(10, -float64(k))})
		if want := float64(k) / 6; math.Abs(got-want) > 1e-2 {
			t.Errorf("after a change of 1e-%d the meter says %.3f, want %.3f", k, got, want)
		}
	}
}

func TestMeterNeverFallsAndStaysInRange(t *testing.T) {
	m := progress.NewMeter(0, 0)
	last := 0.0
	for k, change := range []float64{0, 1e-3, 5, math.NaN(), 1e-9, 10, math.Inf(1), 0, 1e-300} {
		got := m.Step(irls.Step{Number: k, Change: change})
		if !(got >= last && got <= 1) {
			t.Errorf("step %d: %g after %g", k, got, last)
		}
		last = got
	}
}

func TestMeterReachesTheStepLimit(t *testing.T) {
	m := progress.NewMeter(4, 1e-12)
	for k := 1; k <= 4; k++ {
		if got, want := m.Step(irls.Step{Number: k, Change: 1}), float64(k)/4; got != want {
			t.Errorf("after %d of 4 steps the meter says %g", k, got)
		}
	}
}
