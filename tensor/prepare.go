package tensor

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/bounded"
	"github.com/inlier-ml/inlier/internal/outlying"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
)

var (
	errConstant = refusal.Data("all samples are equal, so there is nothing to decompose; at least two different samples are needed")
)

const (
	// middleSamples is how many samples the middle of all is taken from.
	middleSamples = 500
	// middleCandidates is how many of them are tried: one of them at least is regular.
	middleCandidates = 10
	// middleTells is from how many others their distance is measured.
	middleTells = 61
	// largestRatio is where numbers stop for methods that forget nothing, in units of the
	// samples' spread and size: squares of their squares do not vanish beside each other.
	largestRatio = 1e60
	// largestScale is the spread from which on samples as a whole are refused.
	largestScale = 1e80
	// hopeless is how many times further from the middle than regular samples a sample lies
	// that is left out from the beginning. A loss that never rejects a sample altogether
	// would give its factors to such ones.
	hopeless = 10
	// absurd takes the place of hopeless where the paper's letter is wanted.
	absurd = 1e6
)

// robust tells whether the method bounds what a single sample can do.
func (f *fit) robust() bool {
	return f.plan.bounded || f.plan.own == nil && !f.plan.unweighted && f.plan.spec != loss.Spec{}
}

// prepare looks at the samples: it refuses numbers that are not finite, measures how far
// the samples lie from their middle, leaves hopeless ones out, moves absurd numbers to a
// limit, and returns the mean.
func (f *fit) prepare(ctx context.Context) (mean []float64, err error) {
	src := f.p.src
	if f.centre, err = middle(ctx, src, f.o.Weights); err != nil {
		return nil, err
	}
	distances := make([]float64, f.p.n)
	if err := linalg.Residuals(ctx, src, f.centre, nil, distances, nil); err != nil {
		return nil, err
	}
	looked := false
	for i, v := range distances {
		if distances[i] = math.Sqrt(v); v <= math.MaxFloat64 {
			continue
		}
		if !looked {
			if err := linalg.Usable(ctx, src); err != nil {
				return nil, err
			}
			looked = true
		}
		distances[i] = math.MaxFloat64 // its square overflows
	}
	size := kernel.Dnrm2(len(f.centre), f.centre, 1) / math.Sqrt(float64(f.p.d))
	f.p.spread = typical(distances, f.o.Weights, 1e-14*size)
	switch {
	case f.p.spread < bounded.Smallest && size < bounded.Smallest && bounded.Differ(ctx, src):
		return nil, bounded.ErrSmall
	case f.p.spread == 0:
		return nil, errConstant
	case math.Max(f.p.spread, size) > largestScale:
		return nil, bounded.ErrLarge
	}
	farthest := slices.Max(distances)
	switch {
	case f.robust():
		f.leaveOut(distances)
		if farthest > absurd*f.p.spread {
			src, err = bounded.Source(ctx, src, f.o.Weights)
		}
	case farthest > largestRatio*math.Max(f.p.spread, size):
		src, err = everywhere(f.p.d, largestRatio*math.Max(f.p.spread, size)).Apply(ctx, src)
	}
	if err != nil {
		return nil, err
	}
	f.p.samples = f.truth.others(src)
	_, mean, err = linalg.WeightedMean(ctx, src, f.o.Weights)
	return mean, err
}

// everywhere are the same limits for every column.
func everywhere(d int, limit float64) *bounded.Limits {
	return &bounded.Limits{Low: slices.Repeat([]float64{-limit}, d), High: slices.Repeat([]float64{limit}, d)}
}

// middle is a point amid most samples: of some samples the one with the smallest median
// distance from the others, and then the mean of the half that is nearest to it. Where more than half of the
// samples are regular it is amid them, however far off the others are. An integer weight
// acts like repeated samples.
func middle(ctx context.Context, src linalg.Source, w []float64) ([]float64, error) {
	n, d := src.Dims()
	places := univariate.NewRows(n, w)
	count := max(min(middleSamples, int(math.Ceil(votes(n, w)))), 1)
	var x *mat.Dense
	if m, ok := src.(linalg.InMemory); ok && count == n && w == nil {
		x = m.Dense()
	} else {
		var err error
		if x, err = linalg.Gather(ctx, src, places.Spaced(count, univariate.Staggered())); err != nil {
			return nil, err
		}
	}
	away := func(from int, rows *mat.Dense) ([]float64, error) {
		n, _ := rows.Dims()
		out := make([]float64, n)
		err := linalg.Residuals(ctx, linalg.FromDense(rows), x.RawRowView(from), nil, out, nil)
		for i, v := range out {
			if !(v <= math.MaxFloat64) { // no number, or its square is none
				out[i] = math.MaxFloat64
			}
		}
		return out, err
	}
	among := univariate.NewRows(count, nil)
	some, err := linalg.Gather(ctx, linalg.FromDense(x), among.Spaced(min(middleTells, count), univariate.Staggered()))
	if err != nil {
		return nil, err
	}
	best, least := 0, math.Inf(1)
	for _, c := range among.Spaced(min(middleCandidates, count), univariate.Staggered()) {
		distances, err := away(c, some)
		if err != nil {
			return nil, err
		}
		if mid := univariate.Median(distances); mid < least {
			best, least = c, mid
		}
	}
	near, err := away(best, x)
	if err != nil {
		return nil, err
	}
	half := univariate.SmallestWeight(near, nil, math.Floor(float64(count)/2)+1)
	out := make([]float64, d)
	for i, a := range half {
		if a > 0 {
			kernel.Daxpy(d, 1/math.Floor(float64(count)/2+1), x.RawRowView(i), 1, out, 1)
		}
	}
	for j, v := range out {
		if v-v != 0 { // more than half of the samples hold what is no number
			out[j] = 0
		}
	}
	return out, nil
}

// typical is the median distance, or that of the samples which do not lie in the middle
// itself where those are the fewer; 0 when none lies further off than rounding.
func typical(distances, w []float64, rounding float64) float64 {
	if mid := univariate.WeightedMedian(distances, w); mid > rounding {
		return mid
	}
	var far []float64
	for i, v := range distances {
		if v > rounding && (w == nil || w[i] > 0) {
			far = append(far, v)
		}
	}
	if len(far) == 0 {
		return 0
	}
	return univariate.Median(far)
}

// leaveOut gives no weight to samples that lie so far from the middle that no regular one
// could.
func (f *fit) leaveOut(distances []float64) {
	reach := float64(absurd)
	if f.o.Start == StartAuto && f.plan.own == nil {
		reach = hopeless
	}
	beyond := reach * math.Max(limit(distances, f.o.Weights, outlying.Limit), f.p.spread)
	f.beyond = beyond
	kept := make([]float64, f.p.n)
	for i, v := range distances {
		if v <= beyond {
			kept[i] = f.prior(i)
		}
	}
	if slices.Max(distances) > beyond {
		f.o.Weights = kept
	}
}
