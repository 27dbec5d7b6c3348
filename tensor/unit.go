package tensor

import (
	"context"
	"math"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
)

// Unit is what a given bandwidth is measured in; one that is found needs none. The corr-tensor
// paper prints bandwidths near 1 for images whose norms are near 50, without a unit.
type Unit string

const (
	// UnitData takes a bandwidth as it is.
	UnitData Unit = "none"
	// UnitMeanNorm is the mean norm of the samples: as if the data were divided by it. It
	// counts what all samples have in common, so that for images of one kind it is far above
	// what varies.
	UnitMeanNorm Unit = "mean-norm"
	// UnitCenteredNorm is the median norm of the samples less their mean: the size of what
	// varies. Samples that lie hopelessly far off have no part in the mean.
	UnitCenteredNorm Unit = "centred-norm"
)

// scale turns a bandwidth in other units into one in units of the data.
func (f *fit) scale(ctx context.Context) (err error) {
	switch f.plan.unit {
	case "", UnitData:
		return nil
	case UnitMeanNorm:
		f.unit, err = f.meanNorm(ctx)
	case UnitCenteredNorm:
		f.unit, err = f.centredNorm(ctx)
	default:
		err = refusal.Parameter("normalise", f.plan.unit, "must be %s, %s or %s", UnitData, UnitMeanNorm, UnitCenteredNorm)
	}
	if r := f.plan.spec.Rule(); err == nil && r.Kind == loss.Fixed && f.unit > 0 {
		f.plan.spec = f.plan.spec.WithRule(loss.FixedAt(r.Value * f.unit))
	}
	return err
}

func (f *fit) meanNorm(ctx context.Context) (float64, error) {
	norms, err := f.norms(ctx, nil)
	sum, total := 0.0, 0.0
	for i, v := range norms {
		sum += f.prior(i) * v
		total += f.prior(i)
	}
	return sum / total, err
}

func (f *fit) centredNorm(ctx context.Context) (float64, error) {
	away, err := f.norms(ctx, f.centre)
	if err != nil {
		return 0, err
	}
	near := make([]float64, f.p.n)
	for i, v := range away {
		if v <= hopeless*f.p.spread {
			near[i] = f.prior(i)
		}
	}
	_, mean, err := linalg.WeightedMean(ctx, f.p.src, near)
	if err != nil {
		return 0, err
	}
	norms, err := f.norms(ctx, mean)
	return univariate.WeightedMedian(norms, f.o.Weights), err
}

// norms are those of the samples less a point; nil: zero.
func (f *fit) norms(ctx context.Context, from []float64) ([]float64, error) {
	out := make([]float64, f.p.n)
	err := linalg.Residuals(ctx, f.p.src, from, nil, out, nil)
	for i, v := range out {
		out[i] = math.Sqrt(v)
	}
	return out, err
}
