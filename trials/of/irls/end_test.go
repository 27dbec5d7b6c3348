package irls

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/loss"
)

// after is a context that ends at its k-th look.
type after struct {
	context.Context
	left int
}

func (c *after) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// looking is a line whose residuals and steps look at the context.
type looking struct{ line }

func (l *looking) Residuals(ctx context.Context, at float64, s []float64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return l.line.Residuals(ctx, at, s)
}

func (l *looking) Solve(ctx context.Context, from float64, w []float64) (float64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	return l.line.Solve(ctx, from, w)
}

// The later the context ends, the better the outcome: an error until the first residuals,
// then cancelled whole results, then the finished one.
func TestCancelledAtEveryLook(t *testing.T) {
	set := irls.Settings{Loss: loss.MustParse("welsch"), Kappa: 3}
	runs := map[string]func(ctx context.Context) (irls.Result[float64], error){
		"Run": func(ctx context.Context) (irls.Result[float64], error) {
			return irls.Run(ctx, &looking{line{y: sample(50, 6)}}, 0, set)
		},
		"Best": func(ctx context.Context) (irls.Result[float64], error) {
			return irls.Best(ctx, &looking{line{y: sample(50, 6)}}, []float64{0, 9, 3}, set)
		},
	}
	for name, run := range runs {
		stage := 0 // 0: errors, 1: cancelled, 2: finished
		seen := [3]int{}
		for k := 0; stage < 2; k++ {
			res, err := run(&after{context.Background(), k})
			now := 0
			switch {
			case err != nil && !errors.Is(err, context.Canceled):
				t.Fatalf("%s, look %d: %v", name, k, err)
			case err == nil && res.Status == irls.Cancelled:
				now = 1
			case err == nil:
				now = 2
			}
			if now < stage {
				t.Fatalf("%s, look %d: outcome %d after %d", name, k, now, stage)
			}
			if stage = now; stage > 0 && (len(res.Weights) != 50 || res.Loss == nil || len(res.Steps) == 0 || math.IsNaN(res.Objective())) {
				t.Fatalf("%s, look %d: the result is not whole: %+v", name, k, res)
			}
			seen[stage]++
		}
		if seen[0] == 0 || seen[1] == 0 {
			t.Errorf("%s: %d errors and %d cancelled results: the test shows nothing", name, seen[0], seen[1])
		}
	}
}

func TestZeroStatusIsUnfinished(t *testing.T) {
	if text := (irls.Result[float64]{}).Status.String(); text != "unfinished" {
		t.Errorf("the zero status reads %q", text)
	}
	for s := irls.Unfinished; s <= irls.Cancelled; s++ {
		if got, err := irls.ParseStatus(s.String()); err != nil || got != s {
			t.Errorf("%v reads back as %v, %v", s, got, err)
		}
	}
	if got, err := irls.ParseStatus(""); err != nil || got != irls.Unfinished {
		t.Errorf("no text reads as %v, %v", got, err)
	}
	if _, err := irls.ParseStatus("done"); err == nil {
		t.Error("an unknown status is accepted")
	}
}

func TestPriorsAreChecked(t *testing.T) {
	for _, prior := range [][]float64{{1, -1, 1}, {1, math.NaN(), 1}, {1, math.Inf(1), 1}, {0, 0, 0}} {
		if res, err := irls.Run(context.Background(), &line{y: []float64{1, 2, 4}}, 0, irls.Settings{Prior: prior}); err == nil {
			t.Errorf("prior %v is accepted: %v", prior, res.State)
		}
	}
}

// Nothing that is no number makes a run go on for ever.
func TestNoNumberNeverSpins(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	problems := map[string][]float64{"good": sample(30, 1), "nan": {1, nan, 2, 3}, "all nan": {nan, nan}, "inf": {1, 2, inf, 3}, "huge": {1, 2, 3, 1e300, -1e300}}
	for name, y := range problems {
		for _, text := range []string{"welsch", "tukey", "kmpe:p=4,sigma=silverman", "l1", "square", "huber"} {
			for _, graduate := range []float64{0, 8, nan, inf} {
				for _, rescale := range []irls.Rescale{irls.Settle, irls.Once, irls.EveryStep} {
					for _, kappa := range []float64{1, 1e300, inf} {
						for _, start := range []float64{3, nan, inf, 1e300} {
							ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
							done := make(chan struct{})
							go func() {
								defer close(done)
								res, err := irls.Run(ctx, &line{y: y}, start, irls.Settings{Loss: loss.MustParse(text), Graduate: graduate, Rescale: rescale, Kappa: kappa, MaxSteps: 20})
								if err == nil && res.Status == irls.Unfinished {
									t.Errorf("%s, %s: ended without a status", name, text)
								}
							}()
							select {
							case <-done:
							case <-ctx.Done():
								t.Fatalf("%s, %s, graduate %v, %v, kappa %v, start %v: does not end", name, text, graduate, rescale, kappa, start)
							}
							cancel()
						}
					}
				}
			}
		}
	}
}

// A row of prior weight 0 is absent: whatever its residual, nothing changes.
func TestPriorZeroIsAbsent(t *testing.T) {
	y := sample(40, 5)
	for _, text := range []string{"welsch", "tukey", "kmpe:p=4,sigma=auto", "lp:p=3", "l1", "square"} {
		set := irls.Settings{Loss: loss.MustParse(text)}
		want, err := irls.Run(context.Background(), &line{y: y}, 3, set)
		if err != nil {
			t.Fatal(err)
		}
		prior := slices.Repeat([]float64{1}, 41)
		prior[40] = 0
		for _, absent := range []float64{1e300, math.Inf(1), math.NaN()} {
			set.Prior = prior
			got, err := irls.Run(context.Background(), &skipping{line{y: append(slices.Clone(y), absent)}}, 3, set)
			if err != nil || got.State != want.State || got.Objective() != want.Objective() || got.Weights[40] != 0 {
				t.Errorf("%s: with an absent row at %v %v (objective %v, %v), without %v (%v)", text, absent, got.State, got.Objective(), err, want.State, want.Objective())
			}
		}
	}
}

// skipping leaves rows without weight out of its mean.
type skipping struct{ line }

func (l *skipping) Solve(_ context.Context, _ float64, w []float64) (float64, error) {
	sum, total := 0.0, 0.0
	for i, v := range l.y {
		if w[i] > 0 {
			sum += w[i] * v
			total += w[i]
		}
	}
	return sum / total, nil
}
