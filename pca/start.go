package pca

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/outlying"
	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
)

const (
	// startRows is the number of rows that the search for the least outlying half looks at.
	startRows = 2000
	// startDirections is the number of directions through pairs of rows.
	startDirections = 500
	// roughly is the relative accuracy of subspaces that will be improved anyway.
	roughly = 1e-5
)

// begin returns the subspace that the reweighting starts from and its dimension.
func (t *table) begin(ctx context.Context, o Options, learn func(m int) int) (subspace, int, error) {
	src := t.inside
	if o.Votes != nil {
		w := make([]float64, len(o.Votes))
		for i, v := range o.Votes {
			w[i] = v * weightAt(o.Weights, i)
		}
		return classicStart(ctx, src, w, o, learn)
	}
	switch o.Start {
	case StartClassic:
		return classicStart(ctx, src, o.Weights, o, learn)
	case StartSpherical:
		w, err := sphericalWeights(ctx, src, o)
		if err != nil {
			return subspace{}, 0, err
		}
		return classicStart(ctx, src, w, o, learn)
	}
	return halfStart(ctx, src, o, cmp.Or(t.directions, startDirections), learn)
}

// classicStart is ordinary (weighted) PCA.
func classicStart(ctx context.Context, src linalg.Source, w []float64, o Options, learn func(m int) int) (subspace, int, error) {
	n, d := src.Dims()
	if d > gramLimit && o.Components > 0 && 4*o.Components < d {
		m := learn(o.Components)
		p := &problem{src: src, m: m}
		draw := random.New(o.Seed, "classic start")
		first := mat.NewDense(d, m, nil)
		first.Apply(func(_, _ int, _ float64) float64 { return draw.NormFloat64() }, first)
		linalg.Orthonormalize(first)
		out, err := p.blockStep(ctx, subspace{basis: first}, orOnes(w, n))
		return out, o.Components, err
	}
	total, mean, scatter, err := linalg.WeightedMoments(ctx, src, w)
	if err != nil {
		return subspace{}, 0, err
	}
	out, m, err := leading(ctx, scatter, mean, n, o, learn)
	if err == nil && unsafe(src, out.values) {
		return classicStart(ctx, linalg.Widened(src), w, o, learn)
	}
	return out.with(scatter, total), m, err
}

// leading takes the leading directions of a scatter and chooses their number if it is open.
func leading(ctx context.Context, scatter *mat.SymDense, mean []float64, n int, o Options, learn func(m int) int) (subspace, int, error) {
	m := o.Components
	if m == 0 {
		values, _, err := linalg.SymEigen(ctx, scatter)
		if err != nil {
			return subspace{}, 0, err
		}
		if m = chooseComponents(values, o.Share, n); m == 0 {
			return subspace{}, 0, errConstant
		}
	}
	values, vectors, err := linalg.TopEigen(ctx, scatter, learn(m), nil)
	if err != nil {
		return subspace{}, 0, err
	}
	return subspace{mean: mean, basis: vectors, values: values}, m, nil
}

// chooseComponents returns the smallest number of components that explain the share.
func chooseComponents(values []float64, share float64, n int) int {
	total := 0.0
	for _, v := range values {
		total += math.Max(v, 0)
	}
	if total == 0 {
		return 0
	}
	most := min(len(values), n-1, maxAutoComponents)
	sum := 0.0
	for k := 0; k < most; k++ {
		if k > 0 && values[k] <= 1e-12*values[0] {
			return k
		}
		sum += values[k]
		if sum >= share*total*(1-1e-12) {
			return k + 1
		}
	}
	return most
}

// sphericalWeights gives each row the weight 1/||x - centre||^2, so that the weighted
// scatter is that of the directions (spherical PCA), about the spatial median.
func sphericalWeights(ctx context.Context, src linalg.Source, o Options) ([]float64, error) {
	n, _ := src.Dims()
	centre, err := spatialMedian(ctx, src, o.Weights)
	if err != nil {
		return nil, err
	}
	w := make([]float64, n)
	if err := linalg.Residuals(ctx, src, centre, nil, w, nil); err != nil {
		return nil, err
	}
	floor := univariate.WeightedMedian(w, o.Weights) * 1e-12
	for i := range w {
		w[i] = 1 / math.Max(w[i], math.Max(floor, math.SmallestNonzeroFloat64*1e16))
		if o.Weights != nil {
			w[i] *= o.Weights[i]
		}
	}
	return w, nil
}

