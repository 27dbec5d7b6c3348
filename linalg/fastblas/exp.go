package fastblas

import "sync"

// Exp sets dst[i] to e^src[i]. dst and src may be the same slice; it panics if dst is
// shorter than src. Results are within 2 units in the last place, also where they are
// denormal; infinities, NaN, overflow and underflow are treated as in math.Exp.
func Exp(dst, src []float64) {
	dst = dst[:len(src)]
	kn := current.Load()
	whole := len(src) - len(src)%kn.lane
	if whole > 0 {
		kn.exp(whole, &dst[0], &src[0])
	}
	if whole < len(src) {
		// The rest goes through a full vector too, so that a number's exponential
		// does not depend on its place.
		rest := restPool.Get().(*[8]float64)
		copy(rest[:], src[whole:])
		kn.exp(kn.lane, &rest[0], &rest[0])
		copy(dst[whole:], rest[:])
		restPool.Put(rest)
	}
}

var restPool = sync.Pool{New: func() any { return new([8]float64) }}
