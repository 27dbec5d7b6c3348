package tensor

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linalg/fastblas"
	"github.com/inlier-ml/inlier/loss"
)

const (
	// directions is how many directions through pairs of samples are looked along.
	directions = 256
	// directionsAtOnce bounds the memory for projections.
	directionsAtOnce = 16
)

// outlyingness returns for each sample its largest standardised distance from the middle
// over directions through pairs of samples (Stahel 1981, Donoho 1982), by median and median
// absolute deviation. Samples off a hyperplane that holds half of them get the largest
// value there is. An integer weight acts like repeated samples.
func outlyingness(ctx context.Context, x *mat.Dense, w []float64, seed uint64) ([]float64, error) {
	n, d := x.Dims()
	places := univariate.NewRows(n, w)
	total := places.Total()
	draw := random.New(seed, "directions")
	out := make([]float64, n)
	axes, along := mat.NewDense(directionsAtOnce, d, nil), mat.NewDense(n, directionsAtOnce, nil)
	middle, scale := make([]float64, directionsAtOnce), make([]float64, directionsAtOnce)
	for done := 0; done < directions; done += directionsAtOnce {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for j := range directionsAtOnce {
			axis := axes.RawRowView(j)
			// Two places at least one sample apart, if there is room.
			first := math.Floor(draw.Float64() * total)
			second := first + math.Min(1, total/2) + draw.Float64()*math.Max(total-1, 0)
			copy(axis, x.RawRowView(places.At(first)))
			kernel.Daxpy(d, -1, x.RawRowView(places.At(math.Mod(second, total))), 1, axis, 1)
			if norm := kernel.Dnrm2(d, axis, 1); norm > 0 {
				kernel.Dscal(d, 1/norm, axis, 1)
			}
		}
		lookAlong(along, x, axes)
		linalg.Parallel(directionsAtOnce, func(j int) {
			values := mat.Col(nil, j, along)
			if w == nil {
				middle[j], scale[j] = univariate.Deviation(values)
			} else {
				middle[j], scale[j] = univariate.WeightedDeviation(values, w)
			}
		})
		for i := range n {
			for j, v := range along.RawRowView(i) {
				e := math.Abs(v - middle[j])
				level := 1e-10 * (math.Abs(middle[j]) + e)
				switch {
				case scale[j] > level:
					out[i] = math.Max(out[i], e/scale[j])
				case e > 1e3*level:
					out[i] = math.MaxFloat64
				}
			}
		}
	}
	return out, nil
}

// lookAlong sets along = x axes'. Entries are taken a part at a time, because the product keeps
// a rearranged copy of what it multiplies by.
func lookAlong(along, x, axes *mat.Dense) {
	const part = 2048
	a, b, c := x.RawMatrix(), axes.RawMatrix(), along.RawMatrix()
	for j := 0; j < a.Cols; j += part {
		beta := 1.0
		if j == 0 {
			beta = 0
		}
		fastblas.Gemm(0, false, true, a.Rows, b.Rows, min(part, a.Cols-j), 1, a.Data[j:], a.Stride, b.Data[j:], b.Stride, beta, c.Data, c.Stride)
	}
}

// cutoffLevel is the share of regular samples that a cut-off lets pass.
const cutoffLevel = 0.975

// limit is the value that a further regular sample stays below with probability 0.975, from
// values most of which are regular: their two-thirds powers are nearly normal when they are
// norms of many small things (Wilson and Hilferty). Location and scale are median and
// median absolute deviation, then mean and standard deviation of what lies within 2.24
// scales, made consistent, until they stand still. An integer weight acts like repeated
// values.
func limit(values, w []float64) float64 {
	power := make([]float64, len(values))
	for i, v := range values {
		root := math.Cbrt(v)
		power[i] = root * root
	}
	location, scale := univariate.WeightedDeviation(power, w)
	location, scale = univariate.WeightedRefine(power, w, location, scale, cutoffLevel)
	n := votes(len(values), w)
	student := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: math.Max(n-1, 1)}.Quantile(cutoffLevel)
	return math.Pow(location+scale*student*math.Sqrt(1+1/n), 1.5)
}

// votes is the number of samples that weights stand for: their sum or, where weights are
// mere shares, the effective number.
func votes(n int, w []float64) float64 {
	if w == nil {
		return float64(n)
	}
	total, count := 0.0, 0.0
	for _, a := range w {
		if total += a; a > 0 {
			count++
		}
	}
	if total >= count {
		return total
	}
	return loss.EffectiveSampleSize(w)
}
