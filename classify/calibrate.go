package classify

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/random"
)

// Sigmoid turns a class's score into a probability, 1 / (1 + exp(-(Slope f + Shift))).
type Sigmoid struct{ Slope, Shift float64 }

// At is the probability for a score.
func (s Sigmoid) At(f float64) float64 { return sigmoid(s.Slope*f + s.Shift) }

// folds deals the rows of every class into k parts, at random by the seed. A part is a
// mask over the rows.
func (t *task) folds(k int) [][]bool {
	out := make([][]bool, k)
	for f := range out {
		out[f] = make([]bool, len(t.labels))
	}
	byClass := make([][]int, t.classes)
	for i, l := range t.labels {
		if t.prior[i] > 0 {
			byClass[l] = append(byClass[l], i)
		}
	}
	order := random.New(t.o.Seed, "classify folds")
	next := 0
	for _, rows := range byClass {
		for _, at := range order.Perm(len(rows)) {
			out[next%k][rows[at]] = true
			next++
		}
	}
	return out
}

// without is the task with some rows left out.
func (t *task) without(held []bool) *task {
	prior := append([]float64(nil), t.prior...)
	for i, h := range held {
		if h {
			prior[i] = 0
		}
	}
	part := newTask(t.a, t.labels, t.classes, prior, t.o)
	part.o.OnStep = nil
	return part
}

// calibrate learns one sigmoid per class on scores of rows that were held out when the
// scores were learned. pooled lists classes that had too few rows for one of their own.
func calibrate(ctx context.Context, m machine, t *task) (sigmoids []Sigmoid, pooled []int, err error) {
	var held [][]bool
	if how := t.o.Calibration; how == Folds || (how == CalibrateAuto && len(t.labels) <= calibrateFolds) {
		held = t.folds(3)
	} else {
		held = t.folds(5)[:1]
	}
	n := len(t.labels)
	scores, seen := mat.NewDense(n, t.classes, nil), make([]float64, n)
	for _, fold := range held {
		out, err := m.train(ctx, t.without(fold))
		if err != nil {
			return nil, nil, err
		}
		for i, h := range fold {
			if h {
				scores.SetRow(i, out.scores.RawRowView(i))
				seen[i] = t.prior[i]
			}
		}
	}
	count := make([]int, t.classes)
	for i, l := range t.labels {
		if seen[i] > 0 {
			count[l]++
		}
	}
	var allScores, allWeights []float64
	var allPositive []bool
	for l := range t.classes {
		for i := range n {
			allScores, allPositive, allWeights = append(allScores, scores.At(i, l)), append(allPositive, t.labels[i] == l), append(allWeights, seen[i])
		}
	}
	for l := range t.classes {
		from, to := l*n, (l+1)*n
		if count[l] < fewest {
			pooled = append(pooled, l)
			from, to = 0, len(allScores)
		}
		sigmoids = append(sigmoids, platt(allScores[from:to], allPositive[from:to], allWeights[from:to]))
	}
	return sigmoids, pooled, nil
}

// fewest is the number of held-out rows a class needs for a sigmoid of its own.
const fewest = 3

// platt fits a sigmoid by maximum likelihood with Platt's smoothed targets, by Newton's
// method with step control (Lin, Lin and Weng 2007). The slope is not allowed to be
// negative: a score that ranks backwards says nothing.
func platt(scores []float64, positive []bool, weights []float64) Sigmoid {
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
	value := func(s Sigmoid) float64 {
		sum := 0.0
		for i, w := range weights {
			if w > 0 {
				z := s.Slope*scores[i] + s.Shift
				sum += w * (softplus(z) - target(i)*z)
			}
		}
		return sum
	}
	at := Sigmoid{Slope: 0, Shift: math.Log((plus + 1) / (minus + 1))}
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
			next := Sigmoid{at.Slope - t*d1, at.Shift - t*d2}
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
