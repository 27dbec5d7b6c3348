package pca

import (
	"context"
	"fmt"
	"math"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
)

// DefaultLoss is the loss of pca-robust when none is named: Welsch (correntropy) with a
// bandwidth from the median distance. It rejects far rows altogether and costs almost
// nothing on clean data.
var DefaultLoss = loss.MustParse("welsch")

// Robust is PCA with any loss: the mean loss of the squared distances of the rows from
// the subspace is minimised by reweighting. The zero value is robust: DefaultLoss, and as
// many components as explain four fifths of the variance.
type Robust struct {
	Options
	// Loss of the squared distance, from a text (loss.Parse) or of one's own; its bandwidth
	// may be open. Nil: DefaultLoss. The square loss is ordinary PCA.
	Loss loss.Loss
	// Kappa is the factor of the bandwidth rule auto, sigma^2 = Kappa * median(s). Zero: 3,
	// or 1 when there are more columns than rows.
	Kappa float64
	// Rescale tells when an open bandwidth is recomputed.
	Rescale irls.Rescale
}

// Fit finds the subspace.
func (r Robust) Fit(ctx context.Context, x linalg.Source) (*Model, error) {
	spec, err := loss.Specify(r.Loss, DefaultLoss)
	if err != nil {
		return nil, err
	}
	return r.Options.fit(ctx, x, plan{method: "pca-robust", spec: spec, kappa: r.Kappa, rescale: r.Rescale})
}

// KMPE is PCA-KMPE, Algorithm 2 of the kmpe paper: the loss (1 - exp(-s/2 sigma^2))^(p/2).
// Above p = 2 the loss is no longer concave in s and the printed iteration cycles; steps
// are then shortened until the objective falls.
type KMPE struct {
	Options
	// P is the power. Zero: 2.
	P float64
	// Sigma is the bandwidth: auto, silverman (eq. 30) or a number. Zero: auto.
	Sigma loss.Rule
	// Rescale tells when an open bandwidth is recomputed. The paper's choice is every step.
	Rescale irls.Rescale
}

// Fit finds the subspace.
func (k KMPE) Fit(ctx context.Context, x linalg.Source) (*Model, error) {
	p := k.P
	if p == 0 {
		p = 2
	}
	return fitKMPE(ctx, x, k.Options, "pca-kmpe", p, k.Sigma, k.Rescale)
}

// HQ is HQ-PCA (He et al. 2011), the maximum correntropy criterion solved by half-quadratic
// optimisation: PCA-KMPE with p = 2.
type HQ struct {
	Options
	// Sigma is the bandwidth: auto, silverman or a number. Zero: auto.
	Sigma loss.Rule
	// Rescale tells when an open bandwidth is recomputed.
	Rescale irls.Rescale
}

// Fit finds the subspace.
func (h HQ) Fit(ctx context.Context, x linalg.Source) (*Model, error) {
	return fitKMPE(ctx, x, h.Options, "hq-pca", 2, h.Sigma, h.Rescale)
}

func fitKMPE(ctx context.Context, x linalg.Source, o Options, method string, p float64, sigma loss.Rule, rescale irls.Rescale) (*Model, error) {
	spec, err := loss.Parse(fmt.Sprintf("kmpe:p=%v,sigma=auto", p))
	if err != nil {
		return nil, err
	}
	if err := sigma.Check(); err != nil {
		return nil, err
	}
	return o.fit(ctx, x, plan{method: method, spec: spec.WithRule(sigma), rescale: rescale})
}

// R1 is R1-PCA (Ding et al. 2006): Huber's loss of the distance, with the median distance
// of the start as cut-off.
type R1 struct {
	Options
	// Cutoff c of Huber's loss; 0: the median distance at the start.
	Cutoff float64
	// Mean is the centre. Empty: MeanWeighted.
	Mean Mean
}

// Mean names the centre of a subspace.
type Mean string

const (
	// MeanWeighted is estimated with the subspace, by the same weights.
	MeanWeighted Mean = "weighted"
	// MeanSample is the plain mean of the rows, which stays: the baseline of the pca-gm paper
	// (section 4.3). Rows that a start other than StartClassic leaves out do not count in it.
	MeanSample Mean = "sample"
)

// Fit finds the subspace.
func (r R1) Fit(ctx context.Context, x linalg.Source) (*Model, error) {
	spec := loss.MustParse("huber")
	if !(r.Cutoff >= 0) {
		return nil, refusal.Setting("cutoff", "cutoff %g of r1-pca must be a number above 0, or 0 for the median distance", r.Cutoff)
	}
	if r.Cutoff != 0 {
		spec = spec.WithRule(loss.FixedAt(r.Cutoff))
	}
	pl := plan{method: "r1-pca", spec: spec, rescale: irls.Once, run: func(ctx context.Context, p irls.Problem[subspace], start subspace, set irls.Settings) (irls.Result[subspace], error) {
		set.Bandwidth = func(squared []float64) float64 {
			middle, _ := spreadOf(squared, set.Prior)
			return math.Sqrt(middle)
		}
		return irls.Run(ctx, p, start, set)
	}}
	switch r.Mean {
	case "", MeanWeighted:
	case MeanSample:
		pl.power = 1
		pl.centre = func(ctx context.Context, src linalg.Source, w []float64) ([]float64, error) {
			_, mean, err := linalg.WeightedMean(ctx, src, w)
			return mean, err
		}
	default:
		return nil, refusal.Parameter("mean", r.Mean, "must be %s or %s", MeanWeighted, MeanSample)
	}
	return r.Options.fit(ctx, x, pl)
}

// GeneralizedMean is PCA-GM (Oh and Kwak 2016): the generalised mean of power P of the
// squared distances is minimised, about the generalised sample mean.
type GeneralizedMean struct {
	Options
	// P is the power, above 0 and at most 1. Zero: 0.3. P = 1 is ordinary PCA.
	P float64
	// Delta keeps weights finite. Empty: DeltaAnneal.
	Delta Delta
}

// Fit finds the subspace.
func (g GeneralizedMean) Fit(ctx context.Context, x linalg.Source) (*Model, error) {
	p := g.P
	if p == 0 {
		p = 0.3
	}
	if !(p > 0 && p <= 1) {
		return nil, refusal.Setting("p", "power p=%g of pca-gm must be above 0 and at most 1", p)
	}
	return g.Options.fit(ctx, x, plan{
		method: "pca-gm", power: p,
		centre: func(ctx context.Context, src linalg.Source, w []float64) ([]float64, error) {
			return GeneralizedSampleMean(ctx, src, p, g.Delta, w)
		},
		run: func(ctx context.Context, prob irls.Problem[subspace], start subspace, set irls.Settings) (irls.Result[subspace], error) {
			return annealed(ctx, prob, start, p, g.Delta, set)
		},
	})
}
