package univariate

import (
	"math"
	"slices"
	"sync"
)

const (
	// radixFewest is how many numbers are sorted by digits faster than by comparison.
	radixFewest = 500
	radixBits   = 11
	radixDigits = (64 + radixBits - 1) / radixBits
)

// radix sorts numbers by the digits of their bits, the last digit first: each number is moved six times and compared with none, so that nothing
// depends on how they lie.
type radix struct {
	keys, moved []uint64
	count       [radixDigits][1 << radixBits]int32 // of each digit
}

var radixes = sync.Pool{New: func() any { return new(radix) }}

// sortAlone sorts numbers on one core, of which there are sortedAlone at most. NaN comes first.
func sortAlone(x []float64) {
	if len(x) < radixFewest {
		slices.Sort(x)
		return
	}
	r := radixes.Get().(*radix)
	defer radixes.Put(r)
	r.sort(x)
}

// sort looks at the first half of the digits alone, and puts right what they do not tell where that is little.
func (r *radix) sort(x []float64) {
	r.by(x, radixDigits/2)
	moves := 0
	for i := 1; i < len(x); i++ {
		v, at := x[i], i
		for ; at > 0 && x[at-1] > v; at-- {
			x[at] = x[at-1]
		}
		x[at] = v
		if moves += i - at; moves > len(x) {
			r.by(x, 0)
			return
		}
	}
}

// by sorts by the digits from one on.
func (r *radix) by(x []float64, least int) {
	n := len(x)
	r.keys, r.moved = slices.Grow(r.keys[:0], n)[:n], slices.Grow(r.moved[:0], n)[:n]
	counts := r.count[least:]
	clear(counts)
	for i, v := range x {
		k := radixKey(v)
		r.keys[i] = k
		k >>= least * radixBits
		for d := range counts {
			counts[d][k%(1<<radixBits)]++
			k >>= radixBits
		}
	}
	from, to := r.keys, r.moved
	for d := range counts {
		count, shift := &counts[d], (least+d)*radixBits
		if count[from[0]>>shift%(1<<radixBits)] == int32(n) {
			continue // all have the same
		}
		place := int32(0)
		for i, c := range count {
			count[i] = place
			place += c
		}
		for _, k := range from {
			at := &count[k>>shift%(1<<radixBits)]
			to[*at] = k
			*at++
		}
		from, to = to, from
	}
	for i, k := range from {
		x[i] = radixValue(k)
	}
}

// radixKey is an integer that is larger for a larger number, and 0 for NaN.
func radixKey(v float64) uint64 {
	if v != v {
		return 0
	}
	b := math.Float64bits(v)
	return b ^ (uint64(int64(b)>>63) | 1<<63)
}

func radixValue(k uint64) float64 { return math.Float64frombits(k ^ (uint64(int64(^k)>>63) | 1<<63)) }
