package tensor

import (
	"math"
	"math/bits"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg/fastblas"
)

var kernel fastblas.Implementation

// chunkEntries is about how many numbers a chunk of samples holds, so that the chunk and
// its products stay in the second-level cache.
const chunkEntries = 1 << 15

// chunkRows is the number of samples of d numbers in a chunk: a power of two, so that a table in larger parts of such
// sizes has the same chunks, and the same digits, as one that is whole.
func chunkRows(d int) int { return 1 << (bits.Len(uint(max(1, chunkEntries/d))) - 1) }

// desk is the room one goroutine works in: three buffers of a chunk each.
type desk struct {
	shape []int
	d     int
	rows  int       // most samples of a chunk
	x     []float64 // the samples
	y, z  []float64 // for products
	norm  []float64 // of the samples, squared
	core  []float64 // of one sample
}

func newDesk(shape []int) *desk { return deskFor(chunkRows(product(shape)), shape) }

func deskFor(rows int, shape []int) *desk {
	d := product(shape)
	return &desk{
		shape: shape, d: d, rows: rows, norm: make([]float64, rows),
		x: make([]float64, rows*d), y: make([]float64, rows*d), z: make([]float64, rows*d),
	}
}

// centre puts sample - mean into place i of the chunk.
func (k *desk) centre(i int, sample, mean []float64) []float64 {
	to := k.x[i*k.d : (i+1)*k.d]
	copy(to, sample)
	kernel.Daxpy(k.d, -1, mean, 1, to, 1)
	return to
}

// gram adds sum A A' of the count samples on the desk (centred, weighted already) to the
// upper triangle of the n x n matrix c, n the length of the mode: A is the mode's unfolding
// after all other modes were multiplied by their factors. A nil factor is the identity.
// The samples stay in k.x.
func (k *desk) gram(count int, factors []*mat.Dense, mode int, c []float64) {
	cur, size := k.x, count*k.d
	next := k.alternate()
	// Modes before the wanted one come first in turn; what they leave leads.
	lead, rest := count, k.d
	for j := range mode {
		n := k.shape[j]
		rest /= n
		if factors[j] == nil {
			lead *= n
			continue
		}
		_, r := factors[j].Dims()
		moved := next()
		bringFirst(moved, cur, lead, n, rest)
		cur = next()
		contractFirst(cur, moved, lead*rest, factors[j])
		lead *= r
		size = lead * rest
	}
	// Modes after it come last in turn and then move to the front of what is left.
	for j := len(k.shape) - 1; j > mode; j-- {
		n := k.shape[j]
		if u := factors[j]; u != nil {
			to := next()
			_, r := u.Dims()
			contractLast(to, cur, size/n, u)
			cur, size, n = to, size/n*r, r
		}
		to := next()
		rotate(to, cur, lead, size/(lead*n), n)
		cur = to
		lead *= n
	}
	n := k.shape[mode]
	fastblas.WeightedGram(1, size/n, n, cur, n, nil, nil, c, n)
}

// alternate returns a function that hands out the two buffers beside k.x in turn, so that
// the one handed out before is still whole while the next is filled.
func (k *desk) alternate() func() []float64 {
	a, b := k.y, k.z
	return func() []float64 {
		a, b = b, a
		return b
	}
}

// cores multiplies every mode of the count samples on the desk by its factor and returns
// the cores in natural order, one after the other. The samples stay in k.x.
func (k *desk) cores(count int, factors []*mat.Dense) []float64 {
	return k.contract(count, factors, true)
}

// kept writes the squared norm of each sample's core into out. The samples stay in k.x.
func (k *desk) kept(count int, factors []*mat.Dense, out []float64) {
	cur := k.contract(count, factors, false)
	size := len(cur) / count
	for i := range count {
		one := cur[i*size : (i+1)*size]
		out[i] = kernel.Ddot(size, one, 1, one, 1)
	}
}

// contract multiplies the modes from the last to the first; each goes to the front of its
// sample afterwards, so that natural order is back when all are done. Where the order does
// not matter it stops after the last product.
func (k *desk) contract(count int, factors []*mat.Dense, ordered bool) []float64 {
	first := 0 // the last product to come
	for !ordered && first < len(factors) && factors[first] == nil {
		first++
	}
	if first == len(factors) {
		return k.x[:count*k.d]
	}
	if ordered && noFactors(factors) {
		return k.x[:count*k.d]
	}
	cur, size := k.x, count*k.d
	next := k.alternate()
	for j := len(factors) - 1; j >= first; j-- {
		n := k.shape[j]
		if u := factors[j]; u != nil {
			to := next()
			_, r := u.Dims()
			contractLast(to, cur, size/n, u)
			cur, size, n = to, size/n*r, r
		}
		if j > first || ordered {
			to := next()
			rotate(to, cur, count, size/(count*n), n)
			cur = to
		}
	}
	return cur[:size]
}

// expand is the way back from cores in natural order, which may not lie in k.y or k.z; the
// result lies there.
func (k *desk) expand(cores []float64, count int, factors []*mat.Dense) []float64 {
	cur, size := cores, len(cores)
	next := k.alternate()
	if noFactors(factors) {
		to := next()
		copy(to, cores)
		return to[:size]
	}
	for j := len(factors) - 1; j >= 0; j-- {
		n := k.shape[j]
		if u := factors[j]; u != nil {
			to := next()
			_, r := u.Dims()
			expandLast(to, cur, size/r, u)
			cur, size = to, size/r*n
		}
		to := next()
		rotate(to, cur, count, size/(count*n), n)
		cur = to
	}
	return cur[:size]
}

// cancels is the ratio of residual to norm below which their difference has lost too many
// digits.
const cancels = 1e-6

// residuals writes the squared residuals of the count samples on the desk into s. Where
// ||x||^2 - ||core||^2 would cancel, the residual is formed and measured.
func (k *desk) residuals(count int, factors []*mat.Dense, s []float64) {
	if noFactors(factors) {
		clear(s[:count])
		return
	}
	k.kept(count, factors, s)
	for i := range count {
		s[i] = k.norm[i] - s[i]
	}
	for i := range count {
		if s[i] > cancels*k.norm[i] || k.norm[i] == 0 {
			s[i] = math.Max(s[i], 0)
			continue
		}
		s[i] = k.direct(i, factors)
	}
}

// direct is the squared norm of what the factors leave of sample i.
func (k *desk) direct(i int, factors []*mat.Dense) float64 {
	one := *k
	one.x = k.x[i*k.d : (i+1)*k.d]
	k.core = append(k.core[:0], one.cores(1, factors)...)
	back := one.expand(k.core, 1, factors)
	sum := 0.0
	for j, v := range one.x {
		e := v - back[j]
		sum += e * e
	}
	return sum
}

func noFactors(factors []*mat.Dense) bool {
	for _, u := range factors {
		if u != nil {
			return false
		}
	}
	return true
}
