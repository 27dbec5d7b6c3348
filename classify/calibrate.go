package classify

import (
	"context"
	"math"

	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/irls"
)

// plattCurve turns a class's score into a probability, 1 / (1 + exp(-(Slope f + Shift))).
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

// without is the task with some rows, or a share of them, left out.
func (t *task) without(held []float64) *task {
	prior := append([]float64(nil), t.prior...)
	for i, share := range held {
		if prior[i] *= 1 - share; share > 1-1e-9 {
			prior[i] = 0
		}
	}
	part := newTask(t.a, t.labels, t.classes, prior, t.o)
	part.o.OnStep = nil
	return part
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

// calibrate learns one sigmoid per class on scores of rows that were held out when the
// scores were learned. pooled lists classes that had too few rows for one of their own.
func calibrate(ctx context.Context, m machine, t *task) (sigmoids []plattCurve, pooled []int, err error) {
	var held [][]float64
	if how := t.o.Calibration; how == Folds || (how == CalibrateAuto && rowsOf(t.o.Weights, len(t.labels)) <= calibrateFolds) {
		held = t.folds(3)
	} else {
		held = t.folds(5)[:1]
	}
	var scores, weights []float64 // of rows held out, k scores each
	var labels []int
	count := make([]float64, t.classes)
	for _, fold := range held {
		out, err := trainWhole(ctx, m, t.without(fold))
		if err != nil {
			return nil, nil, err
		}
		for i, share := range fold {
			if share == 0 {
				continue
			}
			scores, weights = append(scores, out.scores.RawRowView(i)...), append(weights, share*t.prior[i])
			labels = append(labels, t.labels[i])
			if repeated(t.o.Weights) {
				share *= t.o.Weights[i]
			}
			count[t.labels[i]] += share
		}
	}
	n := len(labels)
	var allScores, allWeights []float64
	var allPositive []bool
	for l := range t.classes {
		for i, label := range labels {
			allScores, allPositive, allWeights = append(allScores, scores[i*t.classes+l]), append(allPositive, label == l), append(allWeights, weights[i])
		}
	}
	for l := range t.classes {
		from, to := l*n, (l+1)*n
		if count[l] < fewest-1e-9 {
			pooled = append(pooled, l)
			from, to = 0, len(allScores)
		}
		sigmoids = append(sigmoids, platt(allScores[from:to], allPositive[from:to], allWeights[from:to]))
	}
	return sigmoids, pooled, nil
}

// rowsOf is the number of rows that weights stand for.
func rowsOf(weights []float64, n int) int {
	if !repeated(weights) {
		return n
	}
	return int(total(weights))
}

// fewest is the number of held-out rows a class needs for a sigmoid of its own.
const fewest = 3

// platt fits a sigmoid by maximum likelihood with Platt's smoothed targets, by Newton's
// method with step control (Lin, Lin and Weng 2007). The slope is not allowed to be
// negative: a score that ranks backwards says nothing.
func platt(scores []float64, positive []bool, weights []float64) plattCurve {
	plus, minus := 0.0, 0.0
	for i, w := range weights {
		if positive[i] {
			plus += w
		} else {
			minus += w
		}
	}
	high, low := (plus+1)/(plus+2), 1/(minus+2)
	target := func(i int) float64 {
		if positive[i] {
			return high
		}
		return low
	}
	value := func(s plattCurve) float64 {
		sum := 0.0
		for i, w := range weights {
			if w > 0 {
				z := s.Slope*scores[i] + s.Shift
				sum += w * (softplus(z) - target(i)*z)
			}
		}
		return sum
	}
	at := plattCurve{Slope: 0, Shift: math.Log((plus + 1) / (minus + 1))}
	flat := at
	now := value(at)
	for range 100 {
		var g1, g2, h11, h12, h22 float64
		for i, w := range weights {
			if w == 0 {
				continue
			}
			f := scores[i]
			p := at.At(f)
			e, h := w*(p-target(i)), w*p*(1-p)
			g1, g2 = g1+e*f, g2+e
			h11, h12, h22 = h11+h*f*f, h12+h*f, h22+h
		}
		h11, h22 = h11+1e-12, h22+1e-12
		det := h11*h22 - h12*h12
		if !(det > 0) || math.Hypot(g1, g2) <= 1e-10*(plus+minus) {
			break
		}
		d1, d2 := (h22*g1-h12*g2)/det, (h11*g2-h12*g1)/det
		moved := false
		for t := 1.0; t > 1e-10; t /= 2 {
			next := plattCurve{at.Slope - t*d1, at.Shift - t*d2}
			if v := value(next); v < now {
				at, now, moved = next, v, true
				break
			}
		}
		if !moved {
			break
		}
	}
	if !(at.Slope >= 0) {
		return flat
	}
	return at
}

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
