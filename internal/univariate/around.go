package univariate

import (
	"slices"

	"github.com/inlier-ml/inlier/linalg"
)

const (
	// manyValues is from how many values on the middle is looked for on all cores.
	manyValues = 1 << 18
	// guideValues is how many values show about where the middle is, guideReach how far from their middle, in places, limits
	// are taken on either side: sixteen standard errors of a random sample.
	guideValues = 1 << 14
	guideReach  = 1 << 10
	// heapValues is how many values one core sorts out at a time.
	heapValues = 1 << 16
)

// heap is what a stretch of values has within limits, and how many below and above.
type heap struct {
	near         []float64
	below, above int
}

// aroundMiddle copies the values of a long slice that are near its middle: a sample gives limits, and all cores look at
// what is within. below is how many values are less than all of these. It fails (ok false) where the middle is not
// among them, or some values are no numbers. What it returns depends on the values alone.
func aroundMiddle(x []float64) (near []float64, below int, ok bool) {
	n := len(x)
	guide := make([]float64, guideValues)
	within := Staggered()
	for k := range guide { // one of each of equal stretches, so that rows that take turns are all seen
		guide[k] = x[int((float64(k)+within())*(float64(n)/guideValues))]
	}
	slices.Sort(guide)
	low, high := guide[guideValues/2-guideReach], guide[guideValues/2+guideReach]
	heaps := make([]heap, (n+heapValues-1)/heapValues)
	linalg.Parallel(len(heaps), func(k int) {
		h := heap{near: make([]float64, 0, heapValues/4)}
		for _, v := range x[k*heapValues : min((k+1)*heapValues, n)] {
			switch {
			case v < low:
				h.below++
			case v > high:
				h.above++
			case v == v:
				h.near = append(h.near, v)
			}
		}
		heaps[k] = h
	})
	inside, above := 0, 0
	for _, h := range heaps {
		below, above, inside = below+h.below, above+h.above, inside+len(h.near)
	}
	if below+inside+above != n || (n-1)/2 < below || n/2 >= below+inside {
		return nil, 0, false
	}
	near = make([]float64, 0, inside)
	for _, h := range heaps {
		near = append(near, h.near...)
	}
	return near, below, true
}

// medianAround halves many values without reordering them; ok is false where they are few or [aroundMiddle] fails.
func medianAround(x []float64) (median float64, ok bool) {
	n := len(x)
	if n < manyValues {
		return 0, false
	}
	near, below, ok := aroundMiddle(x)
	if !ok {
		return 0, false
	}
	upper := Select(near, n/2-below)
	if n%2 == 1 {
		return upper, true
	}
	return slices.Max(near[:n/2-below])/2 + upper/2, true
}
