package tensor

import (
	"context"
	"math"
	"slices"

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

// again tells whether the modes of a part see each other once more.
func (f *fit) again() bool { return f.plan.own == nil && votes(f.p.n, f.o.Weights) <= fewSamples }

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
	n, most := math.Max(votes(f.p.n, f.o.Weights), f.of), 0.0
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
