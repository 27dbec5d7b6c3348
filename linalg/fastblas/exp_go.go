package fastblas

import (
	"math"
	"unsafe"
)

// expGo does what the assembly does: e^x = 2^n * e^r with n = round(x/ln 2), and e^r by its
// Taylor polynomial. (math.Exp overflows too early on some machines: e^709.78 is finite.)
func expGo(n int, dst, src *float64) {
	d := unsafe.Slice(dst, n)
	for i, v := range unsafe.Slice(src, n) {
		d[i] = expOne(v)
	}
}

func expOne(x float64) float64 {
	const (
		ln2High = 6.93147180369123816490e-01 // its 32 low bits are zero, so n*ln2High is exact
		ln2Low  = 1.90821492927058770002e-10
	)
	if x != x {
		return x
	}
	x = min(max(x, -746), 710)
	n := math.RoundToEven(x * math.Log2E)
	high, low := x-n*ln2High, n*ln2Low
	r := high - low
	tail := (high - r) - low // what the rounding of r lost
	q := reciprocalFactorials[13]
	for i := 12; i >= 2; i-- {
		q = q*r + reciprocalFactorials[i]
	}
	q = 1 + (r + (tail + r*r*q))
	// In two steps, as 2^n itself may be out of range; only the second can round.
	half := int(n) >> 1
	return q * powerOfTwo(half) * powerOfTwo(int(n)-half)
}

// powerOfTwo returns 2^n for n in the range of normal numbers.
func powerOfTwo(n int) float64 { return math.Float64frombits(uint64(n+1023) << 52) }

var reciprocalFactorials = func() (c [14]float64) {
	factorial := 1.0
	for i := range c {
		if i > 1 {
			factorial *= float64(i)
		}
		c[i] = 1 / factorial
	}
	return c
}()
