package tune

import (
	"math"
	"slices"
)

// influences are the pseudo-values of blocks of errors for the root mean square without a share of the largest, which is
// whole for all of them: by the influence function of a trimmed mean, in which what is left out counts as the largest that is
// kept (Tukey and McLaughlin 1963). Leaving out blocks in earnest fails where about as many rows are wrong as are left out: then
// the other blocks have more of them than that, and a standard error of many times the score lets every candidate pass for the best.
func influences(blocks [][]float64, share, whole float64) []float64 {
	out := make([]float64, len(blocks))
	all := slices.Concat(blocks...)
	n := len(all)
	if n == 0 || whole == 0 {
		return out
	}
	slices.Sort(all)
	kept := n - min(int(share*float64(n)+1e-9), n-1)
	limit := all[kept-1]
	square := func(e float64) float64 { return math.Pow(min(e, limit)/whole, 2) }
	mean := 0.0
	for _, e := range all {
		mean += square(e) / float64(n)
	}
	for b, errors := range blocks {
		own := 0.0
		for _, e := range errors {
			own += (square(e) - mean) * (float64(len(blocks)) / float64(n))
		}
		out[b] = whole * (1 + own*float64(n)/float64(2*kept))
	}
	return out
}
