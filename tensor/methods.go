package tensor

import (
	"context"
	"fmt"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

// DefaultLoss is the loss of tensor-robust when none is named: Welsch (correntropy) with a
// bandwidth from the median residual.
var DefaultLoss = loss.MustParse("welsch")

// PCA2D is 2DPCA (Yang et al. 2004): only the second mode, the columns of an image, is
// reduced, by the leading eigenvectors of sum (X_i - mean)'(X_i - mean), eq. (1) of
// corr-tensor. L is the identity.
type PCA2D struct{ Options }

// Fit finds the factor.
func (c PCA2D) Fit(ctx context.Context, x linalg.Source) (*Model, error) {
	return c.Options.fit(ctx, x, plan{method: "2dpca", unweighted: true, oneSided: true, own: oneShot})
}

// SVD2D is 2DSVD: all modes are reduced with least squares. Once gives the one-shot
// solution from the row-row and column-column covariances (Ding and Ye 2005; the truncated
// HOSVD for more modes); otherwise sweeps go on from there until the residual stands still,
// eq. (2) and (3) of corr-tensor (GLRAM of Ye 2005; HOOI for more modes).
type SVD2D struct {
	Options
	Once bool
}

// Fit finds the factors.
func (c SVD2D) Fit(ctx context.Context, x linalg.Source) (*Model, error) {
	p := plan{method: "2dsvd", unweighted: true}
	if c.Once {
		p.own = oneShot
	}
	c.Options.Start, c.Options.LearnFull = StartClassic, true
	return c.Options.fit(ctx, x, p)
}

// R1SVD2D is R1-2DSVD (Huang and Ding 2008): the sum of residual norms, not squared, with
// weights 1/||residual||, eq. (4) and (5) of corr-tensor. The weights are learned at full
// rank unless LearnRank is given. MeanSample and StartClassic are the original's.
type R1SVD2D struct{ Options }

// Fit finds the factors.
func (c R1SVD2D) Fit(ctx context.Context, x linalg.Source) (*Model, error) {
	c.Options.LearnFull = c.Options.LearnFull || c.Options.LearnRank == nil
	return c.Options.fit(ctx, x, plan{method: "r1-2dsvd", spec: loss.MustParse("l1")})
}

// Corr is Corr-2DSVD and Corr-Tensor: generalised correntropy (alpha, beta) and its p-order
// form, the loss (1 - exp(-(r/beta)^alpha))^(p/2) of the residual norm r. With StartClassic
// and a fixed Beta it is the paper's Algorithm 1.
type Corr struct {
	Options
	// Alpha and P of the loss. Zero: 2.
	Alpha, P float64
	// Beta is the bandwidth. Zero: auto, 2 median residuals.
	Beta loss.Rule
	// Unit of a fixed Beta. Empty: UnitData.
	Unit Unit
	// Rescale tells when an open bandwidth is recomputed.
	Rescale irls.Rescale
	// Name is the method's name in messages. Empty: corr-tensor.
	Name string
}

// Fit finds the factors.
func (c Corr) Fit(ctx context.Context, x linalg.Source) (*Model, error) {
	if c.Alpha == 0 {
		c.Alpha = 2
	}
	if c.P == 0 {
		c.P = 2
	}
	if c.Name == "" {
		c.Name = "corr-tensor"
	}
	spec, err := loss.Parse(fmt.Sprintf("gkmpe:alpha=%v,p=%v", c.Alpha, c.P))
	if err != nil {
		return nil, err
	}
	if err := c.Beta.Check(); err != nil {
		return nil, err
	}
	return c.Options.fit(ctx, x, plan{
		method: c.Name, spec: spec.WithRule(c.Beta), kappa: loss.KappaTensor, rescale: c.Rescale, unit: c.Unit,
	})
}

// Robust is the Tucker decomposition with any loss of the squared residual. The zero value
// is robust.
type Robust struct {
	Options
	// Loss of the squared residual, from a text (loss.Parse) or of one's own; its bandwidth
	// may be open. Nil: DefaultLoss. The square loss is HOOI.
	Loss loss.Loss
	// Kappa is the factor of the bandwidth rule auto. Zero: 2.
	Kappa float64
	// Unit of a fixed bandwidth. Empty: UnitData.
	Unit Unit
	// Rescale tells when an open bandwidth is recomputed.
	Rescale irls.Rescale
}

// Fit finds the factors.
func (c Robust) Fit(ctx context.Context, x linalg.Source) (*Model, error) {
	if c.Kappa == 0 {
		c.Kappa = loss.KappaTensor
	}
	spec, err := loss.Specify(c.Loss, DefaultLoss)
	if err != nil {
		return nil, err
	}
	return c.Options.fit(ctx, x, plan{method: "tensor-robust", spec: spec, kappa: c.Kappa, rescale: c.Rescale, unit: c.Unit})
}

// oneShot is the decomposition that fit starts its own methods from, as it is.
func oneShot(ctx context.Context, f *fit, all *spectrum) (irls.Result[bases], error) {
	return f.result(ctx, all.at(f.p.ranks), nil, irls.Converged)
}

// result completes what a method without weights found. Without a trace of its own it is
// one step whose objective is the mean squared residual.
func (f *fit) result(ctx context.Context, at bases, steps []irls.Step, status irls.Status) (irls.Result[bases], error) {
	res := irls.Result[bases]{State: at, Status: status, Steps: steps, Loss: loss.Spec{}.At(0)}
	res.Squared, res.Weights = make([]float64, f.p.n), make([]float64, f.p.n)
	if err := f.p.Residuals(ctx, at, res.Squared); err != nil {
		return res, err
	}
	sum, total := 0.0, 0.0
	for i := range res.Weights {
		res.Weights[i] = 1
		if f.o.Weights != nil {
			res.Weights[i] = f.o.Weights[i]
		}
		sum += res.Weights[i] * res.Squared[i]
		total += res.Weights[i]
	}
	if steps == nil {
		res.Steps = []irls.Step{{Number: 1, Objective: sum / total, Effective: loss.EffectiveSampleSize(res.Weights), Damping: 1}}
		if f.o.OnStep != nil {
			f.o.OnStep(res.Steps[0])
		}
	}
	return res, nil
}
