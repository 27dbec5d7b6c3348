package irls

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/inlier-ml/inlier/loss"
)

func mustRun(t *testing.T, p Problem[float64], start float64, set Settings) Result[float64] {
	t.Helper()
	res, err := Run(context.Background(), p, start, set)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// A penalty that is chosen from the weights settles together with them.
func TestRetunedPenalty(t *testing.T) {
	p := &line{y: sample(50, 4), lambda: 1}
	rounds := 0
	set := Settings{Loss: loss.MustParse("welsch"), Absolute: true, Tol: 1e-12}
	set.Retune = func(_ context.Context, l loss.Scaled, squared []float64) (bool, error) {
		rounds++
		before := p.lambda
		p.lambda = loss.EffectiveSampleSize(loss.Weights(nil, squared, l)) / 100
		return math.Abs(p.lambda-before) < 1e-3, nil
	}
	res := mustRun(t, p, 0, set)
	if rounds < 2 || rounds > mostRetunes || res.Status != Converged {
		t.Errorf("%d rounds, %v", rounds, res.Status)
	}
	if again := loss.EffectiveSampleSize(loss.Weights(nil, res.Squared, res.Loss)) / 100; math.Abs(again-p.lambda) > 1e-3 {
		t.Errorf("penalty %g, the weights at the end say %g", p.lambda, again)
	}
	for i, s := range res.Steps {
		if s.Number != i || i > 0 && s.Stage < res.Steps[i-1].Stage {
			t.Errorf("step %d has number %d and stage %d", i, s.Number, s.Stage)
		}
	}
	set.Retune = func(context.Context, loss.Scaled, []float64) (bool, error) { return false, errors.New("no") }
	if _, err := Run(context.Background(), p, 0, set); err == nil {
		t.Error("an error of Retune is lost")
	}
}
