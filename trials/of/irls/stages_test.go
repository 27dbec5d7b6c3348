package irls

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/loss"
)

func mustRun(t *testing.T, p irls.Problem[float64], start float64, set irls.Settings) irls.Result[float64] {
	t.Helper()
	res, err := irls.Run(context.Background(), p, start, set)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// A bandwidth of the caller's own settles like a rule: at the end it is what the caller says
// of the residuals found.
func TestOwnBandwidthSettles(t *testing.T) {
	y := sample(80, 1)
	rule := func(s []float64) float64 { return 3 * math.Sqrt(univariate.MedianOf(s)) }
	for _, rescale := range []irls.Rescale{irls.Settle, irls.EveryStep} {
		set := irls.Settings{Loss: loss.MustParse("cauchy"), Bandwidth: rule, Rescale: rescale, Stage: irls.Stage{Steps: 2, Settle: 1e-9}, Tol: 1e-12, MaxSteps: 500}
		res := mustRun(t, &line{y: y}, 0, set)
		if want := rule(res.Squared); res.Status != irls.Converged || math.Abs(res.Loss.Scale()-want) > 1e-8*want {
			t.Errorf("%v: %v at bandwidth %g, the residuals say %g", rescale, res.Status, res.Loss.Scale(), want)
		}
	}
	set := irls.Settings{Loss: loss.MustParse("cauchy"), Bandwidth: rule, Rescale: irls.Once}
	s := make([]float64, len(y))
	if err := (&line{y: y}).Residuals(context.Background(), 1, s); err != nil {
		t.Fatal(err)
	}
	if res := mustRun(t, &line{y: y}, 1, set); res.Loss.Scale() != rule(s) {
		t.Errorf("once: bandwidth %g, not %g", res.Loss.Scale(), rule(s))
	}
}

// A path of losses is the same as runs one after another, and the last step that is
// allowed belongs to the last loss.
func TestPathOfLosses(t *testing.T) {
	path := []loss.Spec{loss.MustParse("gm:p=0.4,delta=10"), loss.MustParse("gm:p=0.4,delta=1"), loss.MustParse("gm:p=0.4,delta=0.1")}
	set := irls.Settings{Path: func([]float64) []loss.Spec { return path }, Tol: 1e-12, MaxSteps: 200}
	p := &line{y: sample(60, 2)}
	at := 10.0
	for k, spec := range path {
		most := 1
		if k == len(path)-1 {
			most = 198
		}
		at = mustRun(t, p, at, irls.Settings{Loss: spec, Tol: 1e-12, MaxSteps: most}).State
	}
	res := mustRun(t, p, 10, set)
	if res.State != at || res.Loss.String() != path[2].String() || res.Steps[1].Stage != 0 || res.Steps[2].Stage != 1 || res.Steps[len(res.Steps)-1].Stage != 2 {
		t.Errorf("path ends at %v with %v, runs one after another at %v", res.State, res.Loss, at)
	}
	for most := 1; most <= 4; most++ {
		set.MaxSteps = most
		res := mustRun(t, p, 10, set)
		if len(res.Steps)-1 != most || res.Loss.String() != path[2].String() {
			t.Errorf("%d steps allowed: %d made, the last with %v", most, len(res.Steps)-1, res.Loss)
		}
		wide := mustRun(t, p, 10, irls.Settings{Loss: loss.MustParse("welsch:sigma=1"), Graduate: 8, Stage: irls.Stage{Steps: 3}, MaxSteps: most})
		if len(wide.Steps)-1 != most || wide.Loss.Scale() != 1 {
			t.Errorf("%d steps allowed: %d made, the last with %v", most, len(wide.Steps)-1, wide.Loss)
		}
	}
	// a perfect fit on the way ends with the last loss too
	if res := mustRun(t, &line{y: []float64{2, 2, 2}}, 2, set); res.Status != irls.PerfectFit || res.Loss.String() != path[2].String() {
		t.Errorf("perfect fit: %v with %v", res.Status, res.Loss)
	}
}

// The objective is mean loss plus slope times penalty: at its minimum the derivative of
// both together is 0, whatever the slope of the loss.
func TestPenaltyMeansTheSameForEveryLoss(t *testing.T) {
	for _, text := range []string{"square", "welsch:sigma=3", "kmpe:p=1.5,sigma=2", "cauchy:c=1", "kmpe:p=4,sigma=5"} {
		p := &line{y: sample(50, 4), lambda: 0.3}
		res := mustRun(t, p, 3, irls.Settings{Loss: loss.MustParse(text), Absolute: true, Damped: true, Polish: true, Tol: 1e-13, MaxSteps: 2000})
		var pull float64
		for i, v := range p.y {
			pull += -2 * res.Loss.Slope() * res.Loss.Weight(res.Squared[i]) * (v - res.State) / float64(len(p.y))
		}
		if pull += 2 * res.Loss.Slope() * p.lambda * res.State; math.Abs(pull) > 1e-9*res.Loss.Slope() {
			t.Errorf("%s: derivative %g at %v (%v)", text, pull, res.State, res.Status)
		}
	}
}

// Polishing brings the digits that a flat objective hides.
func TestPolish(t *testing.T) {
	p := &line{y: sample(300, 6)}
	set := irls.Settings{Loss: loss.MustParse("cauchy:c=1"), Absolute: true, Tol: 1e-10, MaxSteps: 500}
	exact := mustRun(t, p, 0, irls.Settings{Loss: set.Loss, Absolute: true, Plain: true, Tol: 1e-16, MaxSteps: 5000}).State
	rough := mustRun(t, p, 0, set)
	set.Polish = true
	fine := mustRun(t, p, 0, set)
	if a, b := math.Abs(rough.State-exact), math.Abs(fine.State-exact); !(b < 1e-9 && b < a) || fine.Status != irls.Converged {
		t.Errorf("off by %g, polished by %g (%v)", a, b, fine.Status)
	}
}

// A bandwidth at which no observation has a weight is widened where that is wanted.
func TestVisible(t *testing.T) {
	set := irls.Settings{Loss: loss.MustParse("welsch:sigma=1e-3"), Absolute: true, Visible: true}
	res := mustRun(t, &line{y: []float64{10, 11, 12}, lambda: 0.1}, 0, set)
	if !(res.Loss.Scale() > 1 && res.Loss.Scale() < 100) || res.State < 1 {
		t.Errorf("bandwidth %g, state %g", res.Loss.Scale(), res.State)
	}
	set.Visible = false
	if res := mustRun(t, &line{y: []float64{10, 11, 12}, lambda: 0.1}, 0, set); res.Loss.Scale() != 1e-3 {
		t.Errorf("bandwidth %g", res.Loss.Scale())
	}
}

// Every stage is announced with its loss before its first step.
func TestStagesAreAnnounced(t *testing.T) {
	var seen []float64
	set := irls.Settings{
		Loss: loss.MustParse("welsch:sigma=1"), Graduate: 4,
		OnStage: func(l loss.Scaled) { seen = append(seen, l.Scale()) },
		OnStep: func(s irls.Step) {
			if s.Scale != seen[len(seen)-1] {
				t.Errorf("step %d has bandwidth %g, announced was %g", s.Number, s.Scale, seen[len(seen)-1])
			}
		},
	}
	mustRun(t, &line{y: sample(30, 1)}, 0, set)
	if len(seen) != 3 || seen[0] != 4 || seen[2] != 1 {
		t.Errorf("stages %v", seen)
	}
}

// The later a context ends, the better the outcome, through every kind of stage: an error
// until the start is whole, then a cancelled state whose objective is no worse than that of
// the start, then the end.
func TestCancelInEveryStage(t *testing.T) {
	for name, set := range map[string]irls.Settings{
		"settle": {Loss: loss.MustParse("welsch")}, "graduate": {Loss: loss.MustParse("welsch"), Graduate: 8, Stage: irls.Stage{Steps: 3}},
		"polish": {Loss: loss.MustParse("cauchy:c=1"), Polish: true, Absolute: true, Tol: 1e-10},
		"path": {Path: func([]float64) []loss.Spec {
			return []loss.Spec{loss.MustParse("gm:p=0.4,delta=9"), loss.MustParse("gm:p=0.4,delta=1")}
		}},
		"whole":  {Loss: loss.MustParse("welsch"), Whole: true},
		"retune": {Loss: loss.MustParse("welsch"), Absolute: true, Retune: func(ctx context.Context, _ loss.Scaled, _ []float64) (bool, error) { return false, ctx.Err() }},
	} {
		set.MaxSteps = 30
		phase := 0
		for k := 0; phase < 2; k++ {
			res, err := irls.Run(&after{context.Background(), k}, &looking{line{y: sample(40, 3)}}, 0, set)
			switch {
			case err != nil:
				if phase > 0 || !errors.Is(err, context.Canceled) || set.Whole {
					t.Fatalf("%s: look %d: %v", name, k, err)
				}
			case res.Status == irls.Cancelled:
				phase = max(phase, 1)
				if res.Loss == nil || len(res.Steps) == 0 || len(res.Squared) != 40 || res.Squared[0] != (sample(40, 3)[0]-res.State)*(sample(40, 3)[0]-res.State) {
					t.Fatalf("%s: look %d: no whole state", name, k)
				}
			default:
				if phase == 0 {
					t.Fatalf("%s: look %d: finished without ever being cancelled", name, k)
				}
				phase = 2
			}
			if k > 10000 {
				t.Fatalf("%s: never ends", name)
			}
		}
	}
}
