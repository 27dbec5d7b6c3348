package pca

import (
	"context"
	"math"

	"github.com/inlier-ml/inlier/irls"
)

// Where the directions left over vary hardly less than those kept, no subspace is there to be found: which
// directions are left over is decided by chance, and they are those in which the rows that count happen to vary
// least. New rows do not. Neither do rows left out of the last step alone, because weights and start were
// learned with them: there all is learned again without each fold, in tables so small that it costs little.

const (
	// flatRatio is how many times the variance left over in a direction the least one kept must be for the
	// subspace to be one that rows agree upon.
	flatRatio = 20
	// fewRows is how many rows for each component let the variance left over be seen as it is.
	fewRows = 10
	// relearnedNumbers bounds the size of tables of which all is learned again without each fold, times the directions left over:
	// the more these are, the less does it matter which.
	relearnedNumbers = 1e4
	// relearnedFolds is into how many parts their rows are divided.
	relearnedFolds = 10
	// relearnedDirections is how many directions tell which half is the least outlying there.
	relearnedDirections = 100
)

// spectrum is what a fit says of variances, in a unit of its own.
type spectrum struct {
	kept []float64 // along the components, largest first; nil: unknown
	rest float64   // in each direction left over, on average
}

// spectrum returns the variances of the rows with the weights learned, of which s are the squared distances.
func (f learned) spectrum(s []float64, pl plan) spectrum {
	d, m := f.at.basis.Dims()
	if pl.unweighted || len(f.at.values) < m || m >= d { // every row votes, and weights are not learned
		return spectrum{}
	}
	rest := 0.0
	for i, v := range s {
		if w := f.res.Weights[i]; w > 0 {
			rest += w * v
		}
	}
	return spectrum{kept: f.at.values[:m], rest: rest / float64(d-m)}
}

// turned is how many directions' worth of the squared distance the subspace gained by turning towards the rows: one for each
// component, more where its variance is hardly larger than those left over (the second-order
// perturbation of eigenvalues, l/(l - rest)).
func (s spectrum) turned(m int) float64 {
	if s.kept == nil {
		return float64(m)
	}
	sum := 0.0
	for _, v := range s.kept {
		if gap := v - s.rest; gap > 0 {
			sum += v / gap
		} else {
			return math.Inf(1)
		}
	}
	return sum
}

// flat tells whether the last component could as well be another direction.
func (s spectrum) flat() bool {
	return s.kept != nil && s.kept[len(s.kept)-1] < flatRatio*s.rest
}

// relearns tells whether start and weights are learned again without each fold. Tables of rare values are left alone: half
// of their rows lie in a plane, whichever half it is.
func (o Options) relearns(ctx context.Context, t *table, found learned, spectrum spectrum) (bool, error) {
	n, d := t.given.Dims()
	rows, m := total(o.Weights, n), len(spectrum.kept)
	switch {
	case m == 0 || t.gaps != nil || found.res.Status == irls.Cancelled || rows*float64(d)*float64(d-m) > relearnedNumbers:
		return false, nil
	case !spectrum.flat() && rows >= fewRows*float64(m+1):
		return false, nil
	}
	rare, err := t.mostlyOne(ctx, o)
	return !rare, err
}

// learnWithout learns start, subspace and weights without each fold; nil where the rest of the rows would be refused.
func (o Options) learnWithout(ctx context.Context, t *table, found learned, out *leftOut, pl plan) ([]subspace, [][]float64) {
	prior := o.Weights
	_, o.Components = found.at.basis.Dims()
	o.OnStep = nil
	states, weights := make([]subspace, out.folds), make([][]float64, out.folds)
	for k := range states {
		aside := *t
		aside.directions = relearnedDirections
		o.Weights = out.except(k, prior)
		again, err := o.learn(ctx, &aside, pl)
		if err != nil {
			return nil, nil
		}
		states[k] = subspace{mean: again.at.mean, basis: again.at.basis}
		weights[k] = again.res.Weights
	}
	return states, weights
}
