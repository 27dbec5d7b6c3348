package tensor

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/judging"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/refusal"
	"github.com/inlier-ml/inlier/verdict"
)

// Judge returns distances, weights and kinds of samples, training samples and new ones
// alike. Numbers may be as large as they come; missing and infinite ones are refused.
// OrthogonalDistance is the norm of the residual; ScoreDistance is the distance of the core
// from the center in standard deviations, where the variance of a core entry is the product of
// its modes' variances over powers of the total: that of a separable (matrix normal)
// distribution. Weight is what the loss makes of the residual at full rank; weights of training
// samples that were learned at a smaller rank are those of [Model.Weights]. In [Model.Training]
// both distances are those that a sample would have as a new one, as the cut-offs are; see leftout.go.
// Judged again here, a training sample has a smaller residual and, since the factors turned
// towards its noise, a larger score: where there are few samples of little but noise, most of
// them lie beyond the limit of scores that new ones keep.
func (m *Model) Judge(ctx context.Context, x *mat.Dense) (*verdict.Rows, error) {
	ctx = given.Context(ctx)
	all, err := m.checked(x)
	if err != nil {
		return nil, err
	}
	seen, err := m.measure(ctx, all)
	if err != nil {
		return nil, err
	}
	return m.judge(seen.distances, seen.scores), nil
}

func (m *Model) judge(distances, scores []float64) *verdict.Rows {
	n := len(distances)
	j := judging.New(n, verdict.MapKinds)
	j.OrthogonalDistance, j.ScoreDistance, j.Weight = distances, scores, make([]float64, n)
	j.OrthogonalCutoff, j.ScoreCutoff = m.orthogonalCutoff, m.scoreCutoff
	for i, v := range distances {
		one := m.judgeOne(v, scores[i])
		j.Weight[i] = one.Weight
		judging.Set(j, i, one.Kind, one.Outlier)
	}
	return j
}

// farthest is the largest square that is counted with; larger ones overflow in sums.
const farthest = 1e300

func squared(v float64) float64 { return math.Min(v*v, farthest) }

// measured is how samples lie.
type measured struct {
	distances []float64 // norms of the residuals
	norms     []float64 // squared distances from the mean, up to farthest
	scores    []float64 // score distances
}

// squares are the squared residuals, up to farthest.
func (s *measured) squares() []float64 {
	out := make([]float64, len(s.distances))
	for i, v := range s.distances {
		out[i] = squared(v)
	}
	return out
}

func (m *Model) measure(ctx context.Context, all *samples) (*measured, error) {
	out := &measured{distances: make([]float64, all.n), norms: make([]float64, all.n), scores: make([]float64, all.n)}
	inverse := m.inverseVariances()
	bad := make([]bool, all.n)
	err := all.walk(ctx, m.at.mean, func(k *desk, first, count int) {
		k.residuals(count, m.at.factors, out.distances[first:first+count])
		score := func(core []float64) float64 {
			sum := 0.0
			for j, v := range core {
				sum += v * v * inverse[j]
			}
			return math.Sqrt(sum)
		}
		cores := k.cores(count, m.at.factors)
		for i := range count {
			out.distances[first+i] = math.Sqrt(out.distances[first+i])
			out.norms[first+i] = math.Min(k.norm[i], farthest)
			out.scores[first+i] = score(cores[i*len(inverse) : (i+1)*len(inverse)])
		}
		for i := range count {
			if k.norm[i] < farthest {
				continue
			}
			// Squares overflow: the sample is measured in units of its largest number.
			row := k.x[i*k.d : (i+1)*k.d]
			top := 0.0
			for _, v := range row {
				top = math.Max(top, math.Abs(v)) // NaN stays
			}
			if bad[first+i] = math.IsNaN(top) || math.IsInf(top, 0); bad[first+i] {
				continue
			}
			for j := range row {
				row[j] /= top
			}
			out.norms[first+i] = farthest
			one := *k
			one.x = row
			out.scores[first+i] = math.Min(score(one.cores(1, m.at.factors))*top, math.MaxFloat64)
			out.distances[first+i] = 0
			if !noFactors(m.at.factors) {
				out.distances[first+i] = math.Min(math.Sqrt(k.direct(i, m.at.factors))*top, math.MaxFloat64)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	for i, b := range bad {
		if b {
			return nil, all.unusable(ctx, i)
		}
	}
	return out, nil
}

// inverseVariances is one over the variance of each core entry, 0 where there is none.
func (m *Model) inverseVariances() []float64 {
	total := 0.0
	for _, v := range m.variances[0] {
		total += v
	}
	out := []float64{1}
	for k, variances := range m.variances {
		next := make([]float64, 0, len(out)*len(variances))
		for _, a := range out {
			for _, v := range variances {
				if k > 0 && total > 0 {
					v /= total
				}
				next = append(next, a*v)
			}
		}
		out = next
	}
	largest := 0.0
	for _, v := range out {
		largest = math.Max(largest, v)
	}
	for i, v := range out {
		out[i] = 0
		if v > 1e-14*largest {
			out[i] = 1 / v
		}
	}
	return out
}

// unusable is the error for sample i, which holds a number that is none.
func (s *samples) unusable(ctx context.Context, i int) error {
	if err := linalg.Usable(ctx, s.src); err != nil {
		return err
	}
	return refusal.Data("sample %d holds numbers that are too large", i+1)
}
