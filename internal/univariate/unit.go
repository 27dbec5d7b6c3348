package univariate

import "math"

// Unit is a power of two to measure numbers of a size in, so that their squares neither
// vanish nor overflow: 1 for sizes from 1e-120 to 1e120, and so coarse beyond that sizes
// which differ by rounding have the same, but for a few.
func Unit(size float64) float64 {
	if size == 0 || size >= 1e-120 && size <= 1e120 || math.IsNaN(size) {
		return 1
	}
	const coarse = 64
	exponent := math.Log2(math.Min(math.Max(size, 0x1p-1022), math.MaxFloat64))
	return math.Ldexp(1, min(max(coarse*int(math.Round(exponent/coarse)), -1022), 1023))
}
