package univariate

import (
	"math"
	"slices"
)

const (
	// gridShare of the different values must lie on a grid for it to count: some may have
	// been typed or computed otherwise.
	gridShare = 0.9
	// fewest different values that can tell of a grid.
	fewest = 3
	// mostDecimals that a number of usual size can be written with.
	mostDecimals = 15
)

// Resolution returns the step of the grid that a column was rounded to: 0.01 for prices, 1
// for counts, 5/9 for degrees that were whole in another unit, a few units in the last place
// of float32 for numbers that once were such. It is 0 where nothing tells of rounding but
// that of float64. Rounding to a step is noise of standard deviation step/sqrt(12): no
// residual can be expected to be smaller than what the noise of all its columns amounts to.
//
// Up to a tenth of the different values may be anything; missing and infinite ones are
// passed over. A few hundred values tell as much as all. The slice stays as it is.
func Resolution(values []float64) float64 {
	x := make([]float64, 0, len(values))
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			x = append(x, v)
		}
	}
	Sort(x)
	x = slices.Compact(x)
	if len(x) < fewest {
		return 0
	}
	return max(decimalStep(x), evenStep(x), singleStep(x))
}

// enough is how many of n values must agree.
func enough(n int) int { return int(math.Ceil(gridShare * float64(n))) }

// decimalStep is the power of ten that enough values are multiples of, where it leaves them
// fewer digits than a float64 has.
func decimalStep(x []float64) float64 {
	size := math.Abs(x[len(x)/2])
	size = max(size, math.Abs(x[len(x)/4]), math.Abs(x[3*len(x)/4]))
	if size == 0 || size > 1e15 || size < 1e-15 {
		return 0
	}
	// Ten digits at most: with more every number could be one of the grid by chance, and
	// the noise of such a rounding drowns in that of the arithmetic.
	digits := int(math.Floor(math.Log10(size)))
	most := min(9-digits, mostDecimals)
	for k := -digits; k <= most; k++ { // amounts in whole thousands as prices in whole cents
		factor := math.Pow10(k)
		on := 0
		for i, v := range x {
			v *= factor
			if math.Abs(v-math.Round(v)) <= 4*0x1p-52*math.Abs(v) {
				on++
			}
			if i+1-on > len(x)-enough(len(x)) {
				break
			}
		}
		if on >= enough(len(x)) {
			return math.Pow10(-k)
		}
	}
	return 0
}

// evenStep is a usual smallest gap between neighbours, where enough gaps are multiples of it.
func evenStep(x []float64) float64 {
	gaps := make([]float64, len(x)-1)
	for i := range gaps {
		gaps[i] = x[i+1] - x[i]
	}
	step := Select(gaps, len(gaps)/10)
	middle := math.Abs(x[len(x)/2])
	if !(step > 1e-9*middle) || math.IsInf(step, 0) {
		return 0
	}
	on := 0
	for _, g := range gaps {
		// A number of steps that rounding of the values themselves cannot blur.
		if count := math.Round(g / step); math.Abs(g-count*step) <= 1e-3*step {
			on++
		}
	}
	if on < enough(len(gaps)) || len(gaps) < 2*fewest {
		return 0
	}
	return step
}

// singleStep is the distance of neighbouring float32 of usual size, where enough values are
// such numbers.
func singleStep(x []float64) float64 {
	on := 0
	size := make([]float64, len(x))
	for i, v := range x {
		if float64(float32(v)) == v {
			on++
		}
		size[i] = math.Abs(v)
	}
	middle := Median(size)
	if on < enough(len(x)) || middle == 0 {
		return 0
	}
	_, e := math.Frexp(middle)
	return math.Ldexp(1, e-24)
}
