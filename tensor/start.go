package tensor

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/outlying"
	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
)

// startSamples is how many samples of a large set the search for a start looks at.
const startSamples = 2000

// begin returns the state that the reweighting starts from and completes the ranks of p
// (those it learns with) and of the fit where they are open.
func (f *fit) begin(ctx context.Context, mean []float64) (bases, error) {
	if f.o.Start == StartClassic {
		all, err := f.p.once(ctx, f.o.Weights, mean)
		if err != nil {
			return bases{}, err
		}
		if err := f.choose(all); err != nil {
			return bases{}, err
		}
		return all.at(f.p.ranks), nil
	}
	return f.halfStart(ctx)
}

// choose fixes the ranks: as asked for, or by the share to keep.
func (f *fit) choose(all *spectrum) (err error) {
	if f.ranks == nil {
		f.ranks = all.ranks(f.o.Share)
	}
	f.p.ranks, err = f.o.learnRanks(f.ranks)
	return err
}

// halfStart looks for the least outlying half of the samples. From the factors of that
// half, concentration steps lower the sum of the smallest squared residuals that hold half
// of the weight until the half stands still.
func (f *fit) halfStart(ctx context.Context) (bases, error) {
	x, w, err := f.sample(ctx)
	if err != nil {
		return bases{}, err
	}
	n, _ := x.Dims()
	out, err := outlying.Degrees(ctx, x, w, directions, outlying.Middle, f.o.Seed)
	switch {
	case errors.Is(err, outlying.ErrEqual):
		return bases{}, errConstant
	case err != nil:
		return bases{}, err
	}
	total := univariate.NewRows(n, w).Total()
	h := outlying.HalfSize(total, 0)
	if v := votes(n, w); v > total { // weights that are mere shares
		h = total/2 + total/v
	}
	h = math.Min(h, total)
	half := univariate.SmallestWeight(out, w, h)
	p := &problem{samples: f.p.others(linalg.FromDense(x)), fixed: f.p.fixed, spread: f.p.spread}
	all, err := p.once(ctx, half, x.RawRowView(firstOf(half)))
	if err != nil {
		return bases{}, err
	}
	if err := f.choose(all); err != nil {
		return bases{}, err
	}
	p.ranks = f.p.ranks
	at, s, err := outlying.Concentrate(ctx, p, all.at(p.ranks), w, h, 1e-3)
	if err != nil {
		return bases{}, err
	}
	f.findNoise(x, w, s, at)
	if n == f.p.n {
		return at, nil
	}
	// The reweighting is cheap on a part; the few steps that remain on all samples then
	// start next to the end.
	set := f.settings()
	set.Prior, set.OnStep, set.Tol = w, nil, math.Max(set.Tol, 1e-4)
	res, err := irls.Run(ctx, p, at, set)
	if err == nil && res.Status == irls.Cancelled { // all samples together have no state yet
		err = ctx.Err()
	}
	return res.State, err
}

// findNoise finds what rounding of the numbers adds to squared residuals: s are those of the
// samples x.
func (f *fit) findNoise(x *mat.Dense, w, s []float64, at bases) {
	if n, d := x.Dims(); n > outlying.RoundingRows { // some tell
		x, s = x.Slice(0, outlying.RoundingRows, 0, d).(*mat.Dense), s[:outlying.RoundingRows]
		if w != nil {
			w = w[:outlying.RoundingRows]
		}
	}
	f.noise = outlying.RoundingNoise(x, w, s, f.p.spread, func(j int) float64 {
		kept := 1.0 // of the entry's axis: the product over the modes
		for k := len(f.o.Shape) - 1; k >= 0; k-- {
			i := j % f.o.Shape[k]
			j /= f.o.Shape[k]
			if u := at.factors[k]; u != nil {
				sum := 0.0
				for _, v := range u.RawRowView(i) {
					sum += v * v
				}
				kept *= sum
			}
		}
		return 1 - kept
	})
}

func firstOf(marks []float64) int {
	for i, m := range marks {
		if m > 0 {
			return i
		}
	}
	return 0
}

// sample returns all samples with their weights, or of a large set the ones at random places
// of equal stretches of the weight. A set in memory is not copied as a whole.
func (f *fit) sample(ctx context.Context) (x *mat.Dense, w []float64, err error) {
	places := univariate.NewRows(f.p.n, f.o.Weights)
	size := math.Max(places.Total(), votes(f.p.n, f.o.Weights))
	m, inMemory := f.p.src.(linalg.InMemory)
	switch {
	case inMemory && size < 5*startSamples && f.p.n < 10*startSamples:
		return m.Dense(), f.o.Weights, nil
	case size <= startSamples && f.p.n < 10*startSamples:
		x, err = linalg.Gather(ctx, f.p.src, upTo(f.p.n))
		return x, f.o.Weights, err
	}
	draw := random.New(f.o.Seed, "part of the samples")
	x, err = linalg.Gather(ctx, f.p.src, places.Spaced(startSamples, draw.Float64))
	return x, nil, err
}

func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
