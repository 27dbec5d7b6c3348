package linalg

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// subspace is block subspace iteration for the largest eigenvalues of a positive
// semidefinite matrix. Vectors are rows, so that each is contiguous. More vectors than
// wanted are carried along: the error falls by a factor that the first eigenvalue
// outside the block determines, not the first unwanted one.
type subspace struct {
	a        []float64 // d x d, both triangles
	d        int
	wanted   int
	size     int       // vectors in the block
	locked   int       // the first so many are converged and no longer change
	v        []float64 // size x d, orthonormal
	av       []float64 // size x d, their products with a
	values   []float64 // Ritz values; those not locked descend
	errors   []float64 // residual norms ||A v - value v||
	products int       // of a with the block, so far
	budget   int       // of products, beyond which a decomposition is faster
	warm     bool
	within   float64 // residual, relative to the largest value, that the caller can bear
}

// direct is the size up to which the whole matrix is decomposed at once, directRough that
// where a start is given and a rough answer will do, which takes a third of the time.
const direct, directRough = 256, 64

// newSubspace prepares the iteration for the matrix in the upper triangle of a, or
// returns nil if decomposing the matrix is faster in any case.
func newSubspace(upper []float64, d, k int, warm bool, within float64) *subspace {
	size, small := k+10+min(20, k), direct
	if warm && within > 0 {
		small = directRough
	}
	if size > d/2 || d <= small {
		return nil
	}
	s := &subspace{d: d, wanted: k, size: size, warm: warm, within: within}
	// A decomposition spends its time on about 4/3 d^3 operations at the speed of
	// memory, a product of the block 2 d^2 size at that of the kernel.
	s.budget = max(8, 5*d/size)
	s.a = slices.Clone(upper)
	mirror(s.a, d)
	return s
}

// mirror copies the upper triangle of the d x d matrix a to the lower one.
func mirror(a []float64, d int) {
	const tile = 32
	Parallel((d+tile-1)/tile, func(part int) {
		r0 := part * tile
		for c0 := 0; c0 <= r0; c0 += tile {
			for r := r0; r < min(r0+tile, d); r++ {
				for c := c0; c < min(c0+tile, r); c++ {
					a[r*d+c] = a[c*d+r]
				}
			}
		}
	})
}

// begin fills the block with the columns of start and with random vectors.
func (s *subspace) begin(start *mat.Dense) {
	s.v = make([]float64, s.size*s.d)
	s.av = make([]float64, s.size*s.d)
	s.values = make([]float64, s.size)
	s.errors = make([]float64, s.size)
	given := 0
	if start != nil {
		raw := start.RawMatrix()
		given = min(raw.Cols, s.size)
		transpose(s.v, s.d, raw.Data, raw.Stride, given, s.d)
	}
	random := rand.New(rand.NewPCG(uint64(s.d), uint64(s.size)))
	for i := given * s.d; i < len(s.v); i++ {
		s.v[i] = random.NormFloat64()
	}
	s.rotate()
}

// rotate makes the vectors that are not locked orthonormal, and Ritz vectors of their
// span (Rayleigh-Ritz); it sets values and errors.
func (s *subspace) rotate() {
	d, m := s.d, s.size-s.locked
	orthonormaliseRows(context.Background(), s.v, s.size, d, s.locked, true)
	v, av := s.v[s.locked*d:], s.av[s.locked*d:]
	gemm(Threads(), false, false, m, d, d, 1, v, d, s.a, d, 0, av, d)
	s.products++
	inner := make([]float64, m*m)
	gemm(Threads(), false, true, m, m, d, 1, v, d, av, d, 0, inner, m)
	for i := range m {
		for j := i + 1; j < m; j++ {
			inner[i*m+j] = (inner[i*m+j] + inner[j*m+i]) / 2
		}
	}
	values, axes, err := directEigen(context.Background(), inner, m, m)
	if err != nil { // cannot converge: leave it to the caller's bound on the steps
		for i := range m {
			s.values[s.locked+i], s.errors[s.locked+i] = 0, math.Inf(1)
		}
		return
	}
	turn := axes.RawMatrix().Data
	turned := make([]float64, m*d)
	gemm(Threads(), true, false, m, d, m, 1, turn, m, v, d, 0, turned, d)
	copy(v, turned)
	gemm(Threads(), true, false, m, d, m, 1, turn, m, av, d, 0, turned, d)
	copy(av, turned)
	for i := range m {
		s.values[s.locked+i] = values[i]
		s.errors[s.locked+i] = math.Sqrt(distanceFromMultiple(av[i*d:(i+1)*d], v[i*d:(i+1)*d], values[i]))
	}
}

