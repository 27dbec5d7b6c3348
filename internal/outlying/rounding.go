package outlying

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
)

// Level is the share of regular rows that lie within a cut-off.
const Level = 0.975

const (
	// RoundingRows is how many rows tell of rounding.
	RoundingRows = 600
	// sharp is the typical distance of rows from the subspace, relative to that from the
	// centre, below which rounding of the columns is looked for.
	sharp = 1e-2
	// roundedShare of the rows near the subspace must be off it for rounding to be the
	// reason, less what chance explains among so many rows, but leastRounded. A relation of
	// rounded numbers is missed by a quarter of the rows (a sum of two) or more; fewer are faults.
	roundedShare, leastRounded = 0.25, 0.15
	// nearShare of the rows must be as near the subspace as rounding can leave them.
	nearShare = 0.4
	// exactly is the squared distance, in units of the noise, of rows that are on the
	// subspace but for the arithmetic.
	exactly = 1e-10
)

// Sharp tells whether a typical distance from the subspace is so small beside that from the
// centre that rounding of the columns may be what makes it.
func Sharp(distance, spread float64) bool { return distance <= sharp*spread }

// RoundingNoise is the mean squared distance from a subspace that rows have because their
// columns were rounded: a column of step c has noise of variance c^2/12, of which the part
// outside the subspace counts. Where a relation between rounded columns holds exactly for
// most rows, no scale of the distances tells how far the others may be off. It is 0 where
// rows lie further off anyway, where so few are off at all that the relation is exact, and
// where most rows are neither on the subspace nor off it by as much as rounding: then the
// steps of a column are no rounding (a row number, the levels of a design), and the distances
// have a scale of their own.
//
// x are some rows, w their weights (nil: ones), s their squared distances from the subspace,
// spread a typical distance of rows from the centre; outside(j) is the squared length of what
// the subspace leaves of column j's axis.
func RoundingNoise(x *mat.Dense, w, s []float64, spread float64, outside func(j int) float64) float64 {
	if !Sharp(math.Sqrt(univariate.WeightedMedian(s, w)), spread) {
		return 0
	}
	_, d := x.Dims()
	parts := make([]float64, d)
	linalg.Parallel(d, func(j int) {
		if part := outside(j); part > 1e-9 {
			step := univariate.Resolution(mat.Col(nil, j, x))
			parts[j] = step * step / 12 * part
		}
	})
	noise := 0.0
	for _, v := range parts {
		noise += v
	}
	all, near, off, exact := 0.0, 0.0, 0.0, 0.0
	for i, v := range s {
		a := 1.0
		if w != nil {
			a = w[i]
		}
		if all += a; v > 16*noise {
			continue
		}
		near += a
		switch {
		case v > 0.1*noise:
			off += a
		case v <= exactly*noise:
			exact += a
		}
	}
	missed := roundedShare*near - 3*math.Sqrt(roundedShare*(1-roundedShare)*near)
	if near < nearShare*all || off <= math.Max(missed, leastRounded*near) || near-off-exact > exact || math.IsInf(noise, 0) {
		return 0
	}
	return noise
}

// NoiseLimit is the 97.5 % limit of distances of which the mean square is noise, spread over so
// many directions.
func NoiseLimit(noise float64, directions int) float64 {
	if noise == 0 {
		return 0
	}
	free := float64(max(directions, 1))
	return math.Sqrt(noise * distuv.ChiSquared{K: free}.Quantile(Level) / free)
}
