package tensor

import (
	"context"
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// samples is the data of a fit: one sample per row of a source.
type samples struct {
	src   linalg.Source
	shape []int
	n, d  int
	desks *shelf[*desk]
	used  *shelf[*moments]
}

func newSamples(src linalg.Source, shape []int) *samples {
	n, d := src.Dims()
	return &samples{src: src, shape: shape, n: n, d: d, desks: new(shelf[*desk]), used: new(shelf[*moments])}
}

// others are further samples of the same shape, which share working memory with s.
func (s *samples) others(src linalg.Source) *samples {
	n, d := src.Dims()
	return &samples{src: src, shape: s.shape, n: n, d: d, desks: s.desks, used: s.used}
}

// desk returns a desk that nobody works at; it goes back with s.desks.put.
func (s *samples) desk() *desk {
	if k, ok := s.desks.take(); ok {
		return k
	}
	return newDesk(s.shape)
}

// shelf keeps what was used for the next use. Unlike a sync.Pool it forgets nothing as long
// as the fit lasts: what a pool forgets fills the memory beside the samples with garbage.
type shelf[T any] struct {
	lock  sync.Mutex
	items []T
}

func (s *shelf[T]) take() (item T, ok bool) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if n := len(s.items); n > 0 {
		item, ok = s.items[n-1], true
		s.items = s.items[:n-1]
	}
	return item, ok
}

func (s *shelf[T]) put(item T) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.items = append(s.items, item)
}

// stripes is into how many parts the samples in memory are cut: the sums of the parts are
// added in their order, so that the result does not depend on who formed them.
const stripes = 16

// pass calls add for consecutive runs of samples, on all cores, and merges what it
// accumulates in the order of the samples. entries is the size of an accumulator.
func pass[A any](ctx context.Context, s *samples, entries int, fresh func() A, add func(acc A, k *desk, first int, rows *mat.Dense), merge func(into, from A)) (A, error) {
	chunk := chunkRows(s.d)
	visit := func(acc A, first int, block *mat.Dense) {
		k := s.desk()
		add(acc, k, first, block)
		s.desks.put(k)
	}
	m, ok := s.src.(linalg.InMemory)
	if !ok {
		return linalg.Pass(ctx, s.src, fresh, visit, merge)
	}
	// Few parts when an accumulator is large beside the data.
	parts := min(stripes, (s.n+chunk-1)/chunk, max(2, s.n*s.d/(10*max(entries, 1))))
	size := (s.n + parts - 1) / parts
	size = (size + chunk - 1) / chunk * chunk
	parts = (s.n + size - 1) / size
	accs := make([]A, parts)
	x := m.Dense()
	linalg.Parallel(parts, func(i int) {
		accs[i] = fresh()
		for first := i * size; first < min((i+1)*size, s.n) && ctx.Err() == nil; first += 8 * chunk {
			last := min(first+8*chunk, (i+1)*size, s.n)
			visit(accs[i], first, x.Slice(first, last, 0, s.d).(*mat.Dense))
		}
	})
	if err := ctx.Err(); err != nil {
		var none A
		return none, err
	}
	for _, acc := range accs[1:] {
		merge(accs[0], acc)
	}
	return accs[0], nil
}

// each calls do for every sample of a block that has weight, in chunks that fill the desk.
// Samples are centred and scaled by the root of their weight; do gets how many there are.
func (k *desk) each(first int, block *mat.Dense, mean, w []float64, see func(row []float64, weight float64), do func(count int)) {
	raw := block.RawMatrix()
	count := 0
	for i := range raw.Rows {
		weight := 1.0
		if w != nil {
			weight = w[first+i]
		}
		if weight == 0 {
			continue
		}
		row := k.centre(count, raw.Data[i*raw.Stride:i*raw.Stride+raw.Cols], mean)
		if see != nil {
			see(row, weight)
		}
		if weight != 1 {
			kernel.Dscal(k.d, math.Sqrt(weight), row, 1)
		}
		if count++; count == k.rows {
			do(count)
			count = 0
		}
	}
	if count > 0 {
		do(count)
	}
}

// moments is what a pass for factors accumulates.
type moments struct {
	total float64     // of the weights
	sum   []float64   // of w (x - centre)
	grams [][]float64 // of each mode, nil as long as it was never wanted
}

