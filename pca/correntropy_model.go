package pca

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"
	"sync/atomic"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/judging"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
	"github.com/inlier-ml/inlier/verdict"
)

// CorrentropyModel is a fitted correntropy PCA. It is immutable and safe for use by many
// goroutines.
type CorrentropyModel struct {
	rows          int
	sigma         float64
	offset, scale []float64
	uncentered    bool
	matrix        *mat.SymDense
	trace         float64
	values        []float64
	beta          *mat.Dense // m x L
	smooth        *smoother
	reading       atomic.Pointer[reader] // of smooth
	centre        []float64              // medians of the training rows' scores
	below, above  []float64              // their spreads on either side of the median
	cutoff        float64                // of the score distance
	weights       []float64              // that the training rows came with; nil: one each
	effective     float64
	training      *verdict.Rows
	kept          archive.Kept
}

// Columns is how many numbers a row has.
func (m *CorrentropyModel) Columns() int { _, columns := m.beta.Dims(); return columns }

func (m *CorrentropyModel) dims() (rows, columns, components int) {
	components, columns = m.beta.Dims()
	return m.rows, columns, components
}

// Width is how many numbers Transform returns for a row.
func (m *CorrentropyModel) Width() int { return len(m.values) }

// Rows is the number of training rows.
func (m *CorrentropyModel) Rows() int { return m.rows }

// Weights are those that the training rows came with: the method makes none of its own.
func (m *CorrentropyModel) Weights() []float64 {
	if m.weights == nil {
		return slices.Repeat([]float64{1}, m.rows)
	}
	return slices.Clone(m.weights)
}

// Status is converged: there is nothing to iterate.
func (m *CorrentropyModel) Status() irls.Status { return m.kept.Status(irls.Converged) }

// Steps is empty.
func (m *CorrentropyModel) Steps() []irls.Step { return nil }

// Loss is nil: the method has none.
func (m *CorrentropyModel) Loss() loss.Scaled { return nil }

// Warnings are remarks on the fit that its user should see.
func (m *CorrentropyModel) Warnings() []string { return nil }

// Training is the verdict on the training rows; nil for models read from a file.
func (m *CorrentropyModel) Training() *verdict.Rows { return m.training }

// Sigma is the kernel size used.
func (m *CorrentropyModel) Sigma() float64 { return m.sigma }

// Matrix returns a copy of the correntropy matrix V. Centred, and with a kernel much wider
// than the data, sigma^2 V tends to the covariance matrix of the scaled columns (divisor
// N): kappa(u) = 1 - u^2/2 sigma^2 + O(sigma^-4), and of the mean of (x_i - x_j)^2 over
// rows less its mean over pairs of rows only -2 cov(x_i, x_j) remains.
func (m *CorrentropyModel) Matrix() *mat.SymDense {
	out := mat.NewSymDense(m.matrix.SymmetricDim(), nil)
	out.CopySym(m.matrix)
	return out
}

// Components returns a copy of the coefficients, one row beta for each component, with
// V beta = eigenvalue * beta and beta' V beta = 1.
func (m *CorrentropyModel) Components() *mat.Dense { return mat.DenseCopyOf(m.beta) }

// Eigenvalues returns those of V, largest first. (The covariance operator of the slides
// has them divided by the number of columns.)
func (m *CorrentropyModel) Eigenvalues() []float64 { return slices.Clone(m.values) }

// ExplainedVariance returns the part of the trace of V that each component holds.
func (m *CorrentropyModel) ExplainedVariance() []float64 {
	out := make([]float64, len(m.values))
	for j, v := range m.values {
		out[j] = v / m.trace
	}
	return out
}

// InputScaling returns what is subtracted from each input column and what it is then
// divided by.
func (m *CorrentropyModel) InputScaling() (offset, scale []float64) {
	return slices.Clone(m.offset), slices.Clone(m.scale)
}

// Transform returns the scores of the rows of x, training rows and new ones alike:
//
//	P_j(a) = sum_i beta_ji (g_i(a_i) - mean_k g_i(x_ki)),   g_i(t) = mean_k kappa(x_ki - t)
//
// without the subtraction if the model is not centred. A value far outside its column's
// training range has g_i = 0, so scores are bounded.
func (m *CorrentropyModel) Transform(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	ctx = given.Context(ctx)
	if x == nil || x.IsEmpty() {
		return nil, refusal.Few(0, 1, "correntropy: there are no rows to transform")
	}
	n, d := x.Dims()
	components, l := m.beta.Dims()
	if d != l {
		return nil, &refusal.ColumnsError{Columns: d, Want: l, Problem: fmt.Sprintf("correntropy: rows have %d columns; the model was fitted with %d", d, l)}
	}
	if err := finiteRows(x); err != nil {
		return nil, err
	}
	read := m.reader()
	scores := mat.NewDense(n, components, nil)
	const block = 64 // rows that one goroutine takes at a time
	err := eachColumn(ctx, (n+block-1)/block, func(b int) {
		buffer := make([]float64, read.widest)
		for k := b * block; k < min((b+1)*block, n); k++ {
			m.scoreRow(read, scores.RawRowView(k), x.RawRowView(k), buffer)
		}
	})
	if err != nil {
		return nil, err
	}
	return scores, nil
}