// halfStart looks for the least outlying half of the rows: the outlyingness of a row is
// its largest robustly standardised distance from the centre over many directions through
// pairs of rows (Stahel 1981, Donoho 1982; ROBPCA of Hubert et al. 2005). From the
// subspace of that half, concentration steps lower the sum of the h smallest squared
// distances until the half stands still.
func halfStart(ctx context.Context, src linalg.Source, o Options, directions int, learn func(m int) int) (subspace, int, error) {
	x, w, err := sampleRows(ctx, src, o, startRows)
	if err != nil {
		return subspace{}, 0, err
	}
	n, _ := x.Dims()
	out, err := outlyingness(ctx, x, w, directions, o.Seed)
	if err != nil {
		return subspace{}, 0, err
	}
	h := outlying.HalfSize(total(w, n), o.Components)
	half := univariate.SmallestWeight(out, w, h)
	sample := linalg.FromDense(x)
	_, mean, scatter, err := linalg.WeightedMoments(ctx, sample, half)
	if err != nil {
		return subspace{}, 0, err
	}
	at, m, err := leading(ctx, scatter, mean, int(h), o, learn)
	switch {
	case errors.Is(err, errConstant):
		return subspace{}, 0, errHalfEqual
	case err != nil:
		return subspace{}, 0, err
	}
	_, rank := at.basis.Dims()
	p := &problem{src: sample, m: rank, within: roughly}
	h = outlying.HalfSize(total(w, n), m) // fewer rows could lie in a subspace of that size by chance
	still := 1e-9                         // relative fall of the trimmed sum that ends the steps
	if all, _ := src.Dims(); countRows(all, o.Weights) > startRows {
		still = 1e-3 // a sample's optimum is only a start
	}
	at, _, err = outlying.Concentrate(ctx, p, at, w, h, still)
	return at, m, err
}

// outlyingness is that of [outlying.Degrees] by the densest half.
func outlyingness(ctx context.Context, x *mat.Dense, w []float64, directions int, seed uint64) ([]float64, error) {
	n, _ := x.Dims()
	out, err := outlying.Degrees(ctx, x, w, directions, outlying.Densest(outlying.HalfSize(total(w, n), 0)), seed)
	if errors.Is(err, outlying.ErrEqual) {
		err = errConstant
	}
	return out, err
}

func orOnes(w []float64, n int) []float64 {
	if w != nil {
		return w
	}
	w = make([]float64, n)
	for i := range w {
		w[i] = 1
	}
	return w
}

// drawnRows are rows from equal stretches of the weight.
func drawnRows(places univariate.Rows, seed uint64, most int) []int {
	return places.Spaced(most, random.New(seed, "sample of rows").Float64)
}

// sampleRows returns the rows with positive weight and their weights, or about the given
// number of rows, drawn in proportion to their weights from equal stretches of the table
// and kept in order: they count alike, and their weights are nil. An integer weight acts
// like repeated rows in either case. Small data are not copied.
func sampleRows(ctx context.Context, src linalg.Source, o Options, most int) (*mat.Dense, []float64, error) {
	n, _ := src.Dims()
	places := univariate.NewRows(n, o.Weights)
	positive := n
	for _, v := range o.Weights {
		if v == 0 {
			positive--
		}
	}
	if positive > most || places.Total() > float64(most) {
		x, err := linalg.Gather(ctx, src, drawnRows(places, o.Seed, most))
		return x, nil, err
	}
	rows := make([]int, 0, n)
	var weights []float64
	for i := 0; i < n; i++ {
		if o.Weights == nil {
			rows = append(rows, i)
		} else if o.Weights[i] > 0 {
			rows = append(rows, i)
			weights = append(weights, o.Weights[i])
		}
	}
	if !slices.ContainsFunc(weights, func(v float64) bool { return v != 1 }) {
		weights = nil
	}
	if m, ok := src.(linalg.InMemory); ok && len(rows) == n {
		return m.Dense(), weights, nil
	}
	x, err := linalg.Gather(ctx, src, rows)
	return x, weights, err
}
