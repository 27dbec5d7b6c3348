package pca

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/bounded"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
)

// Correntropy is correntropy PCA (Xu, Pokharel, Paiva and Principe, 2006): component
// analysis of the L x L matrix
//
//	V_ij = mean_k kappa(x_ki - x_kj) - mean_k mean_m kappa(x_ki - x_mj)
//
// over the L input columns, where kappa(u) = exp(-u^2 / 2 sigma^2) and k, m run over the
// N rows. The first term says how often columns i and j have nearly the same value in
// the same row, the second how often they would if rows did not matter. V is the Gram
// matrix of the columns mapped by the kernel and centred there, so it is positive
// semidefinite; for a wide kernel it tends to the covariance matrix over sigma^2 (see
// [CorrentropyModel.Matrix]). A narrow kernel makes V nearly a multiple of the identity,
// whose directions mean nothing.
//
// The double sum needs no N^2 work: see correntropy_expansion.go. It is exact to
// rounding.
//
// # What the source leaves open, and what is done here
//
//   - The slides print the second term with 1/N in place of 1/N^2. Taken literally that
//     makes V indefinite (a test shows it), so 1/N^2 is used.
//   - The slides assume columns of zero mean, and compare the values of different
//     columns with each other, so that columns must share a unit. Scaling says what is
//     done to them first.
//   - The normalisation of an eigenvector beta is not given. Here beta' V beta = 1, as in
//     kernel PCA.
//   - The projection of a row a is printed as sum_i beta_i mean_k kappa(x_ki - a_i),
//     without centring. Here its mean over the training rows is subtracted. (Centring
//     both sides in the feature space would leave nothing: the centred features of a
//     column average to zero.) A score is thus a weighted sum of one function per
//     column, each the smoothed density of that column; it sees a row only through how
//     common each of its values is, so it cannot tell apart rows whose values are equally
//     common. As a display of clusters it is weaker than kernel PCA (on the slides' kinds
//     of mixtures, clusters that differ in place but not in density fall together).
//   - The slides' mixtures are not specified, so their figures cannot be repeated.
//   - A direction back from scores to rows is not defined, so there is no Reconstruct.
//
// The zero value is ready for use.
type Correntropy struct {
	// Components is how many directions to keep. Zero: the smallest number that holds
	// 80 % of the trace of V, at most 100.
	Components int
	// Sigma is the kernel size, in units of the scaled columns. Zero: Silverman's rule,
	// 1.06 A n^(-1/5), where A^2 is the mean over columns of min(sd, IQR/1.34)^2 (sd
	// alone for a column whose quartiles coincide) and n the number of rows, each counted as often as its weight says.
	Sigma float64
	// Scaling of the columns before anything else. Empty: ScaleMean.
	Scaling Scaling
	// Uncentered leaves the second term of V out, and the subtraction of the scores' mean: the
	// slides' summary before they come to centring. V then has ones on its diagonal, and its
	// first component mostly tells how common the values of a row are on the whole.
	Uncentered bool
	// Weights of the rows; nil: one each. An integer weight acts like repeated rows.
	Weights []float64
}

// correntropyShare is the part of the trace that the automatic number of components holds.
const correntropyShare = 0.8

