package report

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
)

// A tick is a marked position on an axis.
type tick struct {
	at    float64
	label string
}

// ticks chooses about n readable positions.
func (s scale) ticks(a Axis, n int) []tick {
	n = max(n, 2)
	switch {
	case a.marks != nil:
		return a.marks
	case len(a.Names) > 0:
		list := make([]tick, len(a.Names))
		for i, name := range a.Names {
			list[i] = tick{float64(i), clean(name)}
		}
		return list
	case s.log:
		return logTicks(s.min, s.max, n)
	default:
		return linearTicks(s.min, s.max, n, a.Whole)
	}
}

// linearTicks steps by 1, 2 or 5 times a power of ten. Labels have as many digits as
// neighbours need to read differently; where those are too many, they are counted from
// the offset of the range.
func linearTicks(low, high float64, n int, whole bool) []tick {
	step := nearStep(high-low, n)
	if whole {
		step = math.Max(1, math.Round(step))
	}
	if !(step > 0) {
		return nil
	}
	base := offset(low, high)
	low, high = low-base, high-base
	write := tickWriter(low, high, step)
	var list []tick
	slack := math.Min(step, high-low) * 1e-9
	for i := math.Ceil((low - slack) / step); len(list) < 4*n+4; i++ {
		v := i * step
		if v > high+slack {
			break
		}
		if math.Abs(v) < slack {
			v = 0
		}
		if k := len(list); k > 0 && list[k-1].at >= base+v { // finer than numbers are
			break
		}
		list = append(list, tick{base + v, write(v)})
	}
	return list
}

// magnitude is the exponent of the leading digit of v.
func magnitude(v float64) int { return int(math.Floor(math.Log10(v) + 1e-9)) }

const (
	mostPlain    = 10 // digits of a number written out
	mostMantissa = 3  // decimals of a mantissa beside a power of ten
)

// tickWriter writes multiples of the step between low and high.
func tickWriter(low, high, step float64) func(float64) string {
	largest := math.Max(math.Abs(low), math.Abs(high))
	decimals := max(0, -magnitude(step))
	digits := max(0, magnitude(largest)-magnitude(step))
	if largest < 1e6 && decimals <= 5 || digits > mostMantissa && max(magnitude(largest), 0)+1+decimals <= mostPlain {
		return func(v float64) string { return fixed(v, decimals) }
	}
	return func(v float64) string { return scientific(v, digits) }
}

// offset is the round number from which labels between low and high are counted, because
// numbers written out would be too long: 0 for most ranges. It lies on the side of zero.
func offset(low, high float64) float64 {
	span, largest := high-low, math.Max(math.Abs(low), math.Abs(high))
	if !(span > 0) || math.IsInf(span, 0) || low <= 0 && high >= 0 {
		return 0
	}
	// Ticks are at least a twentieth of the span apart.
	step := magnitude(span / 20)
	if magnitude(largest)-step <= mostMantissa || max(magnitude(largest), 0)+1+max(0, -step) <= mostPlain {
		return 0
	}
	// The roundest number within, or the round one before.
	for k := magnitude(largest); k >= magnitude(span); k-- {
		unit := math.Pow(10, float64(k))
		if base := math.Ceil(low/unit) * unit; base <= high {
			return base
		}
	}
	unit := math.Pow(10, float64(magnitude(span)+1))
	return math.Trunc(low/unit) * unit
}

// offsetText says from where the labels of a range are counted; nothing when from zero.
func offsetText(low, high float64) string {
	base := offset(low, high)
	if base == 0 {
		return ""
	}
	decimals := max(0, 1-magnitude(high-low))
	if written := trimmed(fixed(base, decimals)); decimals < 15 && len(written) <= 22 {
		return "counted from " + written
	}
	mantissa, power, _ := strings.Cut(scientific(base, max(0, magnitude(math.Abs(base))-magnitude(high-low)+1)), "×")
	return "counted from " + trimmed(mantissa) + "×" + power
}

// offsetText is that of an axis.
func (s scale) offsetText(a Axis) string {
	if a.marks != nil || len(a.Names) > 0 || s.log && len(roundTicks(s.min, s.max)) >= 2 {
		return ""
	}
	return offsetText(s.min, s.max)
}

// labelled is the label of an axis with what the ticks leave out.
func (s scale) labelled(a Axis) string {
	text := s.offsetText(a)
	switch {
	case text == "":
		return clean(a.Label)
	case a.Label == "":
		return text
	}
	return clean(a.Label) + ", " + text
}

// nearStep is the round step that cuts the span into nearest to n pieces, never
// into fewer than two and a half.
func nearStep(span float64, n int) float64 {
	up := niceStep(span / float64(n))
	down := niceStep(up * 0.39) // the next smaller: 5 to 2, 2 to 1, 1 to 0.5
	if down > 0 && (span/down-float64(n) < float64(n)-span/up || span/up < 2.5) {
		return down
	}
	return up
}

// niceStep rounds up to 1, 2 or 5 times a power of ten.
func niceStep(raw float64) float64 {
	if !(raw > 0) || !finite(raw) {
		return 0
	}
	base := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, f := range []float64{1, 2, 5} {
		if raw <= f*base*(1+1e-9) {
			return f * base
		}
	}
	return 10 * base
}

// logTicks marks powers of ten, and 2 and 5 times them on short axes.
func logTicks(low, high float64, n int) []tick {
	first := int(math.Ceil(math.Log10(low) - 1e-9))
	last := int(math.Floor(math.Log10(high) + 1e-9))
	plain := low >= 1e-4 && high < 1e5
	if decades := last - first + 1; decades >= 3 || decades == 2 && n <= 3 {
		stride := (decades + n - 1) / n
		var list []tick
		for e := first; e <= last; e += stride {
			list = append(list, tick{math.Pow(10, float64(e)), logLabel(1, e, plain)})
		}
		return list
	}
	list := roundTicks(low, high)
	if len(list) < 2 {
		return linearTicks(low, high, n, false)
	}
	return list
}

// roundTicks are 1, 2 and 5 times the powers of ten of a logarithmic axis.
func roundTicks(low, high float64) []tick {
	var list []tick
	plain := low >= 1e-4 && high < 1e5
	for e := int(math.Ceil(math.Log10(low)-1e-9)) - 1; e <= int(math.Floor(math.Log10(high)+1e-9)); e++ {
		for _, f := range []int{1, 2, 5} {
			v := float64(f) * math.Pow(10, float64(e))
			if v >= low*(1-1e-9) && v <= high*(1+1e-9) {
				list = append(list, tick{v, logLabel(f, e, plain)})
			}
		}
	}
	return list
}

func logLabel(factor, exponent int, plain bool) string {
	switch {
	case plain:
		return fixed(float64(factor)*math.Pow(10, float64(exponent)), max(0, -exponent))
	case factor == 1:
		return power(exponent)
	default:
		return strconv.Itoa(factor) + "×" + power(exponent)
	}
}

// fitting thins ticks whose labels would touch when set side by side along
// length.
func fitting(list []tick, l lettering, s scale, length vg.Length) []tick {
	const gap = 8
	for stride := 1; ; stride++ {
		var kept []tick
		end, ok := vg.Length(math.Inf(-1)), true
		for i := 0; i < len(list); i += stride {
			t := list[i]
			half := l.width(t.label) / 2
			middle := vg.Length(s.unit(t.at)) * length
			if middle-half < end+gap {
				ok = false
				break
			}
			end = middle + half
			kept = append(kept, t)
		}
		if ok || stride >= len(list) {
			return kept
		}
	}
}
