package pca

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/mcd"
	"github.com/inlier-ml/inlier/internal/outlying"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/verdict"
)

// Training rows lie nearer to the subspace than new ones do, because it was turned towards
// them: with m components of n rows, about 2(m+1)/n of the squared distance is missing, and
// with more columns than rows that is far more than distances vary. A limit from such
// distances calls almost every new row an outlier. Where it matters, the rows are therefore
// divided into folds, the subspace is solved again without each fold (the learned weights
// stay: rows that were rejected remain so), and rows are measured by the subspace that they
// had no part in. Cut-offs and verdicts of training rows come from these distances.
// Large tables do not need it and pay nothing.

// leftOut holds a subspace without each fold of rows.
type leftOut struct {
	fold    []int // of each row; -1: had no part in the fit anyway, or cannot be spared
	folds   int
	sampled float64 // excess of a new row, of that in a fit to these rows alone
	states  []subspace
	squared []float64 // squared distances of the rows, left out
	// weights that each subspace was learned with; nil: those of all rows, less the fold.
	weights [][]float64
}

// leaveOut solves without each fold; nil when there is no need or too little to spare.
func (o Options) leaveOut(ctx context.Context, t *table, found learned, s []float64, pl plan) (*leftOut, error) {
	d, m := found.at.basis.Dims()
	n := found.full.Len()
	spectrum := found.spectrum(s, pl)
	relearn, err := o.relearns(ctx, t, found, spectrum)
	if err != nil {
		return nil, err
	}
	sampled := 1.0 // what the excess of a row is of that in a fit to these rows alone; see towards
	if t.of > 0 {
		if sampled = total(o.Weights, n) / t.of; spectrum.flat() {
			sampled = math.Sqrt(sampled)
		}
	}
	if m >= d || !relearn && !biased(s, o.Weights, m, spectrum, sampled) {
		return nil, nil
	}
	alike, err := outlying.Fingerprints(ctx, t.given)
	if err != nil {
		return nil, err
	}
	_, columns := t.given.Dims()
	parts := folds(total(o.Weights, n), n, columns)
	if relearn {
		parts = min(parts, relearnedFolds)
	}
	fold, folds := outlying.Deal(s, alike, o.Weights, parts)
	if folds < 2 {
		return nil, nil
	}
	out := &leftOut{fold: fold, folds: folds, sampled: sampled, squared: slices.Clone(s)}
	for k := range folds {
		left := 0
		for i, v := range found.res.Weights {
			if v > 0 && fold[i] != k {
				left++
			}
		}
		if left < m+2 {
			return nil, nil
		}
	}
	if relearn {
		out.states, out.weights = o.learnWithout(ctx, t, found, out, pl)
	}
	if out.states == nil {
		if out.states, err = o.solveWithout(ctx, found, out, pl); err != nil {
			return nil, err
		}
	}
	apart := make([]float64, n)
	for k, state := range out.states {
		if err := linalg.Residuals(ctx, t.inside, state.mean, state.basis, apart, nil); err != nil {
			return nil, err
		}
		if t.gaps != nil {
			t.gaps.judge(state, apart, nil)
		}
		for i, v := range apart {
			if fold[i] == k {
				out.squared[i] = out.towards(v, s[i])
			}
		}
	}
	return out, nil
}

// except are weights without those of a fold.
func (l *leftOut) except(k int, w []float64) []float64 {
	out := make([]float64, len(l.fold))
	for i, f := range l.fold {
		if f != k {
			out[i] = weightAt(w, i)
		}
	}
	return out
}

// solveWithout solves without each fold, with the learned weights.
func (o Options) solveWithout(ctx context.Context, found learned, out *leftOut, pl plan) ([]subspace, error) {
	centre, err := centreWeights(ctx, found.full, found.res.Weights, o.Weights, pl.power)
	if err != nil {
		return nil, err
	}
	states := make([]subspace, out.folds)
	for k := range states {
		without, from := *found.full, found.at
		without.within = roughly
		if centre != nil {
			if _, without.fixed, err = linalg.WeightedMean(ctx, without.src, out.except(k, centre)); err != nil {
				return nil, err
			}
			from.mean = without.fixed
		}
		again := without.Solve
		if pl.again != nil {
			again = func(ctx context.Context, from subspace, w []float64) (subspace, error) {
				return pl.again(ctx, &without, from, w)
			}
		}
		state, err := again(ctx, from, out.except(k, found.res.Weights))
		if err != nil {
			return nil, err
		}
		states[k] = subspace{mean: state.mean, basis: state.basis}
	}
	return states, nil
}

// centreWeights are the weights with which the rows make up a centre that was found before
// the subspace, the generalised sample mean of the given power; nil without such a centre.
func centreWeights(ctx context.Context, full *problem, weights, prior []float64, power float64) ([]float64, error) {
	if full.fixed == nil {
		return nil, nil
	}
	w := make([]float64, full.Len())
	if err := linalg.Residuals(ctx, full.src, full.fixed, nil, w, nil); err != nil {
		return nil, err
	}
	floor := math.Max(1e-6*univariate.WeightedMedian(w, prior), math.SmallestNonzeroFloat64)
	for i, s := range w {
		if w[i] = 0; weights[i] > 0 {
			w[i] = weightAt(prior, i) * math.Pow((s+floor)/floor, power-1)
		}
	}
	return w, nil
}

