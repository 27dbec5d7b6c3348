package pca

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/linalg"
)

// subspace is the state of the reweighting: an affine subspace.
type subspace struct {
	mean  []float64
	basis *mat.Dense // d x m, orthonormal columns
	// values are the eigenvalues of the weighted scatter along the basis; nil for starts.
	values []float64
	// scatter is that of the weighted rows whose leading axes the basis is, and total their weight; nil where it was not formed.
	scatter *mat.SymDense
	total   float64
	// scores are those of all rows, where they were computed on the way; else nil.
	scores *mat.Dense
	// guard holds further columns that help the next block step to converge (large d).
	guard *mat.Dense
}

// gramLimit is the number of columns up to which the d x d scatter is formed. Beyond, the
// scatter is only ever multiplied with thin blocks.
const gramLimit = 1500

// problem is weighted PCA as an irls.Problem.
type problem struct {
	src    linalg.Source
	m      int
	fixed  []float64 // mean when it is not estimated (PCA-GM), else nil
	spread float64   // root mean squared distance of rows from their mean: unit of mean shifts
	within float64   // residual of eigenvectors, relative to the largest value, that will do
}

func (p *problem) Len() int { n, _ := p.src.Dims(); return n }

func (p *problem) Residuals(ctx context.Context, at subspace, s []float64) error {
	return linalg.Residuals(ctx, p.src, at.mean, at.basis, s, nil)
}

func (p *problem) Penalty(subspace) float64 { return 0 }

// Solve returns the weighted mean and the leading eigenvectors of the weighted scatter.
func (p *problem) Solve(ctx context.Context, from subspace, w []float64) (subspace, error) {
	_, d := p.src.Dims()
	if d > gramLimit && 4*p.m < d {
		return p.blockStep(ctx, from, w)
	}
	out, err := p.solve(ctx, from, w)
	if err == nil && unsafe(p.src, out.values) {
		p.src = linalg.Widened(p.src)
		return p.solve(ctx, from, w)
	}
	return out, err
}

// solve is Solve by the whole scatter.
func (p *problem) solve(ctx context.Context, from subspace, w []float64) (subspace, error) {
	total, mean, scatter, err := linalg.WeightedMoments(ctx, p.src, w)
	if err != nil {
		return subspace{}, err
	}
	if p.fixed != nil {
		shiftScatter(scatter, total, mean, p.fixed)
		mean = p.fixed
	}
	values, vectors, err := linalg.TopEigenWithin(ctx, scatter, p.m, from.basis, p.within)
	if err != nil {
		return subspace{}, err
	}
	return subspace{mean: mean, basis: vectors, values: values}.with(scatter, total), nil
}

// shiftScatter turns the scatter about mean into the scatter about centre.
func shiftScatter(scatter *mat.SymDense, total float64, mean, centre []float64) {
	d := len(mean)
	diff := make([]float64, d)
	for j := range diff {
		diff[j] = mean[j] - centre[j]
	}
	scatter.SymRankOne(scatter, total, mat.NewVecDense(d, diff))
}

// blockExtra is the number of guard columns of a block step.
const blockExtra = 20