// Fit computes the matrix, its leading eigenvectors and what scoring needs. Rows with
// missing or infinite values are refused. A source outside memory is read once and held.
func (c Correntropy) Fit(ctx context.Context, src linalg.Source) (*CorrentropyModel, error) {
	ctx = given.Context(ctx)
	x, err := linalg.Load(ctx, src)
	if err != nil {
		return nil, err
	}
	mass, effective, err := c.check(x)
	if err != nil {
		return nil, err
	}
	// The kernel sees nothing of a value far off, but means and deviations would.
	limits, err := bounded.Of(ctx, linalg.FromDense(x), mass)
	if err != nil {
		return nil, err
	}
	near, err := limits.Apply(ctx, linalg.FromDense(x))
	if err != nil {
		return nil, err
	}
	given := x
	if m, ok := near.(linalg.InMemory); ok { // larger tables are clipped on reading only
		x = m.Dense()
	}
	columns, offset, scale, err := c.scaled(ctx, x, mass)
	if err != nil {
		return nil, err
	}
	sigma := c.Sigma
	if sigma == 0 {
		if sigma, err = silvermanColumns(ctx, columns, mass, effective); err != nil {
			return nil, err
		}
	}
	smooth, matrix, err := correntropyMatrix(ctx, columns, mass, sigma, !c.Uncentered)
	if err != nil {
		return nil, err
	}
	values, vectors, err := descendingEigen(ctx, matrix)
	if err != nil {
		return nil, err
	}
	m, err := c.components(values)
	if err != nil {
		return nil, err
	}
	rows, l := x.Dims()
	model := &CorrentropyModel{
		rows: rows, sigma: sigma, offset: offset, scale: scale, uncentered: c.Uncentered,
		matrix: matrix, values: values[:m], trace: mat.Trace(matrix),
		beta: mat.NewDense(m, l, nil), smooth: smooth,
		weights: slices.Clone(c.Weights), effective: float64(rows),
	}
	if c.Weights != nil {
		model.effective = loss.EffectiveSampleSize(c.Weights)
	}
	for j := range m {
		for i := range l {
			model.beta.Set(j, i, vectors.At(i, j)/math.Sqrt(values[j]))
		}
	}
	if err := model.spread(ctx, x, mass); err != nil {
		return nil, err
	}
	if model.training, err = model.Judge(ctx, given); err != nil {
		return nil, err
	}
	return model, nil
}

// check validates input and settings; it returns the weights scaled to sum to one and
// the number of rows, each counted as often as its weight says.
func (c Correntropy) check(x *mat.Dense) (mass []float64, effective float64, err error) {
	if x.IsEmpty() {
		return nil, 0, refusal.Few(0, 2, "correntropy: the data are empty")
	}
	n, l := x.Dims()
	switch {
	case n < 2:
		return nil, 0, refusal.Few(n, 2, "correntropy: %d row given; at least 2 are needed", n)
	case c.Components < 0 || c.Components > l:
		return nil, 0, &refusal.RankError{Name: "components", Asked: c.Components, Most: l, Why: fmt.Sprintf("is more than possible: the data have %d columns", l)}
	case c.Sigma < 0 || math.IsNaN(c.Sigma) || math.IsInf(c.Sigma, 0):
		return nil, 0, refusal.Parameter("sigma", c.Sigma, "must be a positive number, or 0 for Silverman's rule")
	case c.Weights != nil && len(c.Weights) != n:
		return nil, 0, refusal.Weights("correntropy: %d weights for %d rows", len(c.Weights), n)
	}
	if err := finiteRows(x); err != nil {
		return nil, 0, err
	}
	mass = make([]float64, n)
	total, positive := 0.0, 0
	for i := range mass {
		mass[i] = 1
		if c.Weights != nil {
			mass[i] = c.Weights[i]
		}
		if w := mass[i]; w < 0 || math.IsNaN(w) || math.IsInf(w, 0) {
			return nil, 0, refusal.Weights("correntropy: weight %g of row %d must be a number of at least 0", w, i+1)
		}
		if mass[i] > 0 {
			positive++
		}
		total += mass[i]
	}
	if positive < 2 || math.IsInf(total, 0) {
		return nil, 0, refusal.Weights("correntropy: %d row has a weight above 0; at least 2 with a finite sum are needed", positive)
	}
	for i := range mass {
		mass[i] /= total
	}
	return mass, math.Max(total, float64(positive)), nil
}

// components returns how many eigenvectors to keep.
func (c Correntropy) components(values []float64) (int, error) {
	rank, trace := 0, 0.0
	for _, v := range values {
		if v > values[0]*1e-13*float64(len(values)) && v > 0 {
			rank++
			trace += v
		}
	}
	switch {
	case rank == 0:
		return 0, &refusal.RankError{Name: "components", Asked: max(c.Components, 1), Why: "is more than possible: the matrix is zero: every column is constant, or sigma is far too wide"}
	case c.Components > rank:
		return 0, &refusal.RankError{Name: "components", Asked: c.Components, Most: rank, Why: fmt.Sprintf("is more than possible: the correntropy matrix has rank %d", rank)}
	case c.Components > 0:
		return c.Components, nil
	}
	sum := 0.0
	for m := range min(rank, maxAutoComponents) {
		if sum += values[m]; sum >= correntropyShare*trace {
			return m + 1, nil
		}
	}
	return min(rank, maxAutoComponents), nil
}
