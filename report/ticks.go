package report

import (
	"math"
	"strconv"

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

// linearTicks steps by 1, 2 or 5 times a power of ten.
func linearTicks(low, high float64, n int, whole bool) []tick {
	step := nearStep(high-low, n)
	if whole {
		step = math.Max(1, math.Round(step))
	}
	if !(step > 0) {
		return nil
	}
	decimals := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	largest := math.Max(math.Abs(low), math.Abs(high))
	write := func(v float64) string { return fixed(v, decimals) }
	if largest >= 1e6 || decimals > 5 {
		// As many mantissa digits as the step needs, but never a comb of them.
		digits := int(math.Floor(math.Log10(largest)+1e-9)) - int(math.Floor(math.Log10(step)+1e-9))
		write = func(v float64) string { return scientific(v, min(max(digits, 0), 3)) }
	}
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
		list = append(list, tick{v, write(v)})
	}
	return list
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
	var list []tick
	for e := first - 1; e <= last; e++ {
		for _, f := range []int{1, 2, 5} {
			v := float64(f) * math.Pow(10, float64(e))
			if v >= low*(1-1e-9) && v <= high*(1+1e-9) {
				list = append(list, tick{v, logLabel(f, e, plain)})
			}
		}
	}
	if len(list) < 2 {
		return linearTicks(low, high, n, false)
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
