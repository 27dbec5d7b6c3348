package linalg

import "math"

// Widths of the two levels of blocking in triangularise: reflectors are found one by
// one inside an inner panel, applied by matrix products beyond it.
const (
	outerPanel = 32
	innerPanel = 8
)

// qrSpace is working memory for triangularise.
type qrSpace struct {
	v     []float64 // reflectors of a panel, one per row
	t     []float64 // the triangular factor of their product
	gram  []float64
	w     []float64
	scale []float64 // tau of each reflector
}

// triangularise turns the p + rows by width matrix [R; C], in which R is upper
// triangular in its first p columns, by Householder reflections into [R'; C'] with the
// first p columns of C' zero in theory. What remains in the other columns of C is the
// part of the right-hand sides that no solution reaches. The reflector of column j
// touches row j of R and the rows of C alone, so nothing fills in. If triangular is
// true, C too is upper triangular in its first p columns.
//
// A panel of reflectors I - V T V' is applied to the columns behind it by two matrix
// products (compact WY form; Schreiber and Van Loan 1989). r and c have strides ldr and
// ldc. The first p columns of c hold no meaning afterwards.
func (s *qrSpace) triangularise(threads int, r []float64, ldr int, c []float64, ldc, rows, p, width int, triangular bool) {
	for first := 0; first < p; first += outerPanel {
		count := min(outerPanel, p-first)
		height := rows
		if triangular {
			height = min(rows, first+count)
		}
		if height == 0 {
			continue
		}
		s.v = grown(s.v, count*height)
		s.t = grown(s.t, outerPanel*outerPanel)
		s.scale = grown(s.scale, outerPanel)
		transpose(s.v, height, c[first:], ldc, count, height)
		s.panel(r[first*ldr+first:], ldr, height, count)
		if rest := width - first - count; rest > 0 {
			s.product(threads, height, count)
			s.w = grown(s.w, count*rest)
			for i := range count {
				copy(s.w[i*rest:(i+1)*rest], r[(first+i)*ldr+first+count:(first+i)*ldr+width])
			}
			behind := c[first+count:]
			gemm(threads, false, false, count, rest, height, 1, s.v, height, behind, ldc, 1, s.w, rest)
			s.transform(count, rest)
			for i := range count {
				axpy(-1, s.w[i*rest:(i+1)*rest], r[(first+i)*ldr+first+count:(first+i)*ldr+width])
			}
			gemm(threads, true, false, height, rest, count, -1, s.v, height, s.w, rest, 1, behind, ldc)
		}
	}
}

// panel finds the reflectors of count columns whose lower parts are the rows of v,
// height entries each; r is the corner of R that belongs to them.
func (s *qrSpace) panel(r []float64, ldr, height, count int) {
	for first := 0; first < count; first += innerPanel {
		last := min(first+innerPanel, count)
		for j := first; j < last; j++ {
			x := s.v[j*height : (j+1)*height]
			tau := reflector(&r[j*ldr+j], x)
			s.scale[j] = tau
			if tau == 0 {
				continue
			}
			for l := j + 1; l < last; l++ {
				y := s.v[l*height : (l+1)*height]
				w := tau * (r[j*ldr+l] + dot(x, y))
				r[j*ldr+l] -= w
				axpy(-w, x, y)
			}
		}
		rest := count - last
		if rest == 0 {
			return
		}
		// the same for the rest of the panel at once
		inner := qrSpace{v: s.v[first*height : last*height], t: s.t, scale: s.scale[first:last], gram: s.gram}
		inner.product(1, height, last-first)
		s.gram = inner.gram
		s.w = grown(s.w, (last-first)*rest)
		for i := first; i < last; i++ {
			copy(s.w[(i-first)*rest:], r[i*ldr+last:i*ldr+count])
		}
		behind := s.v[last*height : count*height]
		gemm(1, false, true, last-first, rest, height, 1, inner.v, height, behind, height, 1, s.w, rest)
		inner.w = s.w
		inner.transform(last-first, rest)
		for i := first; i < last; i++ {
			axpy(-1, s.w[(i-first)*rest:(i-first+1)*rest], r[i*ldr+last:i*ldr+count])
		}
		gemm(1, true, false, rest, height, last-first, -1, s.w, rest, inner.v, height, 1, behind, height)
	}
}

// leastColumn is the length of a column up to which it is nothing: the inverse of a shorter one may not be a number.
const leastColumn = 1e-290

// reflector finds the Householder reflection I - tau [1;v][1;v]' that turns [*alpha; x]
// into [beta; 0]; it overwrites *alpha by beta, x by v and returns tau.
func reflector(alpha *float64, x []float64) (tau float64) {
	norm := norm2(x)
	if norm == 0 {
		return 0
	}
	length := math.Hypot(*alpha, norm)
	if length < leastColumn {
		clear(x)
		return 0
	}
	beta := -math.Copysign(length, *alpha)
	tau = (beta - *alpha) / beta
	scale(1/(*alpha-beta), x)
	*alpha = beta
	return tau
}

// product computes the upper triangular T, count x count with that stride, for which
// the product of the count reflections is I - V T V'. Their upper parts are different
// unit vectors, so only the rows of v enter into their inner products.
func (s *qrSpace) product(threads, height, count int) {
	s.gram = grown(s.gram, count*count)
	gemm(threads, false, true, count, count, height, 1, s.v, height, s.v, height, 0, s.gram, count)
	triangularFactor(s.t, s.gram, s.scale, count)
}

// triangularFactor computes the T of count reflections from the inner products of
// their vectors and their factors tau; all matrices are count x count with that stride.
func triangularFactor(t, gram, tau []float64, count int) {
	for j := range count {
		for i := range j {
			sum := 0.0
			for l := i; l < j; l++ {
				sum += t[i*count+l] * gram[l*count+j]
			}
			t[i*count+j] = -tau[j] * sum
		}
		t[j*count+j] = tau[j]
		for i := j + 1; i < count; i++ {
			t[i*count+j] = 0
		}
	}
}

// transform overwrites the count x rest matrix w by T' w.
func (s *qrSpace) transform(count, rest int) {
	for i := count - 1; i >= 0; i-- {
		row := s.w[i*rest : (i+1)*rest]
		scale(s.t[i*count+i], row)
		for l := range i {
			axpy(s.t[l*count+i], s.w[l*rest:(l+1)*rest], row)
		}
	}
}
