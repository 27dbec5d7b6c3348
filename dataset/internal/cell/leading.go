package cell

import (
	"encoding/binary"
	"math/bits"
)

// Leading reads a plain decimal number, such as -12.375, at the beginning of a text and returns how
// many bytes it takes: 0 where there is none, where it is of another form or very long, and within
// eight bytes of the end, all of which [Parse] is for. What it returns is what Parse returns.
func Leading(b []byte) (v float64, length int) {
	i := 0
	if len(b) > 0 && b[0] == '-' {
		i = 1
	}
	if len(b) < i+8 {
		return 0, 0
	}
	mantissa, whole := eightDigits(b[i:])
	if i += whole; whole == 0 || whole == 8 || i == len(b) { // eight may go on
		return 0, 0
	}
	places := 0
	if b[i] == '.' {
		i++
		for more := 8; more == 8; places += more {
			if len(b) < i+8 {
				return 0, 0
			}
			var next uint64
			next, more = eightDigits(b[i:])
			if i += more; whole+places+more > 19 { // which 64 bits hold
				return 0, 0
			}
			mantissa = mantissa*wholePowers[more] + next
		}
		if places == 0 || i == len(b) {
			return 0, 0
		}
	}
	if mantissa < 1<<53 { // places are at most 18, so that the power is exact
		v = float64(mantissa) / exactPowers[places]
	} else {
		v = shifted(mantissa, places)
	}
	if b[0] == '-' {
		v = -v
	}
	return v, i
}

// eightDigits reads the digits at the beginning of at least eight bytes, eight at most, without a
// loop: bytes without a digit are found and shifted out, then neighbours are joined to numbers
// of two, four and eight digits.
func eightDigits(b []byte) (value uint64, count int) {
	v := binary.LittleEndian.Uint64(b) ^ 0x3030303030303030
	others := (v + 0x7676767676767676 | v) & 0x8080808080808080 // exact up to the first byte above 9
	count = bits.TrailingZeros64(others) / 8
	v <<= 64 - 8*count
	v = v*10 + v>>8
	const pairs = 0x000000ff000000ff
	return (v&pairs*(100+1000000<<32) + v>>16&pairs*(1+10000<<32)) >> 32, count
}
