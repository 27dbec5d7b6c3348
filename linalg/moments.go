package linalg

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/given"
)

// momentRows is the number of rows that one call of the Gram kernel takes: enough for
// the reading and writing of the d x d result not to count, few enough for a cancelled
// computation to end soon.
const momentRows = 4096

// WeightedMoments returns the sum of the weights, the weighted mean and the weighted
// scatter, the sum of w (x-mean)(x-mean)' (not divided by anything); w nil means ones.
// Rows are shifted before they are multiplied, so that a large common offset costs no
// accuracy. Sources other than matrices in memory are read once, or twice in the rare
// case that their first rows are far from the mean of all. The products of a [Single] are
// those of single precision: scatters are off by a millionth of two columns' lengths at most.
func WeightedMoments(ctx context.Context, src Source, w []float64) (total float64, mean []float64, scatter *mat.SymDense, err error) {
	ctx = given.Context(ctx)
	n, d := src.Dims()
	if err := checkWeights(w, n); err != nil {
		return 0, nil, nil, err
	}
	if d == 0 {
		return 0, nil, nil, fmt.Errorf("linalg: moments of a table without columns")
	}
	if m := inMemory(src); m != nil {
		return momentsMemory(ctx, m, w)
	}
	if s := singleOf(src); s != nil {
		if total, mean, scatter, done, err := s.moments(ctx, w); done {
			return total, mean, scatter, err
		}
	}
	acc, err := momentsStream(ctx, src, w, nil)
	if err != nil {
		return 0, nil, nil, err
	}
	if !(acc.total > 0) {
		return 0, nil, nil, errNoWeight
	}
	if acc.farOff() {
		if acc, err = momentsStream(ctx, src, w, acc.Mean()); err != nil {
			return 0, nil, nil, err
		}
	}
	return acc.total, acc.Mean(), acc.Scatter(), nil
}

// momentsMemory finds the mean first, which costs little where the rows are at hand,
// and then a Gram matrix about it, whose tiles are shared out among the threads.
func momentsMemory(ctx context.Context, m *mat.Dense, w []float64) (float64, []float64, *mat.SymDense, error) {
	total, mean, err := WeightedMean(ctx, FromDense(m), w)
	if err != nil {
		return 0, nil, nil, err
	}
	raw := m.RawMatrix()
	scatter := mat.NewSymDense(raw.Cols, nil)
	for first := 0; first < raw.Rows; first += momentRows {
		if err := ctx.Err(); err != nil {
			return 0, nil, nil, err
		}
		rows := min(momentRows, raw.Rows-first)
		part := w
		if w != nil {
			part = w[first : first+rows]
		}
		weightedGram(Threads(), rows, raw.Cols, raw.Data[first*raw.Stride:], raw.Stride, part, mean, scatter.RawSymmetric().Data, raw.Cols)
	}
	return total, mean, scatter, nil
}

// momentsStream reads src once. The rows are shifted by shift, or by the mean of the
// first rows with weight if shift is nil. Reading goes on while the kernel works.
func momentsStream(ctx context.Context, src Source, w, shift []float64) (*Moments, error) {
	n, d := src.Dims()
	size := min(n, max(blockRows(d), 1024))
	acc := NewMoments(d)
	if shift != nil {
		acc.shift = append([]float64(nil), shift...)
	}
	type piece struct {
		first int
		block *mat.Dense
	}
	full := make(chan piece, 1)
	spare := make(chan *mat.Dense, 3)
	done := make(chan struct{})
	var failure caught
	add := func(p piece) {
		defer failure.catch()
		if ctx.Err() == nil && failure.value == nil {
			acc.Add(p.block, weightsOf(w, p.first, p.block))
		}
	}
	go func() {
		defer close(done)
		for p := range full {
			add(p)
			spare <- p.block
		}
	}()
	var err error
	defer func() { // also when the source panics
		close(full)
		<-done
		failure.raise()
	}()
	made := 1
	err = reblock(ctx, src, size, func(first int, block *mat.Dense) (*mat.Dense, error) {
		full <- piece{first, block}
		if made < cap(spare) {
			made++
			return nil, nil
		}
		return <-spare, nil
	})
	if err == nil {
		err = ctx.Err()
	}
	return acc, err
}
