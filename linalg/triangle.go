package linalg

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"
)

// factored is a least-squares problem brought to triangular form: minimise
// ||R x - c|| over x, with R p x p upper triangular and c p x q.
type factored struct {
	p, q int
	r    []float64 // p x p
	c    []float64 // p x q
	full bool      // R has full rank
	tol  float64   // relative size below which a direction counts as missing
	// alike columns have one unit: what is small beside the largest direction is missing, as for
	// a pseudo-inverse. Otherwise columns count by their direction alone.
	alike bool
}

// newFactored splits the p x (p+q) matrix [R c] that came from count rows.
func newFactored(joint []float64, p, q, count int, alike bool) *factored {
	f := &factored{p: p, q: q, alike: alike, r: make([]float64, p*p), c: make([]float64, p*q)}
	for i := range p {
		copy(f.r[i*p+i:(i+1)*p], joint[i*(p+q)+i:i*(p+q)+p])
		copy(f.c[i*q:(i+1)*q], joint[i*(p+q)+p:(i+1)*(p+q)])
	}
	f.tol = 4 * epsilon * (float64(p) + math.Sqrt(float64(count)))
	f.full = f.reciprocalCondition() > f.tol
	return f
}

// columnNorms returns the Euclidean norms of the columns of R.
func (f *factored) columnNorms() []float64 {
	norms := make([]float64, f.p)
	for i := range f.p {
		for j := i; j < f.p; j++ {
			norms[j] = math.Hypot(norms[j], f.r[i*f.p+j])
		}
	}
	return norms
}

// scaled returns R with columns of length one (zero columns stay zero), and the lengths; where
// columns are alike R as it is.
func (f *factored) scaled() (r, norms []float64) {
	r = append([]float64(nil), f.r...)
	if f.alike {
		norms = make([]float64, f.p)
		for j := range norms {
			norms[j] = 1
		}
		return r, norms
	}
	norms = f.columnNorms()
	for i := range f.p {
		for j := i; j < f.p; j++ {
			if norms[j] > 0 {
				r[i*f.p+j] /= norms[j]
			}
		}
	}
	return r, norms
}

// reciprocalCondition estimates 1/cond of R after its columns were given the same
// length, because units of measurement say nothing about rank, unless they are alike.
func (f *factored) reciprocalCondition() float64 {
	r, _ := f.scaled()
	for j := range f.p {
		if r[j*f.p+j] == 0 {
			return 0
		}
	}
	return conditionOfTriangle(r, f.p)
}

// solve returns the solution, the one of least norm if there are several.
func (f *factored) solve() *mat.Dense {
	if f.q == 0 || f.p == 0 {
		return &mat.Dense{}
	}
	if !f.full {
		return f.leastNorm()
	}
	x := append([]float64(nil), f.c...)
	f.backward(x)
	return mat.NewDense(f.p, f.q, x)
}

// backward overwrites the p x q matrix x by the solution of R y = x.
func (f *factored) backward(x []float64) {
	kernels.Dtrsm(blas.Left, blas.Upper, blas.NoTrans, blas.NonUnit, f.p, f.q, 1, f.r, f.p, x, f.q)
}

// forward overwrites the p x q matrix x by the solution of R' y = x.
func (f *factored) forward(x []float64) {
	kernels.Dtrsm(blas.Left, blas.Upper, blas.Trans, blas.NonUnit, f.p, f.q, 1, f.r, f.p, x, f.q)
}

// leastNorm finds the rank of R by a factorisation with column pivoting, R D = Q S with
// S upper trapezoidal to within the tolerance, and the shortest x of those that solve
// the leading rows: it lies in the span of these rows.
func (f *factored) leastNorm() *mat.Dense {
	p, q := f.p, f.q
	scaled, norms := f.scaled()
	width := p + q
	s := make([]float64, p*width) // [R D, c]
	for i := range p {
		copy(s[i*width:], scaled[i*p:(i+1)*p])
		copy(s[i*width+p:(i+1)*width], f.c[i*q:(i+1)*q])
	}
	pivot := pivotedQR(s, p, p, width)
	rank := 0
	for rank < p && math.Abs(s[rank*width+rank]) > f.tol*math.Abs(s[0]) {
		rank++
	}
	if rank == 0 {
		return mat.NewDense(p, q, nil)
	}

	lead := func(size func(column int) float64) *mat.Dense {
		// the leading rows in the original order of the columns
		rows := make([]float64, rank*p)
		for i := range rank {
			for j := i; j < p; j++ {
				rows[i*p+pivot[j]] = s[i*width+j] * size(pivot[j])
			}
		}
		return shortest(rows, s[p:], rank, p, q, width)
	}
	smallest, largest := math.Inf(1), 0.0
	for _, norm := range norms {
		if norm > 0 {
			smallest, largest = min(smallest, norm), max(largest, norm)
		}
	}
	if largest*math.Sqrt(epsilon) <= smallest {
		return lead(func(j int) float64 { return norms[j] })
	}
	// Columns of such unlike lengths would drown one another in rounding: the shortest
	// is taken in columns of length one.
	x := lead(func(int) float64 { return 1 })
	for j, norm := range norms {
		if norm > 0 {
			for l := range q {
				x.Set(j, l, x.At(j, l)/norm)
			}
		}
	}
	return x
}

// shortest returns the shortest x that solves rows x = c for rank x p rows and rank x q
// right-hand sides, which stand width apart and are overwritten.
func shortest(rows, c []float64, rank, p, q, width int) *mat.Dense {
	// rows = L basis with orthonormal rows in basis, so x = basis' L^-1 c
	basis := slices.Clone(rows)
	orthonormaliseRows(context.Background(), basis, rank, p, 0, true)
	lower := make([]float64, rank*rank)
	gemm(Threads(), false, true, rank, rank, p, 1, rows, p, basis, p, 0, lower, rank)
	x := mat.NewDense(p, q, nil)
	kernels.Dtrsm(blas.Left, blas.Lower, blas.NoTrans, blas.NonUnit, rank, q, 1, lower, rank, c, width)
	gemm(Threads(), true, false, p, q, rank, 1, basis, p, c, width, 0, x.RawMatrix().Data, q)
	return x
}
