package classify

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/judging"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
	"github.com/inlier-ml/inlier/verdict"
)

// kinds are the kinds of rows of a classification.
var kinds = []verdict.Kind{verdict.Regular, verdict.DoubtfulLabel, verdict.FarFromAll}

// doubtCutoff is the weight below which a label that is not the model's own is doubtful to a
// model without calibrated probabilities.
const doubtCutoff = 0.4

// Judge compares rows with the model. Label is the class that the model would give, the most
// probable one; Residual is the margin, the score of the row's label less the best other score (each
// with the shift that makes scores probabilities), without a label that of the best class.
//
// A label is doubtful when another class is nearly as probable as it is, on average, for rows
// with its label, and the label less than by chance among labels of which many more are
// wrong than are expected to be: whatever the loss and its scale. Where nothing shows that labels are wrong rather than
// classes overlap, about one in a hundred is doubtful at most, and where it does no more than are expected to be wrong. Training rows, whenever they are met again, are judged by the scores of fits
// that had not seen them (of planes, if these tell more of the labels than a kernel); where these doubt many labels, of fits with little weight on
// rows whose labels they do not believe. Without calibration a label is doubtful when
// the model would give another and the weight is below 0.4.
//
// Weight is how far the label is believed: the loss's, exp(-s / 2 sigma^2), for the correntropy
// machine; for the others, whose losses reject nobody, the probability of the label over that of
// the best class (of a model without probabilities: the correntropy weight at sigma = 1.5). A row is
// far from all classes when even its best score is negative and below what nearly all training
// rows reach, or when its inputs are out of reach of every class: nothing was learned about
// such rows, and their weight is 0. labels may be nil.
func (m *Model) Judge(ctx context.Context, x *mat.Dense, labels []int) (*verdict.Rows, error) {
	ctx = given.Context(ctx)
	scores, err := m.Scores(ctx, x)
	if err != nil {
		return nil, err
	}
	return m.judgeScored(x, scores, labels)
}

// judgeScored is Judge for rows whose scores are known.
func (m *Model) judgeScored(x, scores *mat.Dense, labels []int) (*verdict.Rows, error) {
	n, k := scores.Dims()
	if labels != nil && len(labels) != n {
		return nil, refusal.Target("%d labels for %d rows", len(labels), n)
	}
	v := judging.New(n, kinds)
	v.Residual, v.Weight, v.Label = make([]float64, n), make([]float64, n), make([]int, n)
	for i, label := range labels {
		if label < 0 || label >= k {
			return nil, refusal.Target("row %d has label %d; labels run from 0 to %d", i+1, label, k-1)
		}
	}
	linalg.Spans(n, func(from, to int) {
		room := make([]float64, k)
		for i := from; i < to; i++ {
			f, label := scores.RawRowView(i), -1
			if labels != nil {
				label = labels[i]
			}
			one := m.judgeScores(x.RawRowView(i), f, label, m.best(f), room)
			v.Label[i], v.Residual[i], v.Weight[i] = one.Label, one.Residual, one.Weight
			judging.Set(v, i, one.Kind, one.Outlier)
		}
	})
	return v, nil
}

// judgeScores is the verdict on a row with these scores, a label (-1: none, which nobody doubts) and the best class; room
// holds one number per class.
func (m *Model) judgeScores(row, f []float64, label, best int, room []float64) verdict.Row {
	labelled := label >= 0
	if !labelled {
		label = best
	}
	out := verdict.Row{Label: best, Kind: verdict.Regular, Residual: m.margin(f, label)}
	if m.loss == nil && m.Probabilistic() {
		copy(room, f)
		if rule := m.parts.Belief; labelled && rule != nil && rule.Apart != nil {
			rule.Apart.Probabilities(room)
		} else {
			m.toProbabilities(room)
		}
		out.Weight = min(1, room[label]/max(slices.Max(room), 1e-300))
	} else {
		out.Weight = m.weight(f, label)
	}
	doubt := label != best && out.Weight < doubtCutoff
	if m.parts.Belief != nil && labelled {
		rule := m.parts.Belief.OfLabels()
		found, known := m.parts.Known.Find(row, label)
		switch {
		case !known:
			copy(room, f)
			rule.True(room)
			if doubt = rule.Doubts(room, label); doubt {
				out.Label, out.Residual = rule.Best(f), rule.Margin(f, label)
			}
		case found.Doubt:
			doubt, out.Label, out.Residual = true, found.Label, found.Margin
		default:
			doubt = false
		}
	}
	top := slices.Max(f)
	switch {
	case m.parts.Places.Far(row):
		out.Kind, out.Outlier, out.Weight = verdict.FarFromAll, true, 0
	case doubt:
		out.Kind, out.Outlier = verdict.DoubtfulLabel, true
	case top < 0 && top < m.parts.BestCutoff:
		out.Kind, out.Outlier = verdict.FarFromAll, true
	}
	return out
}

// weight is the correntropy weight of a row's scores with a label: scores short of their
// target count, those beyond it do not; of classes learned together, how improbable the label is.
func (m *Model) weight(f []float64, label int) float64 {
	if m.loss != nil && m.parts.Joint {
		return min(1, m.loss.Weight(deviance(f, label, nil))/m.full)
	}
	s := 0.0
	for l, v := range f {
		y := -1.0
		if l == label {
			y = 1
		}
		if y*v < 1 {
			s += (y - v) * (y - v)
		}
	}
	if m.loss != nil {
		return min(1, m.loss.Weight(s)/m.full)
	}
	return math.Exp(-s / (2 * DefaultSigma * DefaultSigma))
}

// fullWeight is the weight that counts as 1: that of a row without a miss, or, where that
// has none to speak of or all of it (powers of the misses), of one that misses by 1.
func fullWeight(l loss.Scaled) float64 {
	if l == nil {
		return 1
	}
	spec, err := loss.Specify(l, loss.Spec{})
	if w := l.Weight(0); err == nil && spec.Order() == 2 && w > 0 {
		return w
	}
	if w := l.Weight(1); w > 0 {
		return w
	}
	return 1
}

// equalBest is the share of rows with one and the same best score, as those of ticks that nobody has set, from which on the others alone tell how
// much best scores vary: the deviation of all is that of the few next to the middle then, or none.
const equalBest = 0.25

// bestCutoff is three robust deviations below the median of the training rows' best
// scores, as often as these count (nil: once). What is below by no more than rounding is not below.
func bestCutoff(scores *mat.Dense, counts []float64) float64 {
	n, _ := scores.Dims()
	best := make([]float64, n)
	for i := range best {
		best[i] = slices.Max(scores.RawRowView(i))
	}
	centre, deviation := univariate.WeightedDeviation(best, counts)
	rounding := 1e-9 * max(math.Abs(centre), 1)
	var away, others []float64
	total, different := 0.0, 0.0
	for i, v := range best {
		a := 1.0
		if counts != nil {
			a = counts[i]
		}
		if total += a; a > 0 && math.Abs(v-centre) > rounding {
			different += a
			away, others = append(away, math.Abs(v-centre)), append(others, a)
		}
	}
	if total-different > equalBest*total && away != nil {
		deviation = univariate.Normal * univariate.WeightedMedian(away, others)
	}
	return centre - 3*deviation - rounding
}