// towards brings what was measured without a fold to what a new row meets, a fit of all rows. Of K folds, the excess of a
// row left out is K/(K-1) times that of a new row, and the lack of a training row about equals it. Where these rows are a
// sample of those that the subspace was learned from, a new row's excess and a training row's lack are less than in a fit to
// these rows: by perturbation that falls as one over the rows, and as one over their root where the spectrum is
// flat (the edge of Marchenko and Pastur's law, 2 sqrt(d/n)).
func (l *leftOut) towards(apart, inside float64) float64 {
	k := float64(l.folds)
	return math.Max(inside+(apart-inside)*2*l.sampled/(k/(k-1)+l.sampled), 0)
}

// biased tells whether the distances of training rows, of which s are a sample, fall short by more than a tenth of
// what they vary: a limit of 2.5 % would let in 3.1 % of new rows.
func biased(s, w []float64, m int, spectrum spectrum, sampled float64) bool {
	middle, vary := univariate.WeightedDeviation(s, w)
	return 2*(1+spectrum.turned(m))*sampled/total(w, len(s))*middle > 0.1*vary
}

// folds is in how many parts rows of d columns are left out: as many as cost little.
func folds(all float64, n, d int) int {
	switch {
	case all <= 40:
		return int(all)
	case all <= 60 || all*float64(d) <= 1e4:
		return 10
	case all*float64(d) <= 1e5 && d <= n:
		return 5
	}
	return 3
}

// inside is what tells where rows lie within the subspace.
type inside struct {
	keep    []float64 // weights of the rows near the subspace
	counted []float64 // of those inside the reweighted scatter; nil where the variances are those of the fit's weights
	rare    bool      // it is that of a table of rare values
	weights []float64 // of the fit
}

// scores replaces the score distances of training rows by those from centre and scatter
// of the scores without their fold.
func (l *leftOut) scores(ctx context.Context, t *table, distance []float64, in inside, o Options) error {
	n := len(distance)
	_, m := l.states[0].basis.Dims()
	z, s := mat.NewDense(n, m, nil), make([]float64, n)
	for k, at := range l.states {
		if err := linalg.Residuals(ctx, t.inside, at.mean, at.basis, s, z); err != nil {
			return err
		}
		if t.gaps != nil {
			t.gaps.judge(at, s, z)
		}
		centre, scatter, err := l.scatter(ctx, k, z, in, o)
		if err != nil {
			return err
		}
		values, axes, err := linalg.SymEigen(ctx, scatter)
		if err != nil {
			return err
		}
		turned := make([]float64, m)
		for i := range n {
			if l.fold[i] != k {
				continue
			}
			clear(turned)
			for c, v := range z.RawRowView(i) {
				for j := range turned {
					turned[j] += (v - centre[c]) * axes.At(c, j)
				}
			}
			sum := 0.0
			for j, v := range turned {
				if values[j] > 1e-14*values[0] {
					sum += v * v / values[j]
				}
			}
			distance[i] = math.Sqrt(l.towards(sum, distance[i]*distance[i]))
		}
	}
	return nil
}

// scatter returns centre and scatter of the scores z without a fold.
func (l *leftOut) scatter(ctx context.Context, k int, z *mat.Dense, in inside, o Options) ([]float64, *mat.SymDense, error) {
	_, m := z.Dims()
	weights := in.weights
	if l.weights != nil {
		weights = l.weights[k]
		if in.counted != nil && !in.rare {
			least := innerRows(m) * float64(l.folds-1) / float64(l.folds) * 0.9
			centre, scatter, counted, err := innerOf(ctx, z, l.except(k, in.keep), least, relearnedDirections, o.Seed)
			if counted != nil || err != nil {
				return centre, scatter, err
			}
		}
	}
	if in.counted != nil {
		weights = in.counted
	}
	w := l.except(k, weights)
	sum, centre, scatter, err := linalg.WeightedMoments(ctx, linalg.FromDense(z), w)
	if err != nil {
		return nil, nil, err
	}
	if in.counted != nil {
		scatter.ScaleSym(mcd.Consistency(m)/math.Max(sum-1, 1), scatter)
		return centre, scatter, nil
	}
	origin := make([]float64, m)
	shiftScatter(scatter, sum, centre, origin)
	scatter.ScaleSym(1/divisor(w, o.Weights), scatter)
	return origin, scatter, nil
}

// shrink is the factor by which scores of new rows fall short of (or exceed) what
// Hotelling's law says of a subspace that is known: one that was turned towards n rows shows
// more variance than new rows have. The typical score distances of regular rows tell.
func (l *leftOut) shrink(m int, n float64, judged *verdict.Rows, limit float64, prior []float64) float64 {
	var power, w []float64
	for i, v := range judged.ScoreDistance {
		if a := weightAt(prior, i); a > 0 && (limit == 0 || l.squared[i] <= limit*limit) {
			power, w = append(power, math.Cbrt(v*v)), append(w, a)
		}
	}
	if len(power) < 5 {
		return 1
	}
	sum := total(w, 0)
	location, _ := univariate.WeightedReweighted(power, w, outlying.HalfSize(sum, 0), cutoffLevel)
	return math.Pow(location/math.Cbrt(hotelling(m, n, 0.5)), 1.5)
}
