package tensor

import (
	"context"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/inlier-ml/inlier/linalg"
)

// newRandom makes the generator for one purpose of one seed.
func newRandom(seed uint64, purpose string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(purpose))
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

const (
	// directions is how many directions through pairs of samples are looked along.
	directions = 256
	// directionsAtOnce bounds the memory for projections.
	directionsAtOnce = 16
)

// outlyingness returns for each sample its largest standardised distance from the middle
// over directions through pairs of samples (Stahel 1981, Donoho 1982), by median and median
// absolute deviation. Samples off a hyperplane that holds half of them get the largest
// value there is.
func outlyingness(ctx context.Context, x *mat.Dense, seed uint64) ([]float64, error) {
	n, d := x.Dims()
	random := newRandom(seed, "directions")
	out := make([]float64, n)
	axes, along := mat.NewDense(directionsAtOnce, d, nil), mat.NewDense(n, directionsAtOnce, nil)
	middle, scale := make([]float64, directionsAtOnce), make([]float64, directionsAtOnce)
	for done := 0; done < directions; done += directionsAtOnce {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for j := range directionsAtOnce {
			axis := axes.RawRowView(j)
			i := random.IntN(n)
			copy(axis, x.RawRowView(i))
			kernel.Daxpy(d, -1, x.RawRowView((i+1+random.IntN(n-1))%n), 1, axis, 1)
			if norm := kernel.Dnrm2(d, axis, 1); norm > 0 {
				kernel.Dscal(d, 1/norm, axis, 1)
			}
		}
		along.Mul(x, axes.T())
		linalg.Parallel(directionsAtOnce, func(j int) {
			values := mat.Col(nil, j, along)
			middle[j] = median(values)
			for i, v := range values {
				values[i] = math.Abs(v - middle[j])
			}
			scale[j] = 1.4826 * median(values)
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

// median returns the middle value; the slice is sorted in place.
func median(x []float64) float64 {
	n := len(x)
	if n == 0 {
		return math.NaN()
	}
	slices.Sort(x)
	return x[(n-1)/2]/2 + x[n/2]/2
}

// smallest marks the h smallest values; ties go to the lower index.
func smallest(x []float64, h int) []float64 {
	sorted := slices.Clone(x)
	slices.Sort(sorted)
	limit, ties := sorted[h-1], h
	for _, v := range x {
		if v < limit {
			ties--
		}
	}
	out := make([]float64, len(x))
	for i, v := range x {
		if v < limit {
			out[i] = 1
		} else if v == limit && ties > 0 {
			out[i] = 1
			ties--
		}
	}
	return out
}

// cutoffLevel is the share of regular samples that a cut-off lets pass.
const cutoffLevel = 0.975

// limit is the value that a further regular sample stays below with probability 0.975, from
// values most of which are regular: their two-thirds powers are nearly normal when they are
// norms of many small things (Wilson and Hilferty). Location and scale are median and
// median absolute deviation, then mean and standard deviation of what lies within 2.24
// scales, made consistent, until they stand still.
func limit(values []float64) float64 {
	power := make([]float64, len(values))
	for i, v := range values {
		power[i] = math.Cbrt(v * v)
	}
	deviation := slices.Clone(power)
	location := median(deviation)
	for i, v := range power {
		deviation[i] = math.Abs(v - location)
	}
	scale := 1.4826 * median(deviation)
	reach := math.Sqrt(distuv.ChiSquared{K: 1}.Quantile(cutoffLevel))
	factor := cutoffLevel / distuv.ChiSquared{K: 3}.CDF(reach*reach)
	for round := 0; round < 10 && scale > 0; round++ {
		sum, squares, count := 0.0, 0.0, 0.0
		for _, v := range power {
			if e := v - location; math.Abs(e) <= reach*scale {
				sum += e
				squares += e * e
				count++
			}
		}
		if count < 2 {
			break
		}
		mean := sum / count
		location += mean
		scale = math.Sqrt(math.Max(squares-count*mean*mean, 0) / (count - 1) * factor)
	}
	n := float64(len(values))
	student := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: math.Max(n-1, 1)}.Quantile(cutoffLevel)
	return math.Pow(location+scale*student*math.Sqrt(1+1/n), 1.5)
}
