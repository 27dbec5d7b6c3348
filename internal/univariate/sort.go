package univariate

import (
	"slices"

	"github.com/inlier-ml/inlier/linalg"
)

// sortedAlone is how many numbers one core sorts: as many as stay in its cache.
const sortedAlone = 1 << 15

// Sort sorts numbers in place on all cores: stretches of them by themselves, which are then merged to ever longer ones. NaN
// comes first.
func Sort(x []float64) {
	n := len(x)
	linalg.Parallel((n+sortedAlone-1)/sortedAlone, func(i int) { sortAlone(x[i*sortedAlone : min((i+1)*sortedAlone, n)]) })
	if n <= sortedAlone {
		return
	}
	from, to := x, make([]float64, n)
	for size := sortedAlone; size < n; size *= 2 {
		parts := size / sortedAlone // of a pair
		linalg.Parallel((n+2*size-1)/(2*size)*parts, func(i int) {
			first, part := i/parts*2*size, i%parts
			middle := min(first+size, n)
			a, b := from[first:middle], from[middle:min(first+2*size, n)]
			a0, b0 := cut(a, b, part, parts)
			a1, b1 := cut(a, b, part+1, parts)
			merge(to[first+a0+b0:first+a1+b1], a[a0:a1], b[b0:b1])
		})
		from, to = to, from
	}
	if &from[0] != &x[0] {
		copy(x, from)
	}
}

// cut is where a part of two sorted stretches begins: with a value of the first, and the values of the second that are less.
func cut(a, b []float64, part, parts int) (int, int) {
	switch part {
	case 0:
		return 0, 0
	case parts:
		return len(a), len(b)
	}
	at := part * len(a) / parts
	first, _ := slices.BinarySearch(b, a[at])
	return at, first
}

func merge(to, a, b []float64) {
	k := 0
	for len(a) > 0 && len(b) > 0 {
		if b[0] < a[0] || b[0] != b[0] {
			to[k], b = b[0], b[1:]
		} else {
			to[k], a = a[0], a[1:]
		}
		k++
	}
	k += copy(to[k:], a)
	copy(to[k:], b)
}
