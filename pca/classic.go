package pca

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

// Classic is ordinary PCA: the mean and the leading eigenvectors of the covariance. Data
// larger than memory are read twice: for the subspace, and for the distances of the rows.
// Rows far from the subspace are flagged, but they have had their vote.
type Classic struct{ Options }

// Fit finds the subspace.
func (c Classic) Fit(ctx context.Context, x linalg.Source) (*Model, error) {
	o := c.Options
	o.Start, o.Scatter, o.LearnRank = StartClassic, ScatterWeighted, -1
	return o.fit(ctx, x, plan{method: "pca", spec: loss.MustParse("square"), unweighted: true,
		run: func(ctx context.Context, p irls.Problem[subspace], start subspace, set irls.Settings) (irls.Result[subspace], error) {
			if _, plain := p.(*problem); !plain { // missing values: filling and fitting alternate
				return irls.Run(ctx, p, start, set)
			}
			return settled(ctx, p, start, set)
		}})
}

// settled reports a start that is already the answer as a finished run.
func settled(ctx context.Context, p irls.Problem[subspace], at subspace, set irls.Settings) (irls.Result[subspace], error) {
	n := p.Len()
	s := make([]float64, n)
	if prob, plain := p.(*problem); plain {
		_, m := at.basis.Dims()
		at.scores = mat.NewDense(n, m, nil)
		if err := linalg.Residuals(ctx, prob.src, at.mean, at.basis, s, at.scores); err != nil {
			return irls.Result[subspace]{}, err
		}
	} else if err := p.Residuals(ctx, at, s); err != nil {
		return irls.Result[subspace]{}, err
	}
	w := make([]float64, n)
	sum, total := 0.0, 0.0
	for i := range w {
		if w[i] = weightAt(set.Prior, i); w[i] > 0 {
			sum += w[i] * s[i]
		}
		total += w[i]
	}
	step := irls.Step{Number: 0, Objective: sum / total, Effective: effective(w, set.Prior), Damping: 1}
	if set.OnStep != nil {
		set.OnStep(step)
	}
	res := irls.Result[subspace]{State: at, Status: irls.Converged, Steps: []irls.Step{step}, Loss: set.Loss.At(0), Squared: s, Weights: w}
	if sum <= set.Zero*total {
		res.Status = irls.PerfectFit
	}
	return res, nil
}
