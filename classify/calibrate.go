package classify

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/belief"
	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
)

// plattCurve turns a class's score into a probability, 1 / (1 + exp(-(Slope f + Shift))), in
// model files of old.
type plattCurve struct{ Slope, Shift float64 }

// At is the probability for a score.
func (s plattCurve) At(f float64) float64 { return sigmoid(s.Slope*f + s.Shift) }

// mostRepeated bounds the rows that integer weights stand for when they are dealt one by one.
const mostRepeated = 1e6

// repeated tells whether weights count repetitions of rows, few enough to be dealt singly.
func repeated(weights []float64) bool {
	total := 0.0
	for _, w := range weights {
		if w != math.Trunc(w) {
			return false
		}
		total += w
	}
	return weights != nil && total <= mostRepeated
}

// folds deals the rows of every class into k parts, at random by the seed. A part tells of
// every row which share of it is in: repetitions of a row, which an integer weight stands
// for, are dealt one by one, others as a whole.
func (t *task) folds(k int) [][]float64 {
	out := make([][]float64, k)
	for f := range out {
		out[f] = make([]float64, len(t.labels))
	}
	single := repeated(t.o.Weights)
	byClass := make([][]int, t.classes) // rows, as often as they count
	for i, l := range t.labels {
		if t.prior[i] == 0 {
			continue
		}
		times := 1
		if single {
			times = int(t.o.Weights[i])
		}
		for range times {
			byClass[l] = append(byClass[l], i)
		}
	}
	order := random.New(t.o.Seed, "classify folds")
	next := 0
	for _, rows := range byClass {
		for _, at := range order.Perm(len(rows)) {
			part := 1.0
			if single {
				part /= t.o.Weights[rows[at]]
			}
			out[next%k][rows[at]] += part
			next++
		}
	}
	return out
}

// foldTol is the least tolerance of a training that only tells how rows are scored that it has not seen.
const foldTol = 1e-4

// without is the task with some rows, or a share of them, left out; rows that do not count stay, so that they
// have scores.
func (t *task) without(held []float64) *task {
	prior := t.votingPrior()
	for i, share := range held {
		if prior[i] *= 1 - share; share > 1-1e-9 {
			prior[i] = 0
		}
	}
	part := newTask(t.a, t.labels, t.classes, prior, t.o)
	part.o.OnStep, part.kernel, part.rough = nil, t.kernel, true
	part.o.Tol = max(part.o.Tol, foldTol)
	return part
}

// scoresWithout are the scores of all rows by a machine that was trained without some of them, or a
// share, and the votes that it ended with (warm.go; nil without an exact kernel). The exact kernel is trained on a copy of it for the
// rows that count: n^2 in n rows, fewer are cheaper.
func (t *task) scoresWithout(ctx context.Context, m machine, held []float64) (scores, votes *mat.Dense, err error) {
	part := t.without(held)
	if part.total == 0 { // nothing is left to learn from: all classes are alike
		return mat.NewDense(len(t.labels), t.classes, nil), nil, nil
	}
	part.votes = t.votes
	small, rows := part.counting()
	out, err := trainWhole(ctx, m, small)
	if err != nil {
		return nil, nil, err
	}
	if small == part {
		return out.scores, nil, nil
	}
	theta := mat.NewDense(len(t.labels)+1, t.classes, nil)
	for a, i := range rows {
		theta.SetRow(i, out.theta.RawRowView(a))
	}
	theta.SetRow(len(t.labels), out.theta.RawRowView(len(rows)))
	return t.system(0).scores(theta), small.votesOf(theta), nil
}

