package check

import (
	"math"
	"slices"

	"github.com/inlier-ml/inlier/internal/spill"
	"github.com/inlier-ml/inlier/linalg"
)

// rankPart is how many of the sorted values are at hand at a time where all are in a file: each look at another place far from the
// last would bring in pages.
const rankPart = 1 << 19

// rank replaces p-values by their places from 0 to 1, the smallest the highest; equal ones share theirs.
func rank(p []float64) {
	sorted := spill.Clone(p)
	defer spill.Free(sorted)
	spill.Sort(sorted)
	part, out := len(p), p
	if room := spill.Of(p); room != nil {
		part, out = rankPart, spill.Make[float64](room, len(p))
		defer func() {
			for i, v := range spill.Each(out) {
				p[i] = v
			}
			spill.Free(out)
		}()
	}
	for from := 0; from < len(sorted); {
		to := min(from+part, len(sorted))
		for to < len(sorted) && sorted[to] == sorted[to-1] { // equal ones stay together
			to++
		}
		rankWithin(p, out, sorted[from:to], from)
		from = to
	}
}

// rankWithin writes the places of the values that lie among some of the sorted ones, which follow so many smaller ones.
func rankWithin(p, out, sorted []float64, before int) {
	// Every so many-th value says where to look: these few are at hand, all of them are not.
	const stretch = 256
	marks := make([]float64, 0, len(sorted)/stretch+1)
	for i := 0; i < len(sorted); i += stretch {
		marks = append(marks, sorted[i])
	}
	below := func(v float64) int { // the number of values below one
		k, _ := slices.BinarySearch(marks, v)
		from := max(0, (k-1)*stretch)
		at, _ := slices.BinarySearch(sorted[from:min(k*stretch, len(sorted))], v)
		return from + at
	}
	low, high := sorted[0], sorted[len(sorted)-1]
	const some = 1 << 15
	room := spill.Of(p)
	linalg.Parallel((len(p)+some-1)/some, func(k int) {
		last, place := math.NaN(), 0.0
		for i := k * some; i < min((k+1)*some, len(p)); i++ {
			v := p[i]
			if v < low || v > high {
				continue
			}
			if v != last { // equal ones often come in runs
				first, end := below(v), 0
				if end = first + 1; end < len(sorted) && sorted[end] == v {
					end = below(math.Nextafter(v, math.Inf(1)))
				}
				last, place = v, 1-(float64(2*before+first+end)-1)/2/float64(len(p))
			}
			out[i] = place
		}
		room.Passed(2 * 8 * some)
	})
}
