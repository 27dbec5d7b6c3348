// Package half reads IEEE 754 numbers of half precision, which Go has no type for.
package half

import "math"

// Float64 widens a number to the precision that everything is computed in.
func Float64(b uint16) float64 {
	exponent, fraction := int(b>>10&31), float64(b&1023)
	var v float64
	switch exponent {
	case 0:
		v = math.Ldexp(fraction, -24)
	case 31:
		v = math.Inf(1)
		if fraction != 0 {
			v = math.NaN()
		}
	default:
		v = math.Ldexp(1024+fraction, exponent-25)
	}
	if b&0x8000 != 0 {
		v = -v
	}
	return v
}