// spread fills in median and spread of the training rows' scores, and the cut-off.
func (m *CorrentropyModel) spread(ctx context.Context, x *mat.Dense, mass []float64) error {
	scores, err := m.Transform(ctx, x)
	if err != nil {
		return err
	}
	_, components := scores.Dims()
	m.centre, m.below, m.above = make([]float64, components), make([]float64, components), make([]float64, components)
	for j := range components {
		v := mat.Col(nil, j, scores)
		q := massQuartiles(v, mass)
		m.centre[j], m.below[j], m.above[j] = q[1], quartileSpread*(q[1]-q[0]), quartileSpread*(q[2]-q[1])
		if m.below[j] == 0 || m.above[j] == 0 { // ties
			m.below[j] = max(m.below[j], m.above[j])
			if m.below[j] == 0 {
				m.below[j] = deviation(v, mass)
			}
			m.above[j] = m.below[j]
		}
	}
	distance := m.scoreDistances(scores)
	for k, d := range distance {
		distance[k] = math.Cbrt(d * d)
	}
	middle := massQuartiles(distance, mass)[1]
	away := make([]float64, len(distance))
	for k, d := range distance {
		away[k] = math.Abs(d - middle)
	}
	wide := quartileSpread * massQuartiles(away, mass)[1]
	limit := middle + wide*distuv.UnitNormal.Quantile(correntropyQuantile)
	m.cutoff = math.Pow(math.Max(limit, tailLimit(distance, mass)), 1.5)
	return nil
}

// tailLimit is the limit of values that are not negative by Weibull's law, whose tail may be
// far heavier than a normal one, through their median and the quantile tailQuantile.
func tailLimit(v, mass []float64) float64 {
	order := make([]int, len(v))
	for k := range order {
		order[k] = k
	}
	sort.SliceStable(order, func(a, b int) bool { return v[order[a]] < v[order[b]] })
	middle, outer := massQuantile(v, mass, order, 0.5), massQuantile(v, mass, order, tailQuantile)
	if middle <= 0 {
		return outer
	}
	rank := func(q float64) float64 { return math.Log(-math.Log1p(-q)) }
	share := (rank(correntropyQuantile) - rank(0.5)) / (rank(tailQuantile) - rank(0.5))
	return middle * math.Pow(outer/middle, share)
}

// tailQuantile is as far out as up to a tenth of odd rows lets one look.
const tailQuantile = 0.9

// quartileSpread makes the distance between median and quartile of a Gaussian its
// standard deviation.
const quartileSpread = 1.4826

// massQuartiles returns the lower quartile, the median and the upper quartile.
func massQuartiles(v, mass []float64) [3]float64 {
	order := make([]int, len(v))
	for k := range order {
		order[k] = k
	}
	sort.SliceStable(order, func(a, b int) bool { return v[order[a]] < v[order[b]] })
	return [3]float64{massQuantile(v, mass, order, 0.25), massQuantile(v, mass, order, 0.5), massQuantile(v, mass, order, 0.75)}
}

// correntropyQuantile is the share of clean rows that should lie within the cut-off.
const correntropyQuantile = 0.975

// Judge tells the score distance of each row, sqrt(sum_j ((P_j - median_j)/s_j)^2)
// with medians and spreads of the training rows, and the cut-off beyond which a row
// has rare values. Scores are skewed, so the spread is 1.4826 times the distance from
// the median to the quartile on the row's side, and the cut-off is taken from the training
// rows: the 0.975 quantile of a normal fitted robustly to distance^(2/3) (Wilson and
// Hilferty), as is usual for orthogonal distances.
//
// It is the only diagnosis this method offers: there is no subspace to be distant from.
// Scores are bounded, so they tell that a row has rare values, not how far out these
// are. To look for outliers use the other methods of this package.
func (m *CorrentropyModel) Judge(ctx context.Context, x *mat.Dense) (*verdict.Rows, error) {
	ctx = given.Context(ctx)
	scores, err := m.Transform(ctx, x)
	if err != nil {
		return nil, err
	}
	distance := m.scoreDistances(scores)
	j := judging.New(len(distance), []verdict.Kind{verdict.Regular, verdict.RareValues})
	j.ScoreDistance, j.ScoreCutoff = distance, m.cutoff
	for i, d := range distance {
		if d > m.cutoff {
			judging.Set(j, i, verdict.RareValues, true)
		}
	}
	return j, nil
}

func (m *CorrentropyModel) scoreDistances(scores *mat.Dense) []float64 {
	n, _ := scores.Dims()
	distance := make([]float64, n)
	for k := range distance {
		distance[k] = m.scoreDistance(scores.RawRowView(k))
	}
	return distance
}

// scoreDistance is that of one row's scores.
func (m *CorrentropyModel) scoreDistance(scores []float64) float64 {
	sum := 0.0
	for j, p := range scores {
		wide := m.above[j]
		if p < m.centre[j] {
			wide = m.below[j]
		}
		if wide > 0 {
			u := (p - m.centre[j]) / wide
			sum += u * u
		}
	}
	return math.Sqrt(sum)
}
