package outlying

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// Rows lie nearer to a subspace that they have helped to choose than new ones do. Limits are
// for new rows, so each row is measured by what the others say: the rows are dealt to parts,
// and each part is left out in turn.

// Fingerprints returns a number for every row that equal rows share and others do not.
func Fingerprints(ctx context.Context, src linalg.Source) ([]uint64, error) {
	n, _ := src.Dims()
	out := make([]uint64, n)
	err := linalg.EachBlock(ctx, src, func() *struct{} { return nil }, func(_ *struct{}, first int, block *mat.Dense) {
		rows, _ := block.Dims()
		for i := range rows {
			out[first+i] = fingerprint(block.RawRowView(i))
		}
	})
	return out, err
}

// fingerprint is FNV-1a of the values' bits, stirred so that the order of numbers says nothing.
func fingerprint(row []float64) uint64 {
	h := uint64(14695981039346656037)
	for _, v := range row {
		h = (h ^ math.Float64bits(v+0)) * 1099511628211
		h ^= h >> 29
	}
	h *= 0xbf58476d1ce4e5b9
	return h ^ h>>31
}

// Deal deals the rows that have a weight to at most so many parts: in the order of their
// distances, so that each part holds near and far ones, whatever the order of the rows. Equal
// rows, told by their fingerprints, go together, so that a weight of two is the same as two
// equal rows. Parts are numbered from 0; -1 is for rows without weight and for those that
// make up more than a part: without them what many rows say would be missing. count is the
// number of parts, at most that of different rows.
func Deal(distance []float64, fingerprints []uint64, w []float64, parts int) (part []int, count int) {
	part = slices.Repeat([]int{-1}, len(distance))
	weight := func(i int) float64 {
		if w == nil {
			return 1
		}
		return w[i]
	}
	alike := make([]int, 0, len(distance)) // rows, equal ones side by side
	for i := range distance {
		if weight(i) > 0 {
			alike = append(alike, i)
		}
	}
	slices.SortFunc(alike, func(a, b int) int {
		return cmp.Or(cmp.Compare(fingerprints[a], fingerprints[b]), a-b)
	})
	type group struct {
		first, last int // of alike
		weight      float64
	}
	var groups []group
	all := 0.0
	for k, i := range alike {
		if k == 0 || fingerprints[i] != fingerprints[alike[k-1]] {
			groups = append(groups, group{first: k})
		}
		g := &groups[len(groups)-1]
		g.last, g.weight = k+1, g.weight+weight(i)
		all += weight(i)
	}
	slices.SortStableFunc(groups, func(a, b group) int {
		return cmp.Compare(distance[alike[a.first]], distance[alike[b.first]])
	})
	parts = min(parts, len(groups))
	heavy := math.Max(all/float64(parts), 2)
	for _, g := range groups {
		if g.weight > heavy {
			continue
		}
		for _, i := range alike[g.first:g.last] {
			part[i] = count % parts
		}
		count++
	}
	return part, min(count, parts)
}