// counting is the task of the rows that count, with the kernel among them, and which these are; the task
// itself where it has no kernel or memory no room.
func (t *task) counting() (*task, []int) {
	var rows, labels []int
	var prior []float64
	for i, a := range t.prior {
		if a > 0 {
			rows, labels, prior = append(rows, i), append(labels, t.labels[i]), append(prior, a)
		}
	}
	if !t.kernel || fits(Exact, len(rows), len(rows)) != nil {
		return t, nil
	}
	a := ones(len(rows), len(rows))
	linalg.Parallel(len(rows), func(to int) {
		row, from := a.RawRowView(to), t.a.RawRowView(rows[to])
		for at, j := range rows {
			row[at] = from[j]
		}
	})
	out := newTask(a, labels, t.classes, prior, t.o)
	out.kernel, out.rough = true, t.rough
	if t.votes != nil {
		out.votes = mat.NewDense(len(rows)+1, t.classes, nil)
		for to, i := range append(rows, len(t.labels)) {
			out.votes.SetRow(to, t.votes.RawRowView(i))
		}
	}
	return out, rows
}

// trainWhole trains to the end or fails: what was cancelled on the way says nothing about
// rows that were held out.
func trainWhole(ctx context.Context, m machine, t *task) (*outcome, error) {
	out, err := m.train(ctx, t)
	if err == nil && out.status == irls.Cancelled {
		if err = ctx.Err(); err == nil {
			err = context.Canceled
		}
	}
	return out, err
}

// parts are the rows that are held out in turn: three parts of all, or one fifth.
func (t *task) parts() [][]float64 {
	if how := t.o.Calibration; how == Folds || (how == CalibrateAuto && rowsOf(t.o.Weights, len(t.labels)) <= calibrateFolds) {
		return t.folds(3)
	}
	return t.folds(5)[:1]
}

// calibrate learns probabilities on scores of rows that were held out when the scores were
// learned, and what these say about the labels of rows x. Where many labels are doubtful
// they are looked at again by scores that believe them less. held are the scores where they are known already.
func calibrate(ctx context.Context, m machine, t *task, x *mat.Dense, held *heldOut) (*belief.Rule, belief.Known, error) {
	parts := t.parts()
	var err error
	if held == nil {
		if held, err = t.hold(ctx, m, parts, nil); err != nil {
			return nil, belief.Known{}, err
		}
	}
	rule := held.rule()
	if t.untouched != nil { // rows that lost their vote since for being hard to tell would be doubted for it
		held = t.untouched
	}
	var asked []opinion
	if asked, held, err = t.judges(ctx, m, parts, held); err != nil {
		return nil, belief.Known{}, err
	}
	labels := held.rule().OfLabels()
	findings, doubtful := held.findings(labels, x)
	if len(parts) > 1 && doubtful > belief.SecondLook {
		prior := append([]float64(nil), t.prior...)
		trust := labels.Trust(held.scores, held.labels, held.occurring(), func(e int) []float64 { return x.RawRowView(held.rows[e]) })
		for e, i := range held.rows {
			prior[i] = t.prior[i] * trust[e]
		}
		if held, err = again(ctx, asked, parts, prior); err != nil {
			return nil, belief.Known{}, err
		}
		for e, i := range held.rows { // every row is judged, whatever its vote was
			held.weights[e] = held.shares[e] * t.prior[i]
		}
		if second, share := held.findings(labels.Again(held.scores, held.labels, held.occurring()), x); !labels.RunsAway(doubtful, share) {
			findings = second
		}
	}
	return rule, belief.Remember(findings), nil
}

// weightOf is the weight of a row; nil are ones.
func weightOf(weights []float64, i int) float64 {
	if weights == nil {
		return 1
	}
	return weights[i]
}

// rowsOf is the number of rows that weights stand for.
func rowsOf(weights []float64, n int) int {
	if !repeated(weights) {
		return n
	}
	return int(total(weights))
}

// fewest is the number of rows from which a class has probabilities of its own.
const fewest = 3

// normalise makes a row of probabilities sum to one.
func normalise(row []float64) {
	sum := total(row)
	for l := range row {
		if sum > 0 {
			row[l] /= sum
		} else {
			row[l] = 1 / float64(len(row))
		}
	}
}