// distanceFromMultiple returns ||x - c y||^2.
func distanceFromMultiple(x, y []float64, c float64) float64 {
	sum := 0.0
	for i, a := range x {
		e := a - c*y[i]
		sum += e * e
	}
	return sum
}

// tolerance is the residual norm at which a vector counts as found.
func (s *subspace) tolerance() float64 {
	return max(1e-13, s.within, 16*epsilon*math.Sqrt(float64(s.d))) * slices.Max(s.values)
}

// iterate improves the block until the wanted vectors are found; false means that the
// iteration does not pay. At least one improvement is made even if the start looks
// perfect: it may span the wrong eigenvectors.
func (s *subspace) iterate(ctx context.Context) (bool, error) {
	for step := 0; ; step++ {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if largest := slices.Max(s.values); !(largest > 0) {
			return false, nil
		}
		if step > 0 {
			for s.locked < s.size && s.errors[s.locked] <= s.tolerance() {
				s.locked++
			}
			if s.found() {
				return true, nil
			}
		}
		degree := s.degree(step)
		if degree == 0 || s.products+degree > s.budget {
			return false, nil
		}
		s.filter(degree)
		s.rotate()
	}
}

// found reports whether the largest wanted values are all locked.
func (s *subspace) found() bool {
	if s.locked < s.wanted {
		return false
	}
	if s.locked == s.size {
		return true
	}
	locked := slices.Clone(s.values[:s.locked])
	slices.Sort(locked)
	return s.values[s.locked] <= locked[s.locked-s.wanted]
}

// degree chooses the polynomial of the next improvement: just high enough for the
// worst wanted vector, but not so high that the largest of the values swamp the rest.
// It returns 0 if the number of products still needed is beyond the budget.
func (s *subspace) degree(step int) int {
	const most, least, first = 16, 2, 6
	cut := s.values[s.size-1]
	top := s.values[s.locked]
	if cut <= 1e-14*top {
		return 1 // the block holds all there is
	}
	last := max(s.wanted-1, s.locked)
	gain := growth(s.values[last], cut)
	worst := 0.0
	for i := s.locked; i <= last; i++ {
		worst = max(worst, s.errors[i])
	}
	needed := math.Log(max(3*worst/s.tolerance(), 10))
	degree := most
	if gain > 0 {
		degree = int(min(math.Ceil(needed/gain), 1e6))
	}
	if step > 0 || s.warm && worst < 0.1*s.values[last] { // values say something
		if s.products+degree > s.budget {
			return 0
		}
	} else {
		degree = min(degree, first)
	}
	swamped := math.Log(1e10) / max(growth(top, cut)-gain, 1e-3)
	return max(min(degree, most, int(swamped)), least)
}

// growth returns the logarithm of the factor by which one more degree of a Chebyshev
// polynomial on [0, cut] favours value.
func growth(value, cut float64) float64 {
	return math.Acosh(max(1, 2*value/cut-1))
}

// filter applies to the vectors that are not locked the Chebyshev polynomial that is
// small on [0, cut], cut being the smallest value of the block, and one at the largest
// value (Zhou and Saad 2007). The vectors' products with the matrix are at hand.
func (s *subspace) filter(degree int) {
	d := s.d
	m := s.size - s.locked
	before, now := s.v[s.locked*d:], s.av[s.locked*d:]
	top, cut := s.values[s.locked], s.values[s.size-1]
	if degree == 1 {
		copy(before, now)
		return
	}
	half := cut / 2 // centre and half width of the interval
	sigma := half / (top - half)
	first := sigma
	for i, x := range now {
		now[i] = (x - half*before[i]) * sigma / half
	}
	for range degree - 1 {
		next := 1 / (2/first - sigma)
		c := 2 * next / half
		keep := sigma * next
		for i, x := range before {
			before[i] = -c*half*now[i] - keep*x
		}
		gemm(Threads(), false, false, m, d, d, c, now, d, s.a, d, 1, before, d)
		s.products++
		before, now = now, before
		sigma = next
	}
	if &now[0] != &s.v[s.locked*d] {
		copy(s.v[s.locked*d:], now)
	}
}

// result returns the wanted pairs.
func (s *subspace) result() (values []float64, vectors *mat.Dense) {
	order := make([]int, s.locked)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		if s.values[i] > s.values[j] {
			return -1
		}
		if s.values[i] < s.values[j] {
			return 1
		}
		return 0
	})
	values = make([]float64, s.wanted)
	vectors = mat.NewDense(s.d, s.wanted, nil)
	raw := vectors.RawMatrix()
	for c := range s.wanted {
		values[c] = s.values[order[c]]
		for r, x := range s.v[order[c]*s.d : (order[c]+1)*s.d] {
			raw.Data[r*raw.Stride+c] = x
		}
	}
	FixSigns(vectors)
	return values, vectors
}