// blockStep is warm-started block subspace iteration with Rayleigh-Ritz on thin products
// with the data: for many columns. Each step raises the captured weighted variance, which
// is all that descent needs; it stops when the wanted directions stand still.
func (p *problem) blockStep(ctx context.Context, from subspace, w []float64) (subspace, error) {
	_, d := p.src.Dims()
	mean := p.fixed
	if mean == nil {
		var err error
		if _, mean, err = linalg.WeightedMean(ctx, p.src, w); err != nil {
			return subspace{}, err
		}
	}
	block := widen(from, min(p.m+blockExtra, d))
	const most = 12
	var values []float64
	for step := 0; step < most; step++ {
		image, err := linalg.ScatterTimes(ctx, p.src, w, mean, block)
		if err != nil {
			return subspace{}, err
		}
		var small mat.Dense
		linalg.Mul(&small, block.T(), image)
		ritz, rotation, err := linalg.SymEigen(ctx, symmetric(&small))
		if err != nil {
			return subspace{}, err
		}
		// The residual of the wanted Ritz pairs: image*q - theta*block*q.
		var v, av mat.Dense
		linalg.Mul(&v, block, rotation)
		linalg.Mul(&av, image, rotation)
		worst := 0.0
		for j := 0; j < p.m; j++ {
			sum := 0.0
			for i := 0; i < d; i++ {
				r := av.At(i, j) - ritz[j]*v.At(i, j)
				sum += r * r
			}
			worst = math.Max(worst, math.Sqrt(sum))
		}
		values = ritz
		if worst <= 1e-7*ritz[0] || step == most-1 {
			block = &v
			break
		}
		block = &av
		linalg.Orthonormalize(block)
	}
	_, c := block.Dims()
	out := subspace{mean: mean, basis: mat.DenseCopyOf(block.Slice(0, d, 0, p.m)), values: append([]float64(nil), values[:p.m]...)}
	if c > p.m {
		out.guard = mat.DenseCopyOf(block.Slice(0, d, p.m, c))
	}
	linalg.FixSigns(out.basis)
	return out, nil
}

// widen returns the basis with its guard columns, completed to the given width.
func widen(from subspace, width int) *mat.Dense {
	d, m := from.basis.Dims()
	block := mat.NewDense(d, width, nil)
	block.Slice(0, d, 0, min(m, width)).(*mat.Dense).Copy(from.basis)
	filled := min(m, width)
	if from.guard != nil {
		_, g := from.guard.Dims()
		g = min(g, width-filled)
		if g > 0 {
			block.Slice(0, d, filled, filled+g).(*mat.Dense).Copy(from.guard)
			filled += g
		}
	}
	draw := random.New(uint64(d), "guard columns")
	for j := filled; j < width; j++ {
		for i := 0; i < d; i++ {
			block.Set(i, j, draw.NormFloat64())
		}
	}
	linalg.Orthonormalize(block)
	return block
}

func symmetric(m *mat.Dense) *mat.SymDense {
	n, _ := m.Dims()
	out := mat.NewSymDense(n, nil)
	for i := 0; i < n; i++ {
		for j := i; j < n; j++ {
			out.SetSym(i, j, (m.At(i, j)+m.At(j, i))/2)
		}
	}
	return out
}

// Between moves along the chord of the two bases after the rotation that brings them
// closest together (orthogonal Procrustes).
func (p *problem) Between(a, b subspace, t float64) (subspace, error) {
	d, m := a.basis.Dims()
	mean := make([]float64, d)
	for j := range mean {
		mean[j] = (1-t)*a.mean[j] + t*b.mean[j]
	}
	var cross mat.Dense
	linalg.Mul(&cross, b.basis.T(), a.basis)
	var svd mat.SVD
	out := mat.NewDense(d, m, nil)
	if svd.Factorize(&cross, mat.SVDThin) {
		var u, v, rotation mat.Dense
		svd.UTo(&u)
		svd.VTo(&v)
		linalg.Mul(&rotation, &u, v.T())
		linalg.Mul(out, b.basis, &rotation)
	} else {
		out.Copy(b.basis)
	}
	out.Scale(t, out)
	out.Apply(func(i, j int, v float64) float64 { return v + (1-t)*a.basis.At(i, j) }, out)
	linalg.Orthonormalize(out)
	linalg.FixSigns(out)
	return subspace{mean: mean, basis: out}, nil
}

// Distance is the sine-like distance of the two subspaces plus the shift of the mean in
// units of the data's spread.
func (p *problem) Distance(a, b subspace) float64 {
	d, m := a.basis.Dims()
	var cross, rest mat.Dense
	linalg.Mul(&cross, a.basis.T(), b.basis)
	linalg.Mul(&rest, a.basis, &cross)
	rest.Sub(b.basis, &rest)
	sine := mat.Norm(&rest, 2) / math.Sqrt(float64(m))
	shift := 0.0
	for j := 0; j < d; j++ {
		e := a.mean[j] - b.mean[j]
		shift += e * e
	}
	if p.spread == 0 {
		return sine
	}
	return sine + math.Sqrt(shift)/p.spread
}
