package elm

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/outlying"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

// condensed is a table in which rows that repeat an earlier one, wherever it stands, are one row that counts
// as often, and rows that do not count are left out.
//
// As many nodes as rows, fewer of which are different, can follow them to the last digit, and
// then rounding decides what is chosen: weights would be repeated rows in exact arithmetic
// only. Condensed they are the same table, which is smaller too.
type condensed struct {
	x, t    *mat.Dense
	weights []float64
	of      []int // row of x that each row became; -1: left out
}

// condense returns nil where there is nothing to do, where rows are not in memory or hold
// numbers that are none, and where fewer than two rows would be left. varied tells that equal inputs have different targets:
// there rows that are equal are observations of their own, and those alone that stand behind each other are condensed.
func condense(src linalg.Source, t *mat.Dense, weights []float64) (c *condensed, varied bool) {
	rows, ok := src.(linalg.InMemory)
	if !ok {
		return nil, false
	}
	x := rows.Dense()
	n, d := x.Dims()
	if finiteRows(x) != nil {
		return nil, false
	}
	weights, _ = univariate.Counted(n, weights)
	counts := weighting{w: weights, k: 1}
	of, first, varied := copies(x, t, counts)
	if varied {
		of, first = runs(x, t, counts)
	}
	if len(first) == n || len(first) < 2 {
		return nil, varied
	}
	_, k := t.Dims()
	c = &condensed{x: mat.NewDense(len(first), d, nil), t: mat.NewDense(len(first), k, nil), weights: make([]float64, len(first)), of: of}
	for g, i := range first {
		c.x.SetRow(g, x.RawRowView(i))
		c.t.SetRow(g, t.RawRowView(i))
	}
	for i, g := range of {
		if g >= 0 {
			c.weights[g] += counts.at(i, 0)
		}
	}
	if slices.Min(c.weights) == 1 && slices.Max(c.weights) == 1 {
		c.weights = nil
	}
	return c, varied
}

// copies are the groups of equal rows that count, the group of each row (-1: none) and the first row of each group, unless
// equal inputs have different targets.
func copies(x, t *mat.Dense, counts weighting) (of, first []int, varied bool) {
	n, _ := x.Dims()
	of = make([]int, n)
	keys, _ := outlying.Fingerprints(context.Background(), linalg.FromDense(x)) // memory does not fail
	last := make(map[uint64]int, n)                                             // group that came last of those whose inputs share a key
	var before []int                                                            // the one before it; -1: none
	for i := range n {
		if of[i] = -1; counts.at(i, 0) == 0 {
			continue
		}
		g, found := last[keys[i]]
		if !found {
			g = -1
		}
		top := g
		for g >= 0 && !slices.Equal(x.RawRowView(i), x.RawRowView(first[g])) {
			g = before[g]
		}
		if g < 0 {
			g = len(first)
			last[keys[i]], before, first = g, append(before, top), append(first, i)
		} else if !slices.Equal(t.RawRowView(i), t.RawRowView(first[g])) {
			return nil, nil, true
		}
		of[i] = g
	}
	return of, first, false
}

// runs are the groups of equal rows that stand behind each other.
func runs(x, t *mat.Dense, counts weighting) (of, first []int) {
	n, _ := x.Dims()
	of = make([]int, n)
	for i := range n {
		last := len(first) - 1
		switch {
		case counts.at(i, 0) == 0:
			of[i] = -1
		case last >= 0 && slices.Equal(x.RawRowView(i), x.RawRowView(first[last])) && slices.Equal(t.RawRowView(i), t.RawRowView(first[last])):
			of[i] = last
		default:
			of[i] = last + 1
			first = append(first, i)
		}
	}
	return of, first
}

// fitCondensed learns from the condensed table and tells about all rows.
func (o Options) fitCondensed(ctx context.Context, c *condensed, src linalg.Source, t *mat.Dense, pl plan) (*Model, error) {
	o.Weights = c.weights
	m, err := o.fit(ctx, linalg.FromDense(c.x), c.t, pl)
	if err != nil {
		return nil, err
	}
	x := src.(linalg.InMemory).Dense()
	whole := given.Rest(ctx)
	out, err := m.Predict(whole, x)
	if err != nil {
		return nil, err
	}
	each := len(m.weights) / m.rows
	weights := make([]float64, 0, len(c.of)*each)
	for i, g := range c.of {
		if g >= 0 {
			weights = append(weights, m.weights[g*each:(g+1)*each]...)
		} else {
			weights = m.appendWeights(weights, out.RawRowView(i), t.RawRowView(i))
		}
	}
	if left := m.inputs.left; left != nil {
		absurd := make([]bool, m.rows)
		for _, g := range left.Index {
			absurd[g] = true
		}
		left.Index = nil
		for i, g := range c.of {
			if g >= 0 && absurd[g] {
				left.Index = append(left.Index, i)
			}
		}
	}
	m.rows, m.weights = len(c.of), weights
	if m.labels {
		m.lonely = lonely(t)
	}
	m.training = m.judgeOutputs(x, out, t)
	return m, nil
}

// appendWeights adds what the loss makes of a row that did not count in the fit.
func (m *Model) appendWeights(weights, out, targets []float64) []float64 {
	sum := 0.0
	for c, v := range targets {
		own := m.single(c)
		e := math.Min(math.Abs(v-out[c])/own.unit, 1e150)
		sum += e * e
		if !m.perRow {
			weights = append(weights, m.lossWeight(own.loss, e*e, own.largest))
		}
	}
	if m.perRow {
		weights = append(weights, m.lossWeight(m.loss, sum, m.largest))
	}
	return weights
}

// lossWeight is the weight of a squared error where full counts as one; 1 without reweighting.
func (m *Model) lossWeight(l loss.Scaled, s, full float64) float64 {
	if !m.robust || full == 0 {
		return 1
	}
	return math.Min(l.Weight(s)/full, 1)
}
