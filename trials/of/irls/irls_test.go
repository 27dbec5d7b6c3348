package irls

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/loss"
)

// line is the smallest useful problem: the weighted mean of numbers, with a ridge penalty
// lambda*m^2 when lambda is set.
type line struct {
	y      []float64
	lambda float64
	solves int
	fail   error
}

func (l *line) Len() int { return len(l.y) }

func (l *line) Residuals(_ context.Context, at float64, s []float64) error {
	for i, v := range l.y {
		s[i] = (v - at) * (v - at)
	}
	return nil
}

func (l *line) Solve(_ context.Context, _ float64, w []float64) (float64, error) {
	l.solves++
	if l.fail != nil {
		return 0, l.fail
	}
	sum, total := 0.0, 0.0
	for i, v := range l.y {
		sum += w[i] * v
		total += w[i]
	}
	if l.lambda > 0 {
		total += l.lambda * float64(len(l.y))
	}
	return sum / total, nil
}

func (l *line) Penalty(at float64) float64 { return l.lambda * at * at }

func (l *line) Between(a, b, t float64) (float64, error) {
	return (1-t)*a + t*b, nil
}

func (l *line) Distance(a, b float64) float64 { return math.Abs(a - b) }

func sample(n int, seed uint64) []float64 {
	random := rand.New(rand.NewPCG(seed, 1))
	y := make([]float64, n)
	for i := range y {
		y[i] = 3 + random.NormFloat64()
		if i%5 == 0 {
			y[i] += 30 * random.Float64()
		}
	}
	return y
}

var texts = []string{
	"square", "welsch:sigma=1", "kmpe:p=1,sigma=1", "kmpe:p=2,sigma=0.5", "kmpe:p=4,sigma=2", "kmpe:p=10,sigma=3", "gcorr:alpha=1,beta=2", "gcorr:alpha=4,beta=3",
	"gkmpe:alpha=1.5,beta=2,p=1.5", "gm:p=0.4,delta=0.01", "lp:p=1.5", "l1", "huber:c=1", "cauchy:c=1", "tukey:c=4",
}

// At a fixed bandwidth the trace never rises, whatever the loss, and where the loss is
// concave no step had to be shortened.
func TestObjectiveNeverRises(t *testing.T) {
	for _, text := range texts {
		for seed := uint64(1); seed <= 5; seed++ {
			spec := loss.MustParse(text)
			for _, start := range []float64{0, 3, 20} {
				res, err := irls.Run(context.Background(), &line{y: sample(80, seed)}, start, irls.Settings{Loss: spec, Tol: 1e-12, MaxSteps: 300})
				if err != nil {
					t.Fatal(err)
				}
				for k := 1; k < len(res.Steps); k++ {
					a, b := res.Steps[k-1], res.Steps[k]
					if b.Objective > a.Objective+1e-10*math.Abs(a.Objective) {
						t.Errorf("%s from %g, step %d: objective rose from %v to %v", text, start, k, a.Objective, b.Objective)
					}
					if spec.Concave() && b.Damping != 1 {
						t.Errorf("%s from %g, step %d: a concave loss needed damping %g", text, start, k, b.Damping)
					}
				}
			}
		}
	}
}

// A penalty beside the loss: the ridge mean has a closed form for the square loss.
func TestPenalty(t *testing.T) {
	y := sample(50, 2)
	sum := 0.0
	for _, v := range y {
		sum += v
	}
	const lambda = 0.3
	res, err := irls.Run(context.Background(), &line{y: y, lambda: lambda}, 0, irls.Settings{Absolute: true})
	if err != nil {
		t.Fatal(err)
	}
	if want := sum / (50 * (1 + lambda)); math.Abs(res.State-want) > 1e-12 {
		t.Errorf("ridge mean %v, want %v", res.State, want)
	}
}

