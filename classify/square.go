package classify

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

// Square is regularised least squares on targets +1 and -1 (a ridge classifier): the
// minimum of
//
//	mean_i sum_l (y_il - f_l(x_i))^2 + lambda sum_l ||w_l||^2.
type Square struct{ Options }

func (m Square) name() string     { return "square" }
func (m Square) options() Options { return m.Options }

// Fit trains the machine on rows with labels from 0 to classes-1.
func (m Square) Fit(ctx context.Context, src linalg.Source, labels []int, classes int) (*Model, error) {
	return fitSource(ctx, m, src, labels, classes)
}

// FitBeside trains the machine on a table whose last column is the index of the class, of which there are counts rows each. A
// table with many rows that is not in memory is read for a sample, which is trained on, and then once for each Newton step with all
// rows and once more, mostly three times; the model has neither weights of the rows nor a verdict on each. What is no linear machine
// needs all rows in memory.
func (m Square) FitBeside(ctx context.Context, table linalg.Source, counts []int) (*Model, error) {
	return fitBeside(ctx, m, table, counts)
}

// roughSquares is the forcing of least squares that only tell how held-out rows are scored.
const roughSquares = 1e-3

func (m Square) train(ctx context.Context, t *task) (*outcome, error) {
	s := t.system(t.o.Lambda * t.total)
	if t.kernel && t.rough {
		s.forcing = roughSquares
	}
	return leastSquares(ctx, t, s)
}

// leastSquares solves the task with the square loss; s stays ready for reweighting.
func leastSquares(ctx context.Context, t *task, s *system) (*outcome, error) {
	_, p := t.a.Dims()
	y := t.targets()
	zero := mat.NewDense(p, t.classes, nil)
	record := &trace{see: t.o.OnStep}
	effective := loss.EffectiveSampleSize(t.prior)
	record.add(irls.Step{Objective: t.squareObjective(nil, nil), Effective: effective, Damping: 1})
	theta, err := s.solve(ctx, zero, y, importance{rows: t.prior})
	if err != nil {
		return nil, err
	}
	scores := s.scores(theta)
	record.add(irls.Step{Objective: t.squareObjective(scores, theta), Effective: effective, Change: 1, Damping: 1})
	return &outcome{theta: theta, scores: scores, weights: append([]float64(nil), t.prior...), steps: record.steps, status: irls.Converged}, nil
}

// squareObjective is the mean square plus the penalty; nil stands for zeros.
func (t *task) squareObjective(scores, theta *mat.Dense) float64 {
	sum := 0.0
	for i, a := range t.prior {
		for l := range t.classes {
			e := t.y(i, l)
			if scores != nil {
				e -= scores.At(i, l)
			}
			sum += a * e * e
		}
	}
	if scores == nil {
		return sum / t.total
	}
	return sum/t.total + t.o.Lambda*t.squaredNorm(theta, scores)
}
