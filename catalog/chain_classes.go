package catalog

import (
	"context"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/univariate"
)

// A reduction does not know classes. Where most rows of one lie off the subspace that it found
// for the others, that is where the class lies, and where more of them than the limit means do, they scatter more: its rows
// are no outliers for it, and have a vote in what is learned about the class. The class's limit comes from the middle of its rows, so
// that outliers in it do not make it.

// apartClasses tells of every class of the target how far off the subspace its regular rows
// lie, 0 for classes that lie within its limit; nil where all do or nothing is known.
func apartClasses(ctx context.Context, reducer Model, data *dataset.Set, weights []float64) (limits, distances []float64, err error) {
	first, ok := reducer.(Detector)
	if t := data.Target; !ok || t == nil || t.Labels == nil {
		return nil, nil, nil
	}
	judged, err := first.Outliers(given.Rest(ctx), data)
	if err != nil || judged.OrthogonalDistance == nil || judged.OrthogonalCutoff == 0 {
		return nil, nil, err
	}
	distances = judged.OrthogonalDistance
	for k := range data.Target.Classes {
		var powers, counts []float64
		beyond, total := 0.0, 0.0
		for i, l := range data.Target.Labels {
			a := 1.0
			if weights != nil {
				a = weights[i]
			}
			if l != k || a == 0 || math.IsNaN(distances[i]) {
				continue
			}
			powers, counts = append(powers, math.Cbrt(distances[i])*math.Cbrt(distances[i])), append(counts, a)
			if total += a; distances[i] > judged.OrthogonalCutoff {
				beyond += a
			}
		}
		if beyond <= 0.03*total+2*math.Sqrt(0.975*0.025*total) { // what the limit means, and chance
			continue
		}
		if limits == nil {
			limits = make([]float64, len(data.Target.Classes))
		}
		limits[k] = math.Max(classLimit(powers, counts, math.Max(total, 1)), judged.OrthogonalCutoff)
	}
	return limits, distances, nil
}

// classLimit is the 97.5 % limit of new distances, from the powers 2/3 of n of them, which are
// nearly normal; it allows for what so few say about median and deviation.
func classLimit(powers, counts []float64, n float64) float64 {
	const normal = 1.959963984540054
	centre, spread := univariate.WeightedDeviation(powers, counts)
	width := normal * math.Sqrt(1+(math.Pi/2+1.36*normal*normal)/n)
	return math.Min(math.Pow(centre+width*spread*(1+0.8/n), 1.5), math.MaxFloat64)
}

// trustApart gives the rows of classes that lie apart, up to their limit, a full vote.
func trustApart(votes, limits, distances []float64, labels []int) []float64 {
	if votes == nil || limits == nil {
		return votes
	}
	votes = slices.Clone(votes)
	for i, k := range labels {
		if limits[k] > 0 && distances[i] <= limits[k] {
			votes[i] = 1
		}
	}
	return votes
}

// limitsByModel are limits by the target's classes in the order of the model's; nil for nil.
func limitsByModel(limits []float64, from, to []string) []float64 {
	if limits == nil {
		return nil
	}
	out := make([]float64, len(to))
	for k, name := range from {
		if at := slices.Index(to, name); at >= 0 {
			out[at] = limits[k]
		}
	}
	return out
}
