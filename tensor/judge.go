package tensor

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Kind is one of the four quarters of the outlier map.
type Kind uint8

// The kinds of samples.
const (
	Regular      Kind = iota // well reproduced, an ordinary core
	GoodLeverage             // well reproduced, an unusual core
	Orthogonal               // badly reproduced, an ordinary core
	BadLeverage              // badly reproduced, an unusual core
)

// Kinds are the names of the kinds in order.
var Kinds = []string{"regular", "good leverage", "orthogonal outlier", "bad leverage"}

// String is the kind's name.
func (k Kind) String() string { return Kinds[k] }

// Judgement is what a model thinks of samples.
type Judgement struct {
	// OrthogonalDistance is the norm of the residual, in units of the data.
	OrthogonalDistance []float64
	// ScoreDistance is the distance of the core from the centre in standard deviations,
	// where the variance of a core entry is the product of its modes' variances over powers of the
	// total: that of a separable (matrix normal) distribution.
	ScoreDistance []float64
	// Weight is what the loss makes of the residual at full rank, 1 = full vote. (The weights of training samples
	// that were learned at a smaller rank are those of Model.Weights.)
	Weight           []float64
	Kind             []Kind
	OrthogonalCutoff float64 // 0: the samples are reproduced to rounding
	ScoreCutoff      float64
}

// Outlier tells whether sample i lies beyond a cut-off.
func (j *Judgement) Outlier(i int) bool { return j.Kind[i] != Regular }

// Count is the number of outliers.
func (j *Judgement) Count() int {
	n := 0
	for _, k := range j.Kind {
		if k != Regular {
			n++
		}
	}
	return n
}

// Judge returns distances, weights and kinds of samples, training samples and new ones
// alike.
func (m *Model) Judge(ctx context.Context, x *mat.Dense) (*Judgement, error) {
	s, _, scores, err := m.measure(ctx, x)
	if err != nil {
		return nil, err
	}
	return m.judge(s, scores), nil
}

func (m *Model) judge(s, scores []float64) *Judgement {
	n := len(s)
	j := &Judgement{
		OrthogonalDistance: make([]float64, n), ScoreDistance: scores, Weight: make([]float64, n), Kind: make([]Kind, n),
		OrthogonalCutoff: m.orthogonalCutoff, ScoreCutoff: m.scoreCutoff,
	}
	for i, v := range s {
		j.OrthogonalDistance[i] = math.Sqrt(v)
		j.Weight[i] = 1
		if !m.unweighted {
			j.Weight[i] = math.Min(1, math.Exp(m.judging.LogWeight(v)-m.largest))
		}
		if m.orthogonalCutoff > 0 && j.OrthogonalDistance[i] > m.orthogonalCutoff {
			j.Kind[i] |= Orthogonal
		}
		if m.scoreCutoff > 0 && scores[i] > m.scoreCutoff {
			j.Kind[i] |= GoodLeverage
		}
	}
	return j
}

// measure returns squared residuals, squared distances from the mean and score distances.
func (m *Model) measure(ctx context.Context, x *mat.Dense) (s, norms, scores []float64, err error) {
	all, err := m.checked(x)
	if err != nil {
		return nil, nil, nil, err
	}
	return m.measureAll(ctx, all)
}

func (m *Model) measureAll(ctx context.Context, all *samples) (s, norms, scores []float64, err error) {
	s, norms, scores = make([]float64, all.n), make([]float64, all.n), make([]float64, all.n)
	inverse := m.inverseVariances()
	err = all.walk(ctx, m.at.mean, func(k *desk, first, count int) {
		copy(norms[first:], k.norm[:count])
		k.residuals(count, m.at.factors, s[first:first+count])
		cores := k.cores(count, m.at.factors)
		for i := range count {
			sum := 0.0
			for j, v := range cores[i*len(inverse) : (i+1)*len(inverse)] {
				sum += v * v * inverse[j]
			}
			scores[first+i] = math.Sqrt(sum)
		}
	})
	if err != nil {
		return nil, nil, nil, err
	}
	for i, v := range norms {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, nil, nil, fmt.Errorf("tensor: sample %d holds a missing, infinite or very large number", i+1)
		}
	}
	return s, norms, scores, nil
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
