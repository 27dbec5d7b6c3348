package pca

import "math"

// told changes the contributions of a row where a single direction u is left over. There every column, set right, takes the whole
// distance away, so that distances from the subspace tell no column from another. What tells them is where the row would be then: a fault in
// another column stays within the subspace, and is seen in the score distance. With s_j the squared score distance after column j
// is set right and L the cut-off, the entry is multiplied by the root of (L^2 + min s) / (L^2 + s_j): the column after which the row
// looks most like the others has the whole distance as before. Own are the |u_j|.
func (m *Model) told(entries, scores, own []float64) {
	limit := max(m.scoreCutoff*m.scoreCutoff, float64(len(scores)))
	after, least := make([]float64, len(entries)), math.Inf(1)
	right := make([]float64, len(scores))
	for c, entry := range entries {
		if own[c] == 0 {
			continue
		}
		for k, v := range m.basis.RawRowView(c) { // the value is entry / own too high
			right[k] = scores[k] - entry/own[c]*v
		}
		after[c] = limit + m.squaredScore(right)
		least = min(least, after[c])
	}
	if math.IsInf(least, 0) || math.IsNaN(least) {
		return
	}
	for c := range entries {
		if own[c] > 0 {
			entries[c] *= math.Sqrt(least / after[c])
		}
	}
}
