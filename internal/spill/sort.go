package spill

import (
	"cmp"
	"slices"
	"unsafe"

	"github.com/inlier-ml/inlier/linalg"
)

// Sort is slices.Sort on all cores. In a large array of a room that would bring in all of it, as fast as memory is, at every level: the array is
// parted by pivots until parts are small, and pages are given back on the way.
func Sort[T cmp.Ordered](array []T) { sortIn(Of(array), array, 2*linalg.Threads()) }

// sortIn sorts with the help of others while these are more than one.
func sortIn[T cmp.Ordered](room *Room, x []T, others int) {
	const small = 16 * paced
	size := int64(unsafe.Sizeof(*new(T)))
	for len(x) > small && (room != nil || others > 1) {
		below, above := part(room, x, pivot(x))
		room.Passed(int64(len(x)) * size)
		if others > 1 {
			halves := [2][]T{x[:below], x[above:]}
			linalg.Parallel(2, func(k int) { sortIn(room, halves[k], others/2) })
			return
		}
		if below < len(x)-above { // the longer part in turn
			sortIn(room, x[:below], 0)
			x = x[above:]
		} else {
			sortIn(room, x[above:], 0)
			x = x[:below]
		}
	}
	slices.Sort(x)
	room.Passed(int64(len(x)) * size)
}

// pivot is the middle of some values from all over an array.
func pivot[T cmp.Ordered](x []T) T {
	var some [101]T
	for k := range some {
		some[k] = x[k*(len(x)-1)/(len(some)-1)]
	}
	slices.Sort(some[:])
	return some[len(some)/2]
}

// part brings values below a pivot to the front and those above it to the end, and says where the equal ones between begin and end.
func part[T cmp.Ordered](room *Room, x []T, by T) (below, above int) {
	size := int64(unsafe.Sizeof(by))
	above = len(x)
	steps := 0
	for i := 0; i < above; {
		switch c := cmp.Compare(x[i], by); {
		case c < 0:
			x[i], x[below] = x[below], x[i]
			below++
			i++
		case c > 0:
			above--
			x[i], x[above] = x[above], x[i]
		default:
			i++
		}
		if steps++; steps%paced == 0 {
			room.Passed(3 * paced * size)
		}
	}
	return below, above
}
