package pca

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/inlier-ml/inlier/internal/bounded"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
)

// Delta names how the constant delta, which keeps (s + delta)^(p-1) finite, is chosen.
type Delta string

const (
	// DeltaAnneal starts at the median squared residual and lowers it by 0.7 in each
	// step: with p below 1/2 every sample is an attracting minimum of its own, and a wide
	// start walks past them. The default.
	DeltaAnneal Delta = "anneal"
	// DeltaPaper is 0.01 times the smallest squared residual of the start.
	DeltaPaper Delta = "paper"
)

// GeneralizedSampleMean is the point m that minimises sum_i (||x_i - m||^2)^p, eq. (6) of
// the pca-gm paper (Algorithm 1). p = 1 is the sample mean, p = 1/2 the spatial median;
// smaller p lets far rows count less. w are weights of the rows, nil for one each. Tables in memory whose typical
// numbers cannot be squared (beyond 1e140 or below 1e-140) are refused, unless p is 1.
func GeneralizedSampleMean(ctx context.Context, src linalg.Source, p float64, delta Delta, w []float64) ([]float64, error) {
	ctx = given.Context(ctx)
	if !(p > 0 && p <= 1) {
		return nil, refusal.Setting("p", "power p=%g of the generalised sample mean must be above 0 and at most 1", p)
	}
	_, mean, err := linalg.WeightedMean(ctx, src, w)
	if err != nil || p == 1 {
		return mean, err
	}
	if err := bounded.CheckUnit(ctx, src, w); err != nil {
		return nil, err
	}
	prob := &location{src: src}
	if prob.unit, err = prob.spread(ctx, mean, w); err != nil {
		return nil, err
	}
	if delta != DeltaPaper {
		if mean, err = prob.nearer(ctx, mean, w, p); err != nil {
			return nil, err
		}
	}
	// The objective is flat at its minimum: where it stands still to 1e-8, the mean is known
	// to 1e-4 of the rows' spread only. Polishing brings the rest.
	res, err := annealed(ctx, prob, mean, p, delta, irls.Settings{Prior: w, Tol: 1e-8, MaxSteps: 1000, Polish: true})
	if err != nil {
		return nil, err
	}
	if res.Status == irls.Cancelled {
		return nil, context.Cause(ctx)
	}
	return res.State, nil
}

// spatialMedian is the point with the smallest sum of distances to the rows.
func spatialMedian(ctx context.Context, src linalg.Source, w []float64) ([]float64, error) {
	return GeneralizedSampleMean(ctx, src, 0.5, DeltaAnneal, w)
}

// location is the mean as an irls.Problem.
type location struct {
	src  linalg.Source
	unit float64 // of shifts: a typical distance of rows from the mean
}

// nearer is where to start from: the mean or, where a few far rows carried that off, the medians of
// the columns. From far off all other rows look alike, and the delta that suits their distances
// hides where they are. With p of at most 1/2 rows pull no harder the farther out they are:
// values whose squares drown all others are then moved in.
func (l *location) nearer(ctx context.Context, mean, w []float64, p float64) ([]float64, error) {
	limits, err := bounded.Of(ctx, l.src, w)
	if err != nil || limits.Typical == 0 || limits.Typical > l.unit/3 {
		return mean, err
	}
	if p <= 0.5 {
		if l.src, err = limits.Apply(ctx, l.src); err != nil {
			return nil, err
		}
	}
	l.unit, err = l.spread(ctx, limits.Centre, w)
	return limits.Centre, err
}

// spread is the median distance of the rows from a point, or their largest where most lie on it.
func (l *location) spread(ctx context.Context, at, w []float64) (float64, error) {
	s := make([]float64, l.Len())
	if err := l.Residuals(ctx, at, s); err != nil {
		return 0, err
	}
	middle := univariate.WeightedMedian(s, w)
	if !(middle > 0) {
		middle = slices.Max(s)
	}
	return math.Sqrt(math.Min(middle, math.MaxFloat64)), nil
}

func (l *location) Len() int { n, _ := l.src.Dims(); return n }

func (l *location) Residuals(ctx context.Context, at []float64, s []float64) error {
	return linalg.Residuals(ctx, l.src, at, nil, s, nil)
}

func (l *location) Solve(ctx context.Context, _ []float64, w []float64) ([]float64, error) {
	_, mean, err := linalg.WeightedMean(ctx, l.src, w)
	return mean, err
}

func (l *location) Penalty([]float64) float64 { return 0 }

func (l *location) Between(a, b []float64, t float64) ([]float64, error) {
	out := make([]float64, len(a))
	for j := range out {
		out[j] = (1-t)*a[j] + t*b[j]
	}
	return out, nil
}

// Distance is the shift in units of the rows' spread: how far off zero they lie says nothing.
func (l *location) Distance(a, b []float64) float64 {
	shift := 0.0
	for j := range a {
		shift = math.Hypot(shift, a[j]-b[j])
	}
	return shift / math.Max(l.unit, 1e-300)
}

// annealed reweights with the generalised mean of power p and the given choice of delta.
// Each new delta is a stage of its own in the trace.
func annealed[S any](ctx context.Context, prob irls.Problem[S], start S, p float64, delta Delta, set irls.Settings) (irls.Result[S], error) {
	if delta != "" && delta != DeltaAnneal && delta != DeltaPaper {
		return irls.Result[S]{}, refusal.Parameter("delta", delta, "must be %s or %s", DeltaAnneal, DeltaPaper)
	}
	power, err := loss.Parse(fmt.Sprintf("gm:p=%v", p))
	if err != nil {
		return irls.Result[S]{}, err
	}
	set.Path = func(squared []float64) []loss.Spec { return means(power, delta, squared, set.Prior, set.Zero) }
	return irls.Run(ctx, prob, start, set)
}

// means are the generalised means of a power that lead to the last one, for the squared
// residuals of the start: delta falls by 0.7 from one to the next.
func means(power loss.Spec, delta Delta, squared, prior []float64, zero float64) []loss.Spec {
	middle, least := spreadOf(squared, prior)
	last := 0.01 * least
	if delta != DeltaPaper {
		last = math.Max(1e-6*middle, math.Min(last, 1e-3*middle))
	}
	last = math.Max(last, math.Max(zero, 1e-290))
	var path []loss.Spec
	if delta != DeltaPaper {
		for value := middle; value > last; value *= 0.7 {
			path = append(path, withDelta(power, value))
		}
	}
	return append(path, withDelta(power, last))
}

// withDelta is the loss (s + delta)^p with this delta, as far as it can be had.
func withDelta(power loss.Spec, delta float64) loss.Spec {
	spec, err := power.With("delta", strconv.FormatFloat(math.Min(delta, 1e300), 'g', -1, 64))
	if err != nil {
		panic(err) // delta is at least 1e-290
	}
	return spec
}

// medianRule computes the weighted median of squared residuals: its bandwidth with factor
// 1 is the root of it.
var medianRule = loss.MustParse("welsch:sigma=auto")

// spreadOf returns the (weighted) median and the smallest positive squared residual of
// rows that count.
func spreadOf(s, prior []float64) (middle, least float64) {
	least = math.Inf(1)
	for i, v := range s {
		if v > 0 && v < least && (prior == nil || prior[i] > 0) {
			least = v
		}
	}
	if math.IsInf(least, 1) {
		least = 0
	}
	root := medianRule.Bandwidth(s, prior, 1)
	return root * root, least
}
