package elm

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/univariate"
)

// Targets farther from the median of their column than so many robust deviations are
// pulled in to there: far enough out to lose their vote, near enough for squares to leave
// the others their digits. What is not robust only keeps its squares from overflowing.
const (
	farTarget      = 1e10
	farthestTarget = 1e100
)

// boundTargets returns the targets, n x k, with absurd ones pulled in (t itself where there
// are none), and the typical size of a target: the median of those that are not 0. Rows
// of weight 0 do not count; w nil means ones.
func boundTargets(t *mat.Dense, w []float64, robust bool) (bounded *mat.Dense, typical float64) {
	n, k := t.Dims()
	reach := farthestTarget
	if robust {
		reach = farTarget
	}
	bounded = t
	var sizes, weights []float64
	for c := range k {
		column := mat.Col(nil, c, t)
		low, high := targetLimits(column, w, reach)
		for i, v := range column {
			inside := math.Min(math.Max(v, low), high)
			if inside != v {
				if bounded == t {
					bounded = mat.DenseCopyOf(t)
				}
				bounded.Set(i, c, inside)
			}
			if a := (weighting{w: w, k: 1}).at(i, 0); inside != 0 && a > 0 {
				sizes, weights = append(sizes, math.Abs(inside)), append(weights, a)
			}
		}
	}
	if len(sizes) == 0 || n == 0 {
		return bounded, 0
	}
	if w == nil {
		weights = nil
	}
	return bounded, univariate.WeightedMedian(sizes, weights)
}

// farFromZero is how many robust deviations from 0 the targets of a machine may lie where it
// learns them as they are: it has no constant.
const farFromZero = 100

// centred returns targets less the medians of their columns, and these; nil where targets are
// learned as they are. A machine has no constant of its own, and a penalty would keep it from
// reaching targets away from 0, so that a shift of the targets would change the fit. As they are,
// which is the papers' letter, they are learned with a penalty that was given, and without a
// penalty where inputs are not scaled, unless they lie far from 0 for their spread: then the
// machine could not reach them at all. Classes have targets of +1 and -1.
func (o Options) centred(t *mat.Dense, w []float64) (*mat.Dense, []float64) {
	if o.Labels || o.Lambda > 0 && !o.scaled() {
		return t, nil
	}
	always := o.Lambda == 0 || o.Lambda < 0 && o.Scaling != "" && o.Scaling != ScaleNone
	n, k := t.Dims()
	offset, any := make([]float64, k), always
	for c := range offset {
		centre, deviation := univariate.WeightedDeviation(mat.Col(nil, c, t), w)
		if always || math.Abs(centre) > farFromZero*deviation && deviation > 0 {
			offset[c] = centre
		}
		any = any || offset[c] != 0
	}
	if !any {
		return t, nil
	}
	out := mat.NewDense(n, k, nil)
	out.Apply(func(_, c int, v float64) float64 {
		return math.Max(math.Min(v-offset[c], math.MaxFloat64), -math.MaxFloat64)
	}, t)
	return out, offset
}

// targetLimits are the median of a column plus and minus so many robust deviations, those
// of the values that differ where most are equal.
func targetLimits(column, w []float64, reach float64) (low, high float64) {
	centre, deviation := univariate.WeightedDeviation(column, w)
	if deviation == 0 {
		var away, weights []float64
		for i, v := range column {
			if a := (weighting{w: w, k: 1}).at(i, 0); v != centre && a > 0 {
				away, weights = append(away, math.Min(math.Abs(v-centre), math.MaxFloat64)), append(weights, a)
			}
		}
		if len(away) == 0 {
			return -math.MaxFloat64, math.MaxFloat64
		}
		deviation = univariate.WeightedMedian(away, weights)
	}
	span := math.Min(reach*math.Min(deviation, math.MaxFloat64/reach), 1e150)
	return centre - span, centre + span
}