// An open bandwidth settles, the last stage has one bandwidth, and the objective falls in
// every stage.
func TestSettle(t *testing.T) {
	for _, set := range []irls.Settings{{}, {Graduate: 16}, {Rescale: irls.Once}, {Rescale: irls.EveryStep}} {
		set.Loss, set.Kappa = loss.MustParse("welsch"), loss.KappaScalar
		res, err := irls.Run(context.Background(), &line{y: sample(200, 4)}, 4, set)
		if err != nil {
			t.Fatal(err)
		}
		if res.Status != irls.Converged {
			t.Errorf("%+v ended %v", set.Rescale, res.Status)
		}
		if math.Abs(res.State-3) > 0.3 {
			t.Errorf("%+v found %v, want about 3", set.Rescale, res.State)
		}
		scale := map[int]float64{}
		for k, s := range res.Steps[1:] {
			if v, seen := scale[s.Stage]; seen && v != s.Scale {
				t.Errorf("stage %d has bandwidths %v and %v", s.Stage, v, s.Scale)
			}
			scale[s.Stage] = s.Scale
			if before := res.Steps[k]; before.Stage == s.Stage && s.Number > 1 && s.Objective > before.Objective*(1+1e-10) {
				t.Errorf("stage %d: objective rose from %v to %v", s.Stage, before.Objective, s.Objective)
			}
		}
		if set.Graduate > 1 && res.Steps[0].Scale < 4*res.Steps[len(res.Steps)-1].Scale {
			t.Errorf("graduated run starts at bandwidth %v and ends at %v", res.Steps[0].Scale, res.Steps[len(res.Steps)-1].Scale)
		}
	}
}

// An integer prior weight acts like repeating the row.
func TestPriorIsRepetition(t *testing.T) {
	y := sample(40, 5)
	prior := make([]float64, len(y))
	var repeated []float64
	for i, v := range y {
		prior[i] = float64(i % 4)
		for k := 0; k < i%4; k++ {
			repeated = append(repeated, v)
		}
	}
	for _, text := range []string{"welsch", "kmpe:p=4,sigma=silverman", "huber:c=1", "gm:p=0.5,delta=0.01"} {
		set := irls.Settings{Loss: loss.MustParse(text), Tol: 1e-14, MaxSteps: 2000}
		b, err := irls.Run(context.Background(), &line{y: repeated}, 5, set)
		if err != nil {
			t.Fatal(err)
		}
		set.Prior = prior
		a, err := irls.Run(context.Background(), &line{y: y}, 5, set)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(a.State-b.State) > 1e-7 || math.Abs(a.Objective()-b.Objective()) > 1e-9 {
			t.Errorf("%s: %v with weights, %v with repeated rows", text, a.State, b.State)
		}
	}
}

func TestPerfectFit(t *testing.T) {
	res, err := irls.Run(context.Background(), &line{y: []float64{2, 2, 2}}, 0, irls.Settings{Loss: loss.MustParse("welsch"), Zero: 1e-20})
	if err != nil || res.Status != irls.PerfectFit || res.State != 2 {
		t.Errorf("got %v, %v, %v", res.State, res.Status, err)
	}
}

// Most rows agree exactly: the outlier must not matter and nothing may become NaN.
func TestMajorityAgreesExactly(t *testing.T) {
	for _, text := range []string{"welsch", "kmpe:p=1,sigma=auto", "tukey", "cauchy", "huber"} {
		res, err := irls.Run(context.Background(), &line{y: []float64{2, 2, 2, 2, 100}}, 2, irls.Settings{Loss: loss.MustParse(text)})
		if err != nil || !(math.Abs(res.State-2) < 1e-3) {
			t.Errorf("%s: %v, %v, %v", text, res.State, res.Status, err)
		}
	}
}

