package pca

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/workspace"
)

// principalAxes are those of the scores inside the subspace, for components that are not
// these axes themselves: along them scores are uncorrelated, so that squared scores over
// variances add up to the squared score distance, whichever orthonormal basis spans the subspace.
type principalAxes struct {
	variances  []float64  // largest first
	directions *mat.Dense // m x m, orthonormal columns, in terms of the components
}

// along are the variances along the components.
func (a *principalAxes) along() []float64 {
	out := make([]float64, len(a.variances))
	for c := range out {
		for k, d := range a.directions.RawRowView(c) {
			out[c] += d * d * a.variances[k]
		}
	}
	return out
}

// flip follows components whose signs change; nil has nothing to follow.
func (a *principalAxes) flip(signs []float64) {
	if a == nil {
		return
	}
	for c, s := range signs {
		row := a.directions.RawRowView(c)
		for k := range row {
			row[k] *= s
		}
	}
}

// principal returns scores along uncorrelated axes, and the variances along these. room has
// one number per component.
func (m *Model) principal(room, scores []float64) (z, variances []float64) {
	if m.axes == nil {
		return scores, m.eigenvalues
	}
	clear(room)
	for c, v := range scores {
		for k, d := range m.axes.directions.RawRowView(c) {
			room[k] += v * d
		}
	}
	return room, m.axes.variances
}

// squaredScore is the squared score distance of one row.
func (m *Model) squaredScore(scores []float64) float64 {
	if m.axes == nil {
		return squaredOver(scores, m.eigenvalues)
	}
	room := workspace.Get(len(scores))
	defer room.Put()
	return squaredOver(m.principal(room.Take(len(scores)), scores))
}

// squaredOver is the sum of squares over variances, where there is variance.
func squaredOver(z, variances []float64) float64 {
	sum, floor := 0.0, noVariance(variances)
	for k, v := range z {
		if variances[k] > floor {
			sum += v * v / variances[k]
		}
	}
	return sum
}

// lengthOver is the root of squaredOver, from lengths where squares overflow.
func lengthOver(z, variances []float64) float64 {
	length, floor := 0.0, noVariance(variances)
	for k, v := range z {
		if variances[k] > floor {
			length = math.Hypot(length, v/math.Sqrt(variances[k]))
		}
	}
	return math.Min(length, math.MaxFloat64)
}

// noVariance is the variance up to which there is none but rounding.
func noVariance(variances []float64) float64 {
	if len(variances) == 0 {
		return 0
	}
	return 1e-14 * variances[0]
}
