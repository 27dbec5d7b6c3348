package tensor

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/outlying"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
)

const (
	// folds is the number of parts of which each is left out in turn, fewFolds where that
	// costs a sweep each.
	folds, fewFolds = 10, 5
	// fewParts is the number of parts below which nothing is left out.
	fewParts = 4
	// fewSamples is up to how many samples the modes of a part see each other again: each
	// then had a share in the factors of the others that matters.
	fewSamples = 120
	// everyPart is up to how many samples every part is left out in turn. Of more, what
	// someParts, or onePart where that costs a sweep, tell holds for the others too.
	everyPart          = 40
	someParts, onePart = 2, 1
	// negligible is the shift of a cut-off, in standard deviations of the distances, below
	// which nothing is left out: about half a percent more new samples would be flagged.
	negligible = 0.1
)

// leftOut returns squared residuals and score distances of the training samples as if each
// were new. Samples lie closer to factors that they have helped to choose than new ones
// do, and a cut-off from such distances flags new samples by the dozen. So the samples are
// dealt to ten parts (five where they are few), and a part is measured by what the others alone make of mean,
// factors and variances: with the learned weights, and each mode's Gram matrix for the final
// factors of the other modes, so that all parts together cost one sweep. Some parts tell by how
// much distances grow; those of the other samples grow as much. Where the samples
// are many beside the numbers they determine nothing is done.
func (f *fit) leftOut(ctx context.Context, m *Model, seen *measured) (*measured, error) {
	if f.optimism(m.ranks, seen.distances) < negligible {
		return seen, nil
	}
	parts, count, err := f.parts(ctx, seen.distances)
	if err != nil {
		return nil, err
	}
	if count < fewParts {
		return seen, nil
	}
	tried := f.tried(count)
	stay := tried < count
	for i, k := range parts { // the rest, and samples that cannot be spared, are one part, which stays
		if k >= tried || k < 0 && f.prior(i) > 0 {
			parts[i], stay = tried, true
		}
	}
	if count = tried; stay {
		count++
	}
	l, err := f.newLeaver(ctx, m, parts, count)
	if err != nil {
		return nil, err
	}
	out := &measured{distances: slices.Clone(seen.distances), scores: slices.Clone(seen.scores)}
	var all *Model
	if f.plan.own != nil {
		if all, err = l.without(ctx, -1); err != nil {
			return nil, err
		}
	}
	for part := range tried {
		var rows []int
		for i, k := range parts {
			if k == part {
				rows = append(rows, i)
			}
		}
		x, err := linalg.Gather(ctx, f.truth.src, rows)
		if err != nil {
			return nil, err
		}
		own := f.truth.others(linalg.FromDense(x))
		others, err := l.without(ctx, part)
		if err != nil {
			return nil, err
		}
		if l.again {
			if err := l.sweep(ctx, others, parts, part); err != nil {
				return nil, err
			}
		}
		a, err := others.measure(ctx, own)
		if err != nil {
			return nil, err
		}
		for k, i := range rows {
			out.distances[i], out.scores[i] = a.distances[k], a.scores[k]
		}
		if all == nil {
			continue
		}
		// The method has factors of its own way; what leaving out changes in the one-shot
		// solution is taken over.
		b, err := all.measure(ctx, own)
		if err != nil {
			return nil, err
		}
		for k, i := range rows {
			out.distances[i] = seen.distances[i] * ratio(a.distances[k], b.distances[k])
			out.scores[i] = seen.scores[i] * ratio(a.scores[k], b.scores[k])
		}
	}
	if tried < count {
		f.spreadGrowth(out.distances, seen.distances, parts, tried)
		f.spreadGrowth(out.scores, seen.scores, parts, tried)
	}
	return out, nil
}

// tried is how many of the parts are left out: all where every sample has a full vote, because
// what a few noisy ones do to the factors differs from part to part.
func (f *fit) tried(count int) int {
	switch {
	case votes(f.p.n, f.o.Weights) <= everyPart || f.plan.own != nil || f.plan.unweighted:
		return count
	case f.again():
		return min(onePart, count)
	}
	return min(someParts, count)
}

// spreadGrowth lets the values of samples that stayed grow as those left out typically did.
func (f *fit) spreadGrowth(out, seen []float64, parts []int, tried int) {
	var growth, w []float64
	for i, part := range parts {
		if part >= 0 && part < tried && seen[i] > 0 && out[i] > 0 {
			growth, w = append(growth, math.Log(out[i]/seen[i])), append(w, f.prior(i))
		}
	}
	if len(growth) == 0 {
		return
	}
	location, scale := univariate.WeightedDeviation(growth, w)
	location, _ = univariate.WeightedRefine(growth, w, location, scale, cutoffLevel)
	for i, part := range parts {
		if part == tried {
			out[i] = math.Min(out[i]*math.Exp(location), math.MaxFloat64)
		}
	}
}

func ratio(a, b float64) float64 {
	if a > 0 && b > 0 {
		return a / b
	}
	return 1
}

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

// again tells whether the modes of a part see each other once more.
func (f *fit) again() bool { return f.plan.own == nil && votes(f.p.n, f.o.Weights) <= fewSamples }

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
			leading, vectors, err := linalg.TopEigen(gram, l.m.ranks[k], u)
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

// prior is the weight that sample i came with, 0 if it was left out from the beginning.
func (f *fit) prior(i int) float64 {
	if f.o.Weights == nil {
		return 1
	}
	return f.o.Weights[i]
}

// parts deals the samples to parts.
func (f *fit) parts(ctx context.Context, distances []float64) (parts []int, count int, err error) {
	alike, err := outlying.Fingerprints(ctx, f.truth.src)
	if err != nil {
		return nil, 0, err
	}
	count = folds
	if f.again() {
		count = fewFolds
	}
	parts, count = outlying.Deal(distances, alike, f.o.Weights, count)
	return parts, count, nil
}

// optimism estimates how far the distances of new samples lie beyond those of training
// samples, in standard deviations of the latter: the mean takes one part in n, and the
// leading directions of noise hold more of it than others by the edge of its spectrum
// (Marchenko and Pastur 1967).
func (f *fit) optimism(ranks []int, distances []float64) float64 {
	n, most := votes(f.p.n, f.o.Weights), 0.0
	for i, v := range distances {
		if f.prior(i) > 0 {
			most = math.Max(most, v)
		}
	}
	rest := float64(f.p.d - product(ranks))
	if rest <= 0 || most*most <= f.exact() {
		return 0
	}
	taken := rest / n
	for k, r := range ranks {
		if r < f.o.Shape[k] {
			taken += 2 * float64(r) * math.Sqrt(float64(f.o.Shape[k])*float64(product(ranks)/r)/n)
		}
	}
	location, scale := univariate.WeightedDeviation(distances, f.o.Weights)
	return taken / rest / 2 * location / scale
}
