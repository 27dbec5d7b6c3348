// Package decimal reads numbers as JSON writes them, faster than the general reader of the standard library: tables that are
// sent as text are mostly such numbers.
package decimal

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"unsafe"
)

// Append writes a number as short as it reads back the same, and a whole one of up to 15 digits as codes are written: 1000000, not 1e+06.
func Append(to []byte, v float64) []byte {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.AppendFloat(to, v, 'f', -1, 64)
	}
	return strconv.AppendFloat(to, v, 'g', -1, 64)
}

// Text is such a number as a text.
func Text(v float64) string { return string(Append(nil, v)) }

// Read reads the number at the beginning of text and tells how many bytes it takes; 0: there is none that JSON allows, or it is
// too large for a float64. The number is the float64 nearest to what is written, as strconv.ParseFloat has it.
func Read(text []byte) (v float64, length int) {
	at, negative := 0, false
	if len(text) > 0 && text[0] == '-' {
		at, negative = 1, true
	}
	first := at
	w, at := digits(text, at, 0)
	if at == first || text[first] == '0' && at > first+1 {
		return 0, 0
	}
	used, power := at-first, 0
	if at < len(text) && text[at] == '.' {
		point := at + 1
		if w, at = digits(text, point, w); at == point {
			return 0, 0
		}
		power = point - at
		used -= power
	}
	if at < len(text) && (text[at] == 'e' || text[at] == 'E') {
		down := false
		if at++; at < len(text) && (text[at] == '+' || text[at] == '-') {
			down = text[at] == '-'
			at++
		}
		begin := at
		var e uint64
		if e, at = digits(text, at, 0); at == begin {
			return 0, 0
		}
		switch {
		case at-begin > 6:
			used = most + 1 // strconv knows what that comes to
		case down:
			power -= int(e)
		default:
			power += int(e)
		}
	}
	exact := used <= most
	if exact {
		v, exact = nearest(w, power)
	}
	if !exact {
		// The text outlives the call, and nobody keeps the string.
		far, err := strconv.ParseFloat(unsafe.String(&text[0], at), 64)
		if err != nil {
			return 0, 0
		}
		return far, at
	}
	if negative {
		v = -v
	}
	return v, at
}

// most is the number of digits that always fit into 64 bits.
const most = 19

// digits appends the digits from a place on to w, eight at a time, and tells where they end.
func digits(text []byte, at int, w uint64) (uint64, int) {
	for at+8 <= len(text) {
		x := binary.LittleEndian.Uint64(text[at:])
		other := (x + 0x4646464646464646 | (x - 0x3030303030303030)) & 0x8080808080808080 // its lowest bit: the first byte above '9' or below '0'
		n := bits.TrailingZeros64(other) / 8
		x = (x - 0x3030303030303030) << (64 - 8*n) // zeros before the n digits
		x = x*10 + x>>8                            // every second byte: a pair of digits
		const pairs = 0x000000ff000000ff
		x = (x&pairs*(100+1000000<<32) + x>>16&pairs*(1+10000<<32)) >> 32
		w = w*scales[n&15] + x&0xffffffff
		if at += n; n < 8 {
			return w, at
		}
	}
	for ; at < len(text) && text[at]-'0' < 10; at++ {
		w = w*10 + uint64(text[at]-'0')
	}
	return w, at
}

var scales = [16]uint64{1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000}

// widest is the largest power of ten, and its negative the smallest, that the table knows.
const widest = 64

// tens are the first 128 bits of powers of ten, cut off, the first bit set, with the power of two of that bit.
var tens = func() (table [2*widest + 1]struct {
	high, low uint64
	exponent  int
}) {
	for k := range table {
		power := k - widest
		whole := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(power, -power))), nil)
		shift := 0
		if power < 0 {
			shift = whole.BitLen() + 128
			whole.Div(new(big.Int).Lsh(big.NewInt(1), uint(shift)), whole)
		}
		t := &table[k]
		t.exponent = whole.BitLen() - 1 - shift
		if extra := whole.BitLen() - 128; extra > 0 {
			whole.Rsh(whole, uint(extra))
		} else {
			whole.Lsh(whole, uint(-extra))
		}
		t.low = new(big.Int).And(whole, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
		t.high = whole.Rsh(whole, 64).Uint64()
	}
	return table
}()

// nearest is the float64 nearest to w * 10^power; false where 128 bits of the power do not tell which that is, after Lemire,
// "Number parsing at a gigabyte per second", Software: Practice and Experience 51 (2021), section 5.
func nearest(w uint64, power int) (float64, bool) {
	if w == 0 || power == 0 && w <= 1<<53 {
		return float64(w), true
	}
	if power < -widest || power > widest {
		return 0, false
	}
	t := &tens[power+widest]
	lead := bits.LeadingZeros64(w)
	w <<= lead
	// The product of 192 bits is high, middle and a rest; what was cut off of the power adds less than one to middle.
	high, middle := bits.Mul64(w, t.high)
	carry, _ := bits.Mul64(w, t.low)
	middle, over := bits.Add64(middle, carry, 0)
	high += over
	below := 10 + int(high>>63) // bits of high below the 53 of a float64
	exponent := 63 - lead + t.exponent + int(high>>63)
	mantissa, rest, half := high>>below, high&(1<<below-1), uint64(1)<<(below-1)
	if rest == half && middle <= 1 || rest == half-1 && middle >= math.MaxUint64-1 {
		return 0, false // perhaps as near to one as to the next
	}
	if rest >= half {
		mantissa++ // a carry into the next power of two is right as it is
	}
	return math.Float64frombits(mantissa + uint64(exponent+1022)<<52), true
}
