package nearest

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
	lapackgo "gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/workspace"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/refusal"
)

// spectral writes the largest singular values of x - center as matrices of the given shape,
// NaN for rows that hold a number that is none.
func spectral(ctx context.Context, x, centers *mat.Dense, shape []int, out *mat.Dense) error {
	n, _ := x.Dims()
	failed := make([]bool, n)
	linalg.Parallel(n, func(i int) {
		if ctx.Err() == nil {
			failed[i] = !spectralRow(out.RawRowView(i), x.RawRowView(i), centers, shape)
		}
	})
	if i := slices.Index(failed, true); i >= 0 {
		return refusal.Data("row %d has no spectral norm", i+1)
	}
	return ctx.Err()
}

// spectralRow writes those of one row, without allocation, and tells whether they were found.
func spectralRow(dst, row []float64, centers *mat.Dense, shape []int) bool {
	side := min(shape[0], shape[1])
	room := workspace.Get(2*len(row) + side*side + 4*side)
	defer room.Put()
	difference, turned := room.Take(len(row)), room.Take(len(row))
	products, values, work := room.Take(side*side), room.Take(side), room.Take(3*side)
	for c := range dst {
		top, odd := 0.0, 0.0 // odd is NaN where a difference is not finite
		for j, v := range centers.RawRowView(c) {
			difference[j] = row[j] - v
			odd += difference[j] - difference[j]
			top = math.Max(top, math.Abs(difference[j]))
		}
		if odd != 0 {
			dst[c] = oddNorm(row)
			continue
		}
		short := difference // rows of the short side's length, whose products are few
		if shape[0] > shape[1] {
			transpose(turned, difference, shape[0], shape[1])
			short = turned
		}
		// The largest eigenvalue of the products of rows is the square of the largest singular value, to rounding;
		// what is lost that way is small singular values. The scale is a power of two.
		_, exponent := math.Frexp(top)
		for j, v := range short {
			short[j] = math.Ldexp(v, -exponent)
		}
		long := len(row) / side
		for a := range side {
			for b := range a + 1 {
				products[a*side+b] = linalg.Inner(short[a*long:(a+1)*long], short[b*long:(b+1)*long])
			}
		}
		if !(lapackgo.Implementation{}).Dsyev(lapack.EVNone, blas.Lower, side, products, side, values, work, len(work)) {
			return false
		}
		dst[c] = math.Min(math.Ldexp(math.Sqrt(math.Max(values[side-1], 0)), exponent), math.MaxFloat64)
	}
	return true
}

// transpose writes the columns of a matrix as rows.
func transpose(dst, src []float64, rows, columns int) {
	for i := range rows {
		for j := range columns {
			dst[j*rows+i] = src[i*columns+j]
		}
	}
}

// oddNorm is the spectral norm of a row less a center where that is not finite: NaN if the
// row is not, else the largest number there is, since it is within a factor of two of it.
func oddNorm(row []float64) float64 {
	for _, v := range row {
		if v-v != 0 {
			return math.NaN()
		}
	}
	return math.MaxFloat64
}
