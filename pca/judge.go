package pca

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/inlier-ml/inlier/internal/univariate"
)

// Kind is one of the four quarters of the outlier map (Hubert et al. 2005).
type Kind uint8

// The kinds of rows.
const (
	Regular      Kind = iota // near the subspace and near the centre
	GoodLeverage             // near the subspace, far out within it
	Orthogonal               // far from the subspace, its foot near the centre
	BadLeverage              // far from the subspace and far out within it
)

// Kinds are the names of the kinds in order.
var Kinds = []string{"regular", "good leverage", "orthogonal outlier", "bad leverage"}

// String is the kind's name.
func (k Kind) String() string { return Kinds[k] }

// Judgement is what a model thinks of rows.
type Judgement struct {
	OrthogonalDistance []float64 // distance from the subspace, in units of the data
	ScoreDistance      []float64 // distance from the centre within it, in standard deviations
	Weight             []float64 // what the loss makes of the orthogonal distance, 1 = full vote
	Kind               []Kind
	OrthogonalCutoff   float64 // 0: the rows lie in the subspace to rounding
	ScoreCutoff        float64
}

// Outlier tells whether row i lies beyond a cut-off.
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

// Judge returns distances, weights and kinds of rows, training rows and new ones alike.
func (m *Model) Judge(ctx context.Context, x *mat.Dense) (*Judgement, error) {
	s, scores, err := m.measure(ctx, x)
	if err != nil {
		return nil, err
	}
	return m.judge(s, scores), nil
}

func (m *Model) judge(s []float64, scores *mat.Dense) *Judgement {
	n := len(s)
	j := &Judgement{
		OrthogonalDistance: make([]float64, n), ScoreDistance: make([]float64, n), Weight: make([]float64, n), Kind: make([]Kind, n),
		OrthogonalCutoff: m.orthogonalCutoff, ScoreCutoff: m.scoreCutoff,
	}
	floor := 0.0
	if len(m.eigenvalues) > 0 {
		floor = 1e-14 * m.eigenvalues[0]
	}
	for i, v := range s {
		j.OrthogonalDistance[i] = math.Sqrt(v)
		sum := 0.0
		for k, z := range scores.RawRowView(i) {
			if m.eigenvalues[k] > floor {
				sum += z * z / m.eigenvalues[k]
			}
		}
		j.ScoreDistance[i] = math.Sqrt(sum)
		j.Weight[i] = 1
		if !m.unweighted {
			j.Weight[i] = math.Min(1, math.Exp(m.loss.LogWeight(v)-m.largest))
		}
		if m.orthogonalCutoff > 0 && j.OrthogonalDistance[i] > m.orthogonalCutoff {
			j.Kind[i] |= Orthogonal
		}
		if j.ScoreDistance[i] > m.scoreCutoff {
			j.Kind[i] |= GoodLeverage
		}
	}
	return j
}

// Contributions answers "why is this row an outlier": for each column, its part of the
// row's orthogonal distance. Setting the value right, to what fits the rest of the row
// best, lowers the squared distance by the square of the entry, so that a fault in a single
// column takes the whole distance and its neighbours little. With r the residual and h_j
// the column's part in the subspace the entry is r_j / sqrt(1 - h_j); the value itself is
// r_j / (1 - h_j) too high. For good leverage rows, which fit the subspace, the entry is the
// column's deviation from the mean within it. Missing values have none.
func (m *Model) Contributions(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	s, scores, err := m.measure(ctx, x)
	if err != nil {
		return nil, err
	}
	kept, err := m.Inverse(scores)
	if err != nil {
		return nil, err
	}
	judged := m.judge(s, scores)
	n, d := x.Dims()
	own := make([]float64, d) // sqrt(1 - h_j), 0 where a column lies in the subspace
	for c := range own {
		rest := 1.0
		for _, v := range m.basis.RawRowView(c) {
			rest -= v * v
		}
		if rest > 1e-9 {
			own[c] = math.Sqrt(rest)
		}
	}
	out := mat.NewDense(n, d, nil)
	for i := 0; i < n; i++ {
		row, in, fit := out.RawRowView(i), x.RawRowView(i), kept.RawRowView(i)
		for c := range row {
			switch {
			case math.IsNaN(in[c]):
			case judged.Kind[i] == GoodLeverage:
				row[c] = fit[c] - m.mean[c]
			case own[c] > 0:
				row[c] = (in[c] - fit[c]) / own[c]
			}
		}
	}
	return out, nil
}

// scoreCutoff is the 97.5 % limit of the score distance of a further regular row when
// mean and variances come from n rows: Hotelling's m(n^2-1)/(n(n-m)) F(m, n-m), which
// tends to the chi-square quantile with m degrees as n grows.
func scoreCutoff(m, n int) float64 {
	if n <= m+2 {
		return math.Sqrt(distuv.ChiSquared{K: float64(m)}.Quantile(cutoffLevel))
	}
	k, r := float64(m), float64(n)
	f := distuv.F{D1: k, D2: r - k}.Quantile(cutoffLevel)
	return math.Sqrt(k * (r*r - 1) / (r * (r - k)) * f)
}

// orthogonalCutoff uses that distances to the power 2/3 are nearly normal (Wilson and
// Hilferty): the 97.5 % limit of a further regular row from their robust mean and standard
// deviation (Student's t), to the power 3/2.
// It is 0 when the rows lie in the subspace to rounding.
func orthogonalCutoff(s []float64, at subspace, o Options) float64 {
	power := make([]float64, 0, len(s))
	largest := 0.0
	for i, v := range s {
		if o.Weights != nil && o.Weights[i] == 0 {
			continue
		}
		power = append(power, math.Cbrt(v))
		largest = math.Max(largest, v)
	}
	size := 0.0
	for _, v := range at.values {
		size += math.Max(v, 0)
	}
	for _, v := range at.mean {
		size += v * v
	}
	if d, m := at.basis.Dims(); m >= d || largest <= 1e-24*size {
		return 0
	}
	return math.Max(bulkLimit(power, o), 1e-12*math.Sqrt(size/float64(len(s))))
}

// bulkLimit is the 97.5 % limit of distances whose power 2/3 is given: from the densest
// half of them, or the densest three quarters for fits that trust most rows anyway.
func bulkLimit(power []float64, o Options) float64 {
	h := halfSize(len(power), 0)
	if o.Start == StartClassic {
		h = max(h, 3*len(power)/4)
	}
	location, scale := univariate.Reweighted(power, h, cutoffLevel)
	r := float64(len(power))
	student := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: math.Max(r-1, 1)}.Quantile(cutoffLevel)
	return math.Pow(location+scale*student*math.Sqrt(1+1/r), 1.5)
}

// widenScoreCutoff raises the score cut-off to the limit of the rows' own bulk, for data
// whose scores are far from normal (several groups, heavy tails): there the normal limit
// would call half of the rows outliers. For normal scores the two limits agree.
func (m *Model) widenScoreCutoff(distance []float64) {
	power := make([]float64, 0, len(distance))
	for i, v := range distance {
		if m.options.Weights == nil || m.options.Weights[i] > 0 {
			power = append(power, math.Cbrt(v*v))
		}
	}
	if limit := bulkLimit(power, m.options); limit > m.scoreCutoff {
		m.scoreCutoff = limit
	}
}
