package classify

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/loss"
)

// pairwise is the support vector machine of every two classes on the rows of these alone, with the penalty of one against the others, as
// Hsu and Lin (2002) compare them. The score of a class is the mean of its scores against each other class.
//
// One against the others, the hinge finds a class only where more than half of the labels are of it (Lee, Lin and Wahba 2004): with two fifths of
// nine classes' labels wrong that is nowhere. Between two classes the more frequent one is always the majority.
type pairwise struct{ Hinge }

// inPairs takes pairs of classes, with the usual penalty, instead of a machine with an exact kernel for each class against the others,
// where labels seem wrong, or are too few to tell, and held-out ones are more probable by it.
func (m Hinge) inPairs(ctx context.Context, t *task, held *heldOut) (machine, *heldOut, error) {
	if !t.kernel || m.squared(t.o.Kernel.Kind) || held == nil || t.present() < 3 || !t.doubtful(held) && t.total >= tellingRows {
		return m, held, nil
	}
	usual := *t
	usual.o.Lambda = usualLambda(m, t)
	next, err := usual.hold(ctx, pairwise{m}, t.parts(), nil)
	if err != nil || next.rule().Evidence() <= held.rule().Evidence() {
		return m, held, err
	}
	t.o.Lambda = usual.o.Lambda
	return pairwise{m}, next, nil
}

func (m pairwise) train(ctx context.Context, t *task) (*outcome, error) {
	n, k := len(t.labels), t.classes
	absent := t.absent()
	share := 1 / float64(t.present()-1)
	out := &outcome{theta: mat.NewDense(n+1, k, nil), weights: slices.Clone(t.prior), status: irls.Converged}
	record := &trace{see: t.o.OnStep}
	step := irls.Step{Effective: loss.EffectiveSampleSize(t.prior), Damping: 1, Change: 1}
	for l := range k {
		for other := range l {
			if absent[l] || absent[other] {
				continue
			}
			part, rows := t.between(l, other)
			one, err := m.Hinge.train(ctx, part)
			if err != nil {
				return nil, err
			}
			for at, i := range append(rows, n) {
				v := share * one.theta.At(at, 1)
				out.theta.Set(i, l, out.theta.At(i, l)+v)
				out.theta.Set(i, other, out.theta.At(i, other)-v)
			}
			step.Objective += one.steps[len(one.steps)-1].Objective * part.total / t.total
			out.gap = math.Max(out.gap, one.gap)
			if one.status != irls.Converged && out.status != irls.Cancelled {
				out.status = one.status
			}
		}
		if absent[l] { // below all others
			out.theta.Set(n, l, -1)
		}
		record.add(step)
	}
	out.scores, out.steps = t.system(0).scores(out.theta), record.steps
	return out, nil
}

// between is the task of the rows of two classes, the first of which is its class 1, with the same price of a miss, and which rows these are.
func (t *task) between(l, other int) (*task, []int) {
	prior, labels := make([]float64, len(t.labels)), make([]int, len(t.labels))
	for i, label := range t.labels {
		if label == l || label == other {
			prior[i] = t.prior[i]
		}
		if label == l {
			labels[i] = 1
		}
	}
	part := newTask(t.a, labels, 2, prior, t.o)
	part.o.Lambda *= t.total / part.total
	part.o.OnStep, part.kernel, part.rough = nil, t.kernel, t.rough
	small, rows := part.counting()
	if small == part {
		rows = make([]int, len(labels))
		for i := range rows {
			rows[i] = i
		}
	}
	return small, rows
}