func TestCancelKeepsTheBest(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	set := irls.Settings{Loss: loss.MustParse("l1"), Tol: 1e-300, OnStep: func(s irls.Step) {
		if s.Number == 3 {
			cancel()
		}
	}}
	res, err := irls.Run(ctx, &line{y: sample(50, 6)}, 0, set)
	if err != nil || res.Status != irls.Cancelled || len(res.Steps) != 4 || len(res.Weights) != 50 {
		t.Errorf("got %v after %d steps, error %v", res.Status, len(res.Steps), err)
	}
}

func TestStepLimitAndErrors(t *testing.T) {
	p := &line{y: sample(50, 6)}
	res, err := irls.Run(context.Background(), p, 0, irls.Settings{Loss: loss.MustParse("l1"), Tol: 1e-300, MaxSteps: 3})
	if err != nil || res.Status != irls.StepLimit || p.solves != 3 {
		t.Errorf("got %v after %d solves, error %v", res.Status, p.solves, err)
	}
	broken := errors.New("broken")
	if _, err := irls.Run(context.Background(), &line{y: []float64{1, 2}, fail: broken}, 0, irls.Settings{}); !errors.Is(err, broken) {
		t.Errorf("error of the problem is lost: %v", err)
	}
	if _, err := irls.Run(context.Background(), &line{}, 0, irls.Settings{}); err == nil {
		t.Error("no observations: no error")
	}
	if _, err := irls.Run(context.Background(), &line{y: []float64{1}}, 0, irls.Settings{Prior: []float64{1, 2}}); err == nil {
		t.Error("wrong number of prior weights: no error")
	}
	if _, err := irls.Best(context.Background(), &line{y: []float64{1}}, nil, irls.Settings{}); err == nil {
		t.Error("no starts: no error")
	}
}

// Two groups: the larger one is the better optimum, wherever the runs start.
func TestBestOfSeveralStarts(t *testing.T) {
	y := []float64{0, 0.1, -0.1, 0.2, -0.2, 10, 10.1, 9.9}
	res, err := irls.Best(context.Background(), &line{y: y}, []float64{10, 0, 5}, irls.Settings{Loss: loss.MustParse("welsch:sigma=1")})
	if err != nil || math.Abs(res.State) > 0.1 {
		t.Errorf("best of three starts is %v, %v", res.State, err)
	}
}

// The printed iteration of p > 2 overshoots; step control is what makes it end.
func TestPlainMayRiseControlMayNot(t *testing.T) {
	rises := func(plain bool) (n int) {
		for seed := uint64(1); seed <= 20; seed++ {
			res, err := irls.Run(context.Background(), &line{y: sample(60, seed)}, 3, irls.Settings{Loss: loss.MustParse("kmpe:p=10,sigma=1"), Plain: plain, MaxSteps: 50})
			if err != nil {
				t.Fatal(err)
			}
			for k := 1; k < len(res.Steps); k++ {
				if res.Steps[k].Objective > res.Steps[k-1].Objective*(1+1e-9) {
					n++
				}
			}
		}
		return n
	}
	if n := rises(false); n > 0 {
		t.Errorf("step control let the objective rise %d times", n)
	}
	if n := rises(true); n == 0 {
		t.Error("the plain iteration never rose: the test shows nothing")
	}
}

// uphill proposes states that are worse than the present one, whatever their weights.
type uphill struct{ line }

func (u *uphill) Solve(_ context.Context, from float64, _ []float64) (float64, error) {
	return from + 100, nil
}

// A step that cannot be shortened far enough ends the run, also when the bandwidth is
// computed in every step.
func TestStalledRunEnds(t *testing.T) {
	for _, rescale := range []irls.Rescale{irls.Settle, irls.Once, irls.EveryStep} {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		res, err := irls.Run(ctx, &uphill{line{y: sample(50, 4)}}, 3, irls.Settings{Loss: loss.MustParse("welsch"), Kappa: loss.KappaScalar, Rescale: rescale})
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		if res.Status != irls.Stalled {
			t.Errorf("%v: %v after %d steps", rescale, res.Status, len(res.Steps)-1)
		}
	}
}