// clean returns moments that are zero, used before if there are any: a fit makes many
// passes, and what they leave behind would fill the memory beside the samples.
func (s *samples) clean(modes []int) *moments {
	a, ok := s.used.take()
	if !ok {
		a = &moments{sum: make([]float64, s.d), grams: make([][]float64, len(s.shape))}
	}
	a.total = 0
	clear(a.sum)
	for _, m := range modes {
		if a.grams[m] == nil {
			a.grams[m] = make([]float64, s.shape[m]*s.shape[m])
		}
		clear(a.grams[m])
	}
	return a
}

// modeGrams returns sum of the weights, weighted mean, and for each wanted mode its weighted
// Gram matrix about the mean, after multiplication by the factors of all other modes.
// centre is any point near the samples; with fixed it is the mean itself. w nil means ones.
func (s *samples) modeGrams(ctx context.Context, w, centre []float64, fixed bool, factors []*mat.Dense, modes []int) (total float64, mean []float64, grams []*mat.SymDense, err error) {
	acc, err := s.accumulate(ctx, w, centre, fixed, factors, modes)
	if err != nil {
		return 0, nil, nil, err
	}
	defer s.used.put(acc)
	mean = centre
	if !fixed && acc.total > 0 {
		mean = s.recentre(acc, centre, factors, modes)
	}
	for _, m := range modes {
		grams = append(grams, mat.NewSymDense(s.shape[m], append([]float64(nil), acc.grams[m]...)))
	}
	return acc.total, mean, grams, nil
}

// accumulate sums up weights, samples less the centre (not with fixed) and Gram matrices
// about the centre. The result goes back with s.used.put.
func (s *samples) accumulate(ctx context.Context, w, centre []float64, fixed bool, factors []*mat.Dense, modes []int) (*moments, error) {
	entries := s.d
	for _, m := range modes {
		entries += s.shape[m] * s.shape[m]
	}
	fresh := func() *moments { return s.clean(modes) }
	return pass(ctx, s, entries, fresh, func(a *moments, k *desk, first int, block *mat.Dense) {
		see := func(row []float64, weight float64) {
			a.total += weight
			if !fixed {
				kernel.Daxpy(k.d, weight, row, 1, a.sum, 1)
			}
		}
		k.each(first, block, centre, w, see, func(count int) {
			for _, m := range modes {
				k.gram(count, factors, m, a.grams[m])
			}
		})
	}, func(into, from *moments) {
		into.add(from, modes)
		s.used.put(from)
	})
}

// add adds the sums of other samples about the same centre.
func (a *moments) add(from *moments, modes []int) {
	a.total += from.total
	kernel.Daxpy(len(a.sum), 1, from.sum, 1, a.sum, 1)
	for _, m := range modes {
		kernel.Daxpy(len(from.grams[m]), 1, from.grams[m], 1, a.grams[m], 1)
	}
}

// recentre returns the mean and moves the Gram matrices there:
// sum w (x-mean)(x-mean)' = sum w (x-centre)(x-centre)' - total shift shift'.
func (s *samples) recentre(a *moments, centre []float64, factors []*mat.Dense, modes []int) (mean []float64) {
	mean = make([]float64, s.d)
	for j := range mean {
		a.sum[j] /= a.total
		mean[j] = centre[j] + a.sum[j]
	}
	k := s.desk()
	defer s.desks.put(k)
	copy(k.x, a.sum)
	for _, m := range modes {
		c := make([]float64, len(a.grams[m]))
		k.gram(1, factors, m, c)
		kernel.Daxpy(len(c), -a.total, c, 1, a.grams[m], 1)
	}
	return mean
}

// residuals writes squared residuals of all samples into out.
func (s *samples) residuals(ctx context.Context, mean []float64, factors []*mat.Dense, out []float64) error {
	return s.walk(ctx, mean, func(k *desk, first, count int) {
		k.residuals(count, factors, out[first:first+count])
	})
}

// walk centres all samples chunk by chunk; k.x holds them and k.norm their squared norms.
func (s *samples) walk(ctx context.Context, mean []float64, do func(k *desk, first, count int)) error {
	_, err := pass(ctx, s, 1, func() struct{} { return struct{}{} }, func(_ struct{}, k *desk, first int, block *mat.Dense) {
		in, at := 0, first
		see := func(row []float64, _ float64) {
			k.norm[in] = kernel.Ddot(k.d, row, 1, row, 1)
			in++
		}
		k.each(first, block, mean, nil, see, func(count int) {
			do(k, at, count)
			at += count
			in = 0
		})
	}, func(_, _ struct{}) {})
	return err
}
