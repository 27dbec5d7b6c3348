// Package cell reads what stands in one field of a text file: a number, a mark of a missing value, or
// text in any encoding.
package cell

import (
	"math"
	"math/bits"
	"strconv"
)

// Kind is what a field of a text file turned out to be.
type Kind uint8

// The kinds of fields.
const (
	Number Kind = iota
	Missing
	Text     // neither a number nor a mark of a missing value
	Infinite // inf, or a number beyond the range of float64
)

// exactPowers are the powers of ten that float64 holds exactly.
var exactPowers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// Parse reads a field. Short decimal numbers are converted without strconv: an
// integer below 2^53 times or divided by an exact power of ten has one rounding, so
// the result is the nearest number.
func Parse(b []byte) (float64, Kind) {
	b = Trim(b)
	i, n := 0, len(b)
	if n == 0 {
		return math.NaN(), Missing
	}
	negative := false
	if b[0] == '-' || b[0] == '+' {
		negative = b[0] == '-'
		i++
	}
	var mantissa uint64
	digits, scale := 0, 0
	start := i
	for ; i < n && b[i]-'0' <= 9; i++ {
		mantissa = mantissa*10 + uint64(b[i]-'0')
		if mantissa > 0 {
			digits++
		}
	}
	seen := i - start
	if i < n && b[i] == '.' {
		i++
		point := i
		for ; i < n && b[i]-'0' <= 9; i++ {
			mantissa = mantissa*10 + uint64(b[i]-'0')
			if mantissa > 0 {
				digits++ // that count: not the zeros before them
			}
		}
		scale = point - i
		seen += i - point
	}
	if seen == 0 {
		return notDigits(b)
	}
	if i < n && (b[i] == 'e' || b[i] == 'E') {
		i++
		down := false
		if i < n && (b[i] == '-' || b[i] == '+') {
			down = b[i] == '-'
			i++
		}
		exponent, first := 0, i
		for ; i < n && b[i]-'0' <= 9; i++ {
			exponent = min(exponent*10+int(b[i]-'0'), 100000)
		}
		if i == first {
			return 0, Text
		}
		if down {
			exponent = -exponent
		}
		scale += exponent
	}
	if i < n {
		return notDigits(b)
	}
	if digits <= 19 { // so that the mantissa has not overflowed
		v, exact := 0.0, true
		switch {
		case mantissa < 1<<53 && scale >= -22 && scale <= 22:
			v = float64(mantissa)
			if scale < 0 {
				v /= exactPowers[-scale]
			} else {
				v *= exactPowers[scale]
			}
		case scale >= -19 && scale < 0:
			v = shifted(mantissa, -scale)
		default:
			exact = false
		}
		if exact {
			if negative {
				v = -v
			}
			return v, Number
		}
	}
	v, err := strconv.ParseFloat(string(b), 64)
	if err != nil { // the form is right, so only the range can be wrong
		return v, Infinite
	}
	return v, Number
}

// wholePowers are the powers of ten that 64 bits hold.
var wholePowers = [...]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19}

// reciprocals are 2^(63+k)/10^places, of which k makes the first bit one, cut off.
var reciprocals = func() (r [len(wholePowers)]uint64) {
	for places := 1; places < len(r); places++ {
		b := wholePowers[places]
		r[places], _ = bits.Div64(1<<63, 0, b<<bits.LeadingZeros64(b))
	}
	return r
}()

// shifted returns the number nearest to a/10^places, for a above 0 and places from 1 to 19. A product with the reciprocal tells it
// unless a/10^places is close to the middle between two numbers, which a division finds out: one in 200.
func shifted(a uint64, places int) float64 {
	shift := bits.LeadingZeros64(a)
	q, _ := bits.Mul64(a<<shift, reciprocals[places]) // at most 2 below the quotient
	exponent := bits.LeadingZeros64(wholePowers[places]) - shift - 63
	if q>>63 == 0 { // at most 4 then
		q <<= 1
		exponent--
	}
	m, cut := q>>11, q&(1<<11-1)
	if cut+4 >= 1<<11 || cut <= 1<<10 && cut+4 >= 1<<10 {
		return quotient(a, wholePowers[places])
	}
	m += cut >> 10
	return float64(m) * math.Float64frombits(uint64(exponent+11+1023)<<52) // the power of two is exact
}

// quotient returns the number nearest to a/b, for a and b above 0: a division of 128 by
// 64 bits gives at least 63 bits of the quotient and tells whether anything is left, so
// that rounding to 53 bits, to even in the middle, is exact.
func quotient(a, b uint64) float64 {
	shiftA, shiftB := bits.LeadingZeros64(a), bits.LeadingZeros64(b)
	a, b = a<<shiftA, b<<shiftB
	q, rest := bits.Div64(a>>1, a<<63, b) // a/b/2 in units of 2^-64, below 1 because a/b < 2
	exponent := shiftB - shiftA - 63
	if q>>63 == 0 {
		q <<= 1 // the bit that comes in is unknown, but only what is left matters below
		exponent--
		if rest >= b-rest {
			q++
			rest -= b - rest
		} else {
			rest += rest
		}
	}
	m := q >> 11
	half := q & (1<<11 - 1)
	if half > 1<<10 || half == 1<<10 && (rest != 0 || m&1 == 1) {
		m++
	}
	return float64(m) * math.Float64frombits(uint64(exponent+11+1023)<<52) // the power of two is exact
}

// notDigits tells marks of missing values, infinities and other text apart.
func notDigits(b []byte) (float64, Kind) {
	if IsMissing(b) {
		return math.NaN(), Missing
	}
	switch string(lower(b)) {
	case "inf", "+inf", "-inf", "infinity", "+infinity", "-infinity":
		return math.Inf(1), Infinite
	}
	return 0, Text
}

// IsMissing reports whether a field says that there is no value.
func IsMissing(b []byte) bool {
	switch len(b) {
	case 0:
		return true
	case 1:
		return b[0] == '?' || b[0] == '.'
	case 2:
		return string(lower(b)) == "na"
	case 3:
		return string(lower(b)) == "nan"
	case 4:
		s := string(lower(b))
		return s == "null" || s == "-nan"
	}
	return false
}

// lower is a copy of short ASCII text in small letters.
func lower(b []byte) []byte {
	var small [10]byte
	if len(b) > len(small) {
		return nil
	}
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		small[i] = c
	}
	return small[:len(b)]
}

func Trim(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\t') {
		b = b[1:]
	}
	for len(b) > 0 && (b[len(b)-1] == ' ' || b[len(b)-1] == '\t') {
		b = b[:len(b)-1]
	}
	return b
}
