package outlying

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linalg/fastblas"
)

// atOnce is how many directions are looked along at a time: it bounds the memory for
// projections.
const atOnce = 64

var kernel fastblas.Implementation

// ErrEqual says that all rows are equal, so that none is further out than others.
var ErrEqual = errors.New("outlying: all rows are equal")

// Scale finds location and scale of numbers with weights (nil: ones). It may reorder the
// numbers.
type Scale func(values, w []float64) (location, scale float64)

// Densest is the scale of the densest part of weight h.
func Densest(h float64) Scale {
	return func(values, w []float64) (float64, float64) {
		if w == nil {
			return univariate.DensestHalf(values, int(h))
		}
		return univariate.WeightedDensestHalf(values, w, h)
	}
}

// Middle is median and median absolute deviation: a third of the work of [Densest].
func Middle(values, w []float64) (float64, float64) {
	if w == nil {
		return univariate.Deviation(values)
	}
	return univariate.WeightedDeviation(values, w)
}

// Degrees returns for each row how outlying it is: the largest standardised distance from the
// centre over directions through pairs of rows, which are drawn in proportion to their
// weights (Stahel 1981, Donoho 1982; ROBPCA of Hubert et al. 2005). Rows off a hyperplane
// that holds the part of the weight that the scale looks at get the largest value there is.
func Degrees(ctx context.Context, x *mat.Dense, w []float64, directions int, scale Scale, seed uint64) ([]float64, error) {
	n, d := x.Dims()
	draw := random.New(seed, "directions")
	places := univariate.NewRows(n, w)
	pick := func() []float64 { return x.RawRowView(places.At(draw.Float64() * places.Total())) }
	length := make([]float64, n)
	linalg.Parallel(n, func(i int) { length[i] = norm(x.RawRowView(i)) })
	level := 1e-13 * univariate.WeightedMedian(length, w) // of rounding of a projection
	out := make([]float64, n)
	axes, along := mat.NewDense(atOnce, d, nil), mat.NewDense(n, atOnce, nil)
	middle, width := make([]float64, atOnce), make([]float64, atOnce)
	done := 0
	for try := 0; done < directions && try < 4*directions; {
		found := 0
		for ; found < min(atOnce, directions-done) && try < 4*directions; try++ {
			axis, a, b := axes.RawRowView(found), pick(), pick()
			copy(axis, a)
			kernel.Daxpy(d, -1, b, 1, axis, 1)
			if normalise(axis) {
				found++
			}
		}
		if found == 0 {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		lookAlong(along, x, axes, found)
		linalg.Parallel(found, func(j int) { middle[j], width[j] = scale(mat.Col(nil, j, along), w) })
		const rows = 256
		linalg.Parallel((n+rows-1)/rows, func(part int) {
			for i := part * rows; i < min(part*rows+rows, n); i++ {
				for j, v := range along.RawRowView(i)[:found] {
					e := math.Abs(v - middle[j])
					if rounding := level + 1e-10*e; width[j] <= rounding {
						if e > rounding*1e3 {
							out[i] = math.MaxFloat64
						}
						continue
					}
					out[i] = math.Max(out[i], e/width[j])
				}
			}
		})
		done += found
	}
	if done == 0 {
		return nil, ErrEqual
	}
	return out, nil
}

// normalise gives a vector the length 1; false if it has none.
func normalise(v []float64) bool {
	length := norm(v)
	if !(length > 0) || math.IsInf(length, 0) {
		return false
	}
	if 1/length < math.MaxFloat64 {
		kernel.Dscal(len(v), 1/length, v, 1)
		return true
	}
	for j := range v {
		v[j] /= length
	}
	return true
}

// norm is the length of a vector.
func norm(v []float64) float64 {
	if s := kernel.Ddot(len(v), v, 1, v, 1); s >= linalg.LeastSquare && s <= linalg.MostSquare {
		return math.Sqrt(s)
	}
	return kernel.Dnrm2(len(v), v, 1)
}

// lookAlong sets the first columns of along to x axes'. Entries are taken a part at a time, because the product keeps
// a rearranged copy of what it multiplies by.
func lookAlong(along, x, axes *mat.Dense, count int) {
	const part = 2048
	a, b, c := x.RawMatrix(), axes.RawMatrix(), along.RawMatrix()
	for j := 0; j < a.Cols; j += part {
		beta := 1.0
		if j == 0 {
			beta = 0
		}
		fastblas.Gemm(0, false, true, a.Rows, count, min(part, a.Cols-j), 1, a.Data[j:], a.Stride, b.Data[j:], b.Stride, beta, c.Data, c.Stride)
	}
}
