package univariate

import (
	"math"
	"slices"
)

// DensestHalf returns location and scale of a sample by the univariate minimum covariance
// determinant: the h consecutive order statistics with the smallest variance, with the
// factor that makes the scale that of a normal sample (Rousseeuw and Leroy 1987, p. 171).
// An h outside 1 to len(x) is moved there. The slice is sorted in place. Values however
// far off, up to the largest number there is, cost the others no precision.
func DensestHalf(x []float64, h int) (location, scale float64) {
	Sort(x)
	return densest(x, nil, float64(h))
}

// densestOnes is [densest] for values that count alike.
func densestOnes(x []float64, h int, longest, unit float64) (best, mean float64) {
	var origin, sum, squares, doubt float64
	stale := true // the sums are not those of the present window
	exact := func(window []float64) {
		origin, sum, squares, doubt, stale = window[h/2], 0, 0, 0, false
		for _, v := range window {
			e := (v - origin) / unit
			sum += e
			squares += e * e
		}
	}
	best = math.Inf(1)
	scale, part := 1/unit, 1/float64(h)
	for first := 0; first+h <= len(x); first++ {
		if x[first+h-1]-x[first] > longest {
			stale = true // far values must not enter the sums: their rounding would stay
			continue
		}
		if stale {
			exact(x[first : first+h])
		} else {
			out, in := (x[first-1]-origin)*scale, (x[first+h-1]-origin)*scale
			sum += in - out
			change := in*in + out*out
			squares += in*in - out*out
			doubt += 0x1p-50 * (squares + change)
		}
		ss := squares - sum*sum*part
		if doubt > 1e-10*math.Abs(ss) {
			exact(x[first : first+h])
			ss = squares - sum*sum*part
		}
		if ss < best {
			best, mean = ss, origin+sum*part*unit
		}
	}
	return best, mean
}

// WeightedDensestHalf is [DensestHalf] of values with weights: the stretch of sorted
// values that holds the weight h and has the smallest variance, the values at its ends
// perhaps with a part of their weight. An integer weight is the same as repeating the
// value, 0 as leaving it out. The slices stay as they are; w nil means ones.
func WeightedDensestHalf(x, w []float64, h float64) (location, scale float64) {
	x, w = sorted(x, w)
	return densest(x, w, h)
}

// densest slides a window of weight h over sorted values. Between two places where an end
// of the window meets the border of a value the sum of squares is a concave function of
// the window's place, so only those places need to be looked at.
func densest(x, w []float64, h float64) (location, scale float64) {
	n := len(x)
	if n == 0 {
		return math.NaN(), math.NaN()
	}
	weight := func(i int) float64 {
		if w == nil {
			return 1
		}
		return w[i]
	}
	total := float64(n)
	if w != nil {
		total = 0
		for _, v := range w {
			total += v
		}
	}
	h = min(max(h, min(1, total)), total)
	// About the median, the weight h lies within reach, so the best window has a sum of
	// squares of at most h reach^2. One that is longer than sqrt(2h) reach has more.
	middle := middleOf(x, w, total)
	reach := reachOf(x, w, middle, h)
	if reach == 0 {
		return middle, 0
	}
	longest := math.Sqrt(2*h) * reach * (1 + 1e-9)
	unit := math.Ldexp(1, max(math.Ilogb(math.Min(reach, math.MaxFloat64)), -1000))
	if count := int(h); w == nil && float64(count) == h && !math.IsInf(reach, 1) {
		best, mean := densestOnes(x, count, longest, unit)
		return mean, math.Min(math.Sqrt(math.Max(best, 0)/h*centralFactor(h, total))*unit, math.MaxFloat64)
	}
	// The window holds the weight left of value first, all of those between, and the
	// weight used of value last.
	first, last := 0, 0
	left, used := weight(0), 0.0
	for need := h; ; last++ {
		if v := weight(last); v < need*(1-1e-12) && last < n-1 {
			need -= v
			continue
		}
		used = math.Min(need, weight(last))
		break
	}
	if first == last {
		left = used
	}
	var origin, sum, squares, doubt float64
	stale := true // the sums are not those of the present window
	exact := func() {
		origin, sum, squares, doubt, stale = x[first+(last-first)/2], 0, 0, 0, false
		for i := first; i <= last; i++ {
			e, a := (x[i]-origin)/unit, weight(i)
			switch i {
			case first:
				a = left
			case last:
				a = used
			}
			sum += a * e
			squares += a * e * e
		}
	}
	best, mean := math.Inf(1), middle
	for {
		if x[last]-x[first] > longest && !(math.IsInf(reach, 1)) {
			stale = true // far values must not enter the sums: their rounding would stay
		} else {
			if stale {
				exact()
			}
			ss := squares - sum*sum/h
			if doubt > 1e-10*math.Abs(ss) {
				exact()
				ss = squares - sum*sum/h
			}
			if ss < best {
				best, mean = ss, origin+sum/h*unit
			}
		}
		// The next place where an end of the window meets a border.
		for used >= weight(last)*(1-1e-12) && last < n-1 {
			last, used = last+1, 0
		}
		room := weight(last) - used
		if room <= weight(last)*1e-12 {
			break
		}
		step := math.Min(left, room)
		if first == last {
			break
		}
		if !stale {
			out, in := (x[first]-origin)/unit, (x[last]-origin)/unit
			sum += step * (in - out)
			squares += step * (in*in - out*out)
			doubt += 0x1p-50 * (squares + step*(in*in+out*out))
		}
		left -= step
		used += step
		for left <= weight(first)*1e-12 && first < last {
			first++
			left = weight(first)
			if first == last {
				left = used
			}
		}
	}
	if math.IsInf(best, 1) { // no window is of finite length
		return middle, math.MaxFloat64
	}
	variance := math.Max(best, 0) / h
	return mean, math.Min(math.Sqrt(variance*centralFactor(h, total))*unit, math.MaxFloat64)
}

// middleOf is the value in the middle of sorted values, the upper one of two.
func middleOf(x, w []float64, total float64) float64 {
	if w == nil {
		return x[len(x)/2]
	}
	sum := 0.0
	for i, v := range w {
		if sum += v; sum > total/2*(1+1e-12) {
			return x[i]
		}
	}
	return x[len(x)-1]
}

// reachOf is the smallest distance from the middle within which sorted values have the
// weight h.
func reachOf(x, w []float64, middle, h float64) float64 {
	up, _ := slices.BinarySearch(x, middle)
	down := up - 1
	reach := 0.0
	for h > 0 {
		next := 0
		switch {
		case up < len(x) && (down < 0 || x[up]-middle <= middle-x[down]):
			reach, next, up = x[up]-middle, up, up+1
		case down >= 0:
			reach, next, down = middle-x[down], down, down-1
		default:
			return reach
		}
		if w == nil {
			h--
		} else if h -= w[next]; h <= w[next]*1e-12 {
			break
		}
	}
	return reach
}

// rounds is how often [WeightedRefine] reweights at most.
const rounds = 10
