package linalg

// Exp writes e to the power of src[i] to dst[i] for every i, many values at a time.
// It agrees with math.Exp to a few units in the last place, infinities, NaN, overflow
// and underflow included. dst and src must have the same length and may be the same
// slice.
func Exp(dst, src []float64) {
	if len(dst) != len(src) {
		panic("linalg: Exp: slices of different lengths")
	}
	expSlice(dst, src)
}
