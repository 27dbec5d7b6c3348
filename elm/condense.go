package elm

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

// condensed is a table in which rows that repeat the one before them are one row that counts
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
// numbers that are none, and where fewer than two rows would be left.
func condense(src linalg.Source, t *mat.Dense, weights []float64) *condensed {
	rows, ok := src.(linalg.InMemory)
	if !ok {
		return nil
	}
	x := rows.Dense()
	n, d := x.Dims()
	weights, _ = univariate.Counted(n, weights)
	counts := weighting{w: weights, k: 1}
	first := make([]int, 0, n) // of each group
	of := make([]int, n)
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
	if len(first) == n || len(first) < 2 || finiteRows(x) != nil {
		return nil
	}
	_, k := t.Dims()
	c := &condensed{x: mat.NewDense(len(first), d, nil), t: mat.NewDense(len(first), k, nil), weights: make([]float64, len(first)), of: of}
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
	return c
}

// fitCondensed learns from the condensed table and tells about all rows.
func (o Options) fitCondensed(ctx context.Context, c *condensed, src linalg.Source, t *mat.Dense, pl plan) (*Model, error) {
	o.Weights = c.weights
	m, err := o.fit(ctx, linalg.FromDense(c.x), c.t, pl)
	if err != nil {
		return nil, err
	}
	x := src.(linalg.InMemory).Dense()
	whole := context.WithoutCancel(ctx)
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
