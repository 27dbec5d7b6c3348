package outlying

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/inlier-ml/inlier/internal/univariate"
)

// Limit is the distance that a further regular row stays below with probability 0.975, from
// squared distances most of which are regular. Their cube roots are nearly normal where
// distances are norms of many small things (Wilson and Hilferty): location and scale are
// those of scale, then mean and standard deviation of what lies within 2.24 scales, made
// consistent, until they stand still. n is the number of rows that the weights stand for.
func Limit(squared, w []float64, n float64, scale Scale) float64 {
	power := make([]float64, len(squared))
	for i, v := range squared {
		power[i] = math.Cbrt(v)
	}
	location, width := scale(append([]float64(nil), power...), w)
	location, width = univariate.WeightedRefine(power, w, location, width, Level)
	student := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: math.Max(n-1, 1)}.Quantile(Level)
	return math.Pow(location+width*student*math.Sqrt(1+1/n), 1.5) * (1 + 1e-9) // equal rows differ by rounding
}
