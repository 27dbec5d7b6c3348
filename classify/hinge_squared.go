package classify

import (
	"context"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/loss"
)

var plainSquare = loss.MustParse("square")

// trainSquaredHinge finds the minimum of the squared hinge loss, which is that of the correntropy machine with an endless
// bandwidth: every row counts fully, and Newton's step is least squares on the scores short of their margin
// (Keerthi and DeCoste 2005, "A modified finite Newton method for fast solution of large scale linear SVMs").
func trainSquaredHinge(ctx context.Context, t *task) (*outcome, error) {
	s := t.system(t.o.Lambda * t.total)
	start, err := firstState(ctx, t, s)
	if err != nil {
		return nil, err
	}
	last, err := irls.Run(ctx, &problem{t: t, s: s, oneSided: true}, start, irls.Settings{
		Loss: plainSquare, Prior: t.prior, Absolute: true, MaxSteps: t.o.steps(100), Tol: t.o.Tol, OnStep: t.o.OnStep,
	})
	if err != nil {
		return nil, err
	}
	return &outcome{
		theta: last.State.theta, scores: last.State.scores, weights: append([]float64(nil), t.prior...), steps: last.Steps, status: last.Status,
	}, nil
}
