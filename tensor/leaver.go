package tensor

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// leaver holds the sums of every part.
type leaver struct {
	f       *fit
	m       *Model
	again   bool // the modes of a part see each other once more
	modes   []int
	factors []*mat.Dense // of the other modes in a mode's Gram matrix
	parts   []*moments   // of the learned weights
	means   []*moments   // of the prior weights, for a mean that is not estimated
}

func (f *fit) newLeaver(ctx context.Context, m *Model, parts []int, count int) (*leaver, error) {
	l := &leaver{f: f, m: m, factors: m.at.factors, again: f.again()}
	if f.plan.own != nil || l.again { // one-shot: modes do not see each other
		l.factors = make([]*mat.Dense, len(m.shape))
	}
	for k := range m.shape {
		l.modes = append(l.modes, k)
	}
	w, prior := make([]float64, f.p.n), make([]float64, f.p.n)
	for part := range count {
		for i, k := range parts {
			if w[i], prior[i] = 0, 0; k == part {
				w[i], prior[i] = m.weights[i], f.prior(i)
			}
		}
		acc, err := f.p.accumulate(ctx, w, m.at.mean, false, l.factors, l.modes)
		if err != nil {
			return nil, err
		}
		l.parts = append(l.parts, acc)
		if f.p.fixed != nil {
			if acc, err = f.p.accumulate(ctx, prior, m.at.mean, false, nil, nil); err != nil {
				return nil, err
			}
			l.means = append(l.means, acc)
		}
	}
	return l, nil
}

// without is what all parts but one say, -1 for all: mean, factors and variances.
func (l *leaver) without(ctx context.Context, part int) (*Model, error) {
	sum := l.others(l.parts, l.modes, part)
	out := &Model{shape: l.m.shape, ranks: l.m.ranks, at: bases{mean: l.m.at.mean, factors: make([]*mat.Dense, len(l.modes))}}
	if sum.total > 0 {
		out.at.mean = l.f.p.recentre(sum, l.m.at.mean, l.factors, l.modes)
	}
	if l.means != nil {
		out.at.mean = l.moved(sum, part, out.at.mean)
	}
	for _, k := range l.modes {
		gram := mat.NewSymDense(l.m.shape[k], sum.grams[k])
		values := make([]float64, l.m.ranks[k])
		if u := l.m.at.factors[k]; u != nil {
			leading, vectors, err := linalg.TopEigen(ctx, gram, l.m.ranks[k], u)
			if err != nil {
				return nil, err
			}
			values, out.at.factors[k] = leading, vectors
		} else {
			for j := range values {
				values[j] = gram.At(j, j)
			}
		}
		for j, v := range values {
			values[j] = math.Max(v, 0) / math.Max(sum.total, math.SmallestNonzeroFloat64)
		}
		out.variances = append(out.variances, values)
	}
	return out, ctx.Err()
}

// sweep improves mean, factors and variances of the samples outside a part together.
func (l *leaver) sweep(ctx context.Context, m *Model, parts []int, part int) error {
	m.weights = slices.Clone(l.m.weights)
	for i, k := range parts {
		if k == part {
			m.weights[i] = 0
		}
	}
	p := &problem{samples: l.f.p.samples, ranks: m.ranks}
	if l.f.p.fixed != nil {
		p.fixed = m.at.mean
	}
	at, values, total, err := p.solve(ctx, m.at, m.weights)
	if err != nil {
		return err
	}
	m.at = at
	for _, all := range values {
		if all == nil { // a mode that is kept whole
			m.variances = nil
			return m.findVariances(ctx, p.samples)
		}
		for j, v := range all {
			all[j] = math.Max(v, 0) / math.Max(total, math.SmallestNonzeroFloat64)
		}
	}
	m.variances = values
	return nil
}

// others adds up all parts but one.
func (l *leaver) others(parts []*moments, modes []int, part int) *moments {
	sum := &moments{sum: make([]float64, l.f.p.d), grams: make([][]float64, len(l.m.shape))}
	for _, k := range modes {
		sum.grams[k] = make([]float64, l.m.shape[k]*l.m.shape[k])
	}
	for k, p := range parts {
		if k != part {
			sum.add(p, modes)
		}
	}
	return sum
}

// moved moves the Gram matrices of sum from the mean of the learned weights to that of the
// prior weights, which it returns.
func (l *leaver) moved(sum *moments, part int, from []float64) []float64 {
	prior := l.others(l.means, nil, part)
	mean := make([]float64, len(from))
	k := l.f.p.desk()
	defer l.f.p.desks.put(k)
	for j, v := range prior.sum {
		mean[j] = l.m.at.mean[j] + v/prior.total
		k.x[j] = mean[j] - from[j]
	}
	kernel.Dscal(k.d, math.Sqrt(sum.total), k.x, 1)
	for _, mode := range l.modes {
		k.gram(1, l.factors, mode, sum.grams[mode])
	}
	return mean
}
