package report

import (
	"math"
	"strconv"
	"strings"
)

// finite reports values that can be drawn. Values beyond 1e300 count as infinite,
// so that differences of two drawable values do not overflow.
func finite(v float64) bool { return math.Abs(v) <= 1e300 }

// fixed writes v with the given decimals, thousands set apart by commas and a
// true minus sign.
func fixed(v float64, decimals int) string {
	s := strconv.FormatFloat(math.Abs(v), 'f', decimals, 64)
	whole, fraction, _ := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if fraction != "" {
		whole += "." + fraction
	}
	if v < 0 && strings.ContainsAny(whole, "123456789") {
		whole = "−" + whole
	}
	return whole
}

var superscripts = strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³",
	"4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")

// power writes 10 to the given exponent.
func power(exponent int) string { return "10" + superscripts.Replace(strconv.Itoa(exponent)) }

// scientific writes v as mantissa and power of ten with the given decimals.
func scientific(v float64, decimals int) string {
	if v == 0 {
		return "0"
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', decimals, 64), "e")
	e, _ := strconv.Atoi(exponent)
	return strings.Replace(mantissa, "-", "−", 1) + "×" + power(e)
}

// Short writes a number for captions and legends: about three significant digits,
// thousands set apart, powers of ten for very large and very small ones.
func Short(v float64) string { return short(v) }

// short writes a number for reading in about three significant digits.
func short(v float64) string {
	switch a := math.Abs(v); {
	case math.IsNaN(v):
		return "–"
	case math.IsInf(v, 1):
		return "∞"
	case math.IsInf(v, -1):
		return "−∞"
	case a == 0:
		return "0"
	case a >= 1e6 || a < 1e-3:
		return scientific(v, 1)
	case a >= 100 || v == math.Trunc(v):
		return fixed(v, 0)
	case a >= 10:
		return trimmed(fixed(v, 1))
	case a >= 1:
		return trimmed(fixed(v, 2))
	default:
		return trimmed(fixed(v, 3))
	}
}

// trimmed drops zeros at the end of a fraction.
func trimmed(s string) string {
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}
