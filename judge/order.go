package judge

import (
	"math"

	"github.com/inlier-ml/inlier/verdict"
)

// outlyingness orders rows from regular to far out: by the largest distance in units of
// its cut-off; for classifiers by how far another label is ahead of the row's own, or by a
// distance beyond its cut-off where that is more; for regressions by the residual.
func outlyingness(o *verdict.Rows, i int) float64 {
	if o.Margins() {
		far := -o.Residual[i]
		if o.OrthogonalCutoff > 0 { // of a reduction before the classifier
			far = math.Max(far, o.OrthogonalDistance[i]/o.OrthogonalCutoff-1)
		}
		return far
	}
	far := 0.0
	for _, d := range distancesOf(o) {
		if d.merely && o.Residual != nil { // a row that fits is not wrong, however far out
			continue
		}
		far = math.Max(far, d.ratio(i))
	}
	if far == 0 && o.Weight != nil {
		far = 1 - o.Weight[i]
	}
	return far
}

// measured is one of the distances of a verdict.
type measured struct {
	distance []float64
	cutoff   float64
	merely   bool // beyond it a row is far, but not wrong
}

// ratio is the distance of a row in units of the cut-off; without a cut-off a distance
// only breaks ties.
func (m measured) ratio(i int) float64 {
	v := math.Abs(m.distance[i])
	if m.cutoff > 0 {
		return v / m.cutoff
	}
	return v * 1e-6
}

func distancesOf(o *verdict.Rows) []measured {
	var list []measured
	for _, m := range []measured{{o.OrthogonalDistance, o.OrthogonalCutoff, false}, {o.ScoreDistance, o.ScoreCutoff, true}, {o.Residual, o.ResidualCutoff, false}} {
		if m.distance != nil {
			list = append(list, m)
		}
	}
	return list
}

// graveness sorts rows into those that are wrong (2), those that are outliers only because
// they are far out among right ones (1), and the others (0).
func graveness(o *verdict.Rows, i int) int {
	switch {
	case !o.Outlier[i]:
		return 0
	case o.Margins():
		return 2
	}
	merely := false
	for _, d := range distancesOf(o) {
		if d.cutoff > 0 && math.Abs(d.distance[i]) > d.cutoff {
			if !d.merely {
				return 2
			}
			merely = true
		}
	}
	if merely && (o.Residual != nil || o.OrthogonalDistance != nil) {
		return 1
	}
	return 2
}
