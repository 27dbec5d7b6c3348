package elm

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/refusal"
)

const (
	// stiffFreedom is the freedom per row of a start that cannot follow single rows.
	stiffFreedom = 0.2
	// farOut is the squared error, in medians, from which on rows count alike when two fits
	// are compared: three standard deviations of normal errors.
	farOut = 20
	// clearly is how many times smaller the errors from a stiff start must be.
	clearly = 1.1
)

// robustly reweights, with an open penalty from two starts where they can differ. A machine
// with about as many nodes as rows can follow an outlier so closely that it never shows as
// one; a stiff start cannot, but takes the bends of a wild function for outliers. The stiff
// one is kept where it clearly predicts more rows well, each from the others.
func (f *fitting) robustly(ctx context.Context) error {
	if err := f.from(ctx, mostFreedom); err != nil || f.Lambda != 0 || f.Labels {
		return err
	}
	if f.prob.h.kept == nil || f.status == irls.Cancelled || f.freedom <= stiffFreedom*f.prob.effective(f.Weights) {
		return nil
	}
	loose := *f
	left, err := f.leftOut()
	if err != nil {
		return err
	}
	err = f.from(ctx, stiffFreedom)
	if irls.Ended(err) || err == nil && f.status == irls.Cancelled { // the first fit is whole
		*f, f.prob.lambda = loose, loose.penalty
		f.status = irls.Cancelled
		return nil
	}
	if err != nil {
		return err
	}
	stiff, err := f.leftOut()
	if err != nil {
		return err
	}
	bound := farOut * math.Min(univariate.WeightedMedian(left, f.Weights), univariate.WeightedMedian(stiff, f.Weights))
	if f.bounded(left, bound) < clearly*f.bounded(stiff, bound) {
		*f, f.prob.lambda = loose, loose.penalty
	}
	return nil
}

// bounded sums errors up to a bound, with the rows' own weights.
func (f *fitting) bounded(squared []float64, bound float64) float64 {
	sum := 0.0
	for i, s := range squared {
		sum += weighting{w: f.Weights, k: 1}.at(i, 0) * math.Min(s, bound)
	}
	return sum
}

// leftOut are the squared errors of the rows, each predicted by the fit without it at the
// same weights: the error divided by one minus the row's entry of the hat matrix. A row
// that counts several times is left out as often, but for observations of their own.
func (f *fitting) leftOut() ([]float64, error) {
	h, w := f.prob.h, f.rowWeights()
	sum := linalg.NewTSQR(h.l, 1)
	if err := sum.Add(h.kept, mat.NewDense(h.n, 1, nil), w); err != nil {
		return nil, err
	}
	lambda := f.prob.lambda
	if f.full > 0 {
		lambda /= f.full
	}
	penalty := mat.NewDense(h.l, h.l, nil)
	for j := range h.l {
		penalty.Set(j, j, math.Sqrt(lambda))
	}
	if err := sum.Add(penalty, mat.NewDense(h.l, 1, nil), nil); err != nil {
		return nil, err
	}
	r := sum.R()
	for j := range h.l {
		if r.At(j, j) == 0 {
			return nil, refusal.Setting("lambda", "the penalty %g is lost to rounding", f.prob.lambda)
		}
	}
	raw := r.RawMatrix()
	turned := mat.DenseCopyOf(h.kept) // becomes H R^-1: the hat matrix is W times its products
	kernels.Dtrsm(blas.Right, blas.Upper, blas.NoTrans, blas.NonUnit, h.n, h.l, 1, raw.Data, raw.Stride, turned.RawMatrix().Data, turned.RawMatrix().Stride)
	out := make([]float64, h.n)
	var errors mat.Dense
	linalg.Mul(&errors, h.kept, f.beta)
	errors.Sub(f.prob.t, &errors)
	for i, a := range w {
		if f.varied && f.Weights != nil && f.Weights[i] > 0 {
			a /= f.Weights[i]
		}
		room := math.Max(1-a*squaredRow(turned, i), 1e-8)
		out[i] = squaredRow(&errors, i) / (room * room)
	}
	return out, nil
}
