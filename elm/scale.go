package elm

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
)

// A fit has one scale of its errors: a robust standard deviation, as the errors would be on new
// rows. Those of the training rows are shrunk by the output weights' freedom to follow them; over
// the share of freedom that is left they are, as in generalised cross-validation, the errors
// of rows that were left out. Open bandwidths are multiples of it, and so are verdicts.

// room is the share of their freedom that output weights with so many degrees of freedom leave
// to the errors of so many rows.
func room(freedom, rows float64) float64 { return math.Max(rows-freedom, rows/10) / rows }

// rooms are the shares of its error that each row leaves to itself, where rows count unequally and are looked at one by one: those that
// count more are followed more closely. Nil: as much as all on average.
func (f *fitting) rooms(ctx context.Context) ([]float64, error) {
	most := 0.0
	if f.Weights != nil {
		most = slices.Max(f.Weights)
	}
	unequal := slices.ContainsFunc(f.Weights, func(w float64) bool { return 0 < w && w < most })
	if !unequal || f.Labels || f.penalty == 0 || !f.prob.singly() {
		return nil, nil
	}
	s, err := f.prob.exactSpectrum(ctx, f.rowWeights())
	if err != nil {
		return nil, err
	}
	lambda := f.penalty
	if f.full > 0 { // of weights up to one
		lambda /= f.full
	}
	out := slices.Clone(s.single.beside)
	for i := range out {
		for j, v := range s.single.squares.RawRowView(i) {
			out[i] += v * (lambda / (s.values[j] + lambda))
		}
		out[i] = room(1-out[i], 1)
	}
	return out, nil
}

// scales returns the scale of each output's errors. Where a row has one weight for several numbers, what is known of it is
// the sum of their squares, which is none of theirs: outputs are asked for, and kept. Those of classes are alike.
func (f *fitting) scales(ctx context.Context) ([]float64, error) {
	k, n := f.prob.k, f.prob.h.n
	apart := *f.prob
	squared, shared := f.squared, f.PerRow && k > 1
	if shared && !f.Labels {
		if f.fitted == nil {
			var err error
			if f.fitted, err = f.prob.h.times(ctx, f.beta); err != nil {
				return nil, err
			}
		}
		apart.perRow, shared = false, false
		squared = apart.squares(f.fitted)
	}
	out := make([]float64, k)
	e := make([]float64, n)
	own, err := f.rooms(ctx)
	if err != nil {
		return nil, err
	}
	for c := range out {
		for i := range e {
			if shared {
				e[i] = squared[i] / float64(k)
			} else {
				e[i] = squared[i*k+c]
			}
			if own != nil {
				e[i] /= own[i] * own[i]
			}
		}
		const medianChiSquare1 = 0.454936423119572
		if out[c] = math.Sqrt(univariate.WeightedMedian(e, f.Weights) / medianChiSquare1); own == nil {
			out[c] /= room(f.used, f.of)
		}
		out[c] = math.Max(out[c], 1e-8*f.typical)
		if !(out[c] > 0) { // targets of 0, met exactly
			out[c] = math.SmallestNonzeroFloat64
		}
	}
	return out, nil
}

// residualCutoff is the absolute error, in scales, beyond which a row of a regression is an outlier,
// for many rows; with few it is widened, since the scale is itself estimated, by a median
// with about 0.37 of the degrees of freedom that are left.
const residualCutoff = 2.5

func (f *fitting) cutoff() float64 {
	freedom := 0.37 * (f.of - f.used)
	student := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: math.Max(freedom, 3)}.Quantile(distuv.UnitNormal.CDF(residualCutoff))
	return math.Max(student, residualCutoff)
}

// littleFreedom is the share of the rows up to which nodes are counted instead of measuring how
// free they are: the scale is wrong by no more than that.
const littleFreedom = 0.02

// measure finds the degrees of freedom at a penalty that was given, with row weights w. Without
// one they are as many as nodes; of classes nobody asks for them, and with many rows for each
// node they take no part that would matter.
func (f *fitting) measure(ctx context.Context, w []float64) error {
	h := f.prob.h
	f.freedom, f.counted = float64(min(h.l, h.n)), f.prob.effective(w)
	if f.Labels || f.prob.lambda == 0 || h.kept == nil || f.freedom <= littleFreedom*f.counted {
		return nil
	}
	lambda := f.prob.lambda
	if f.full > 0 { // of weights up to one
		lambda /= f.full
	}
	if h.n < h.l {
		s, err := f.prob.exactSpectrum(ctx, w)
		if err == nil {
			f.freedom = s.freedom(lambda)
		}
		return err
	}
	sum := linalg.NewTSQR(h.l, 1)
	err := sum.Add(h.kept, mat.NewDense(h.n, 1, nil), w)
	if err == nil {
		f.freedom, err = freedomOf(sum, lambda)
	}
	return err
}

// freedomOf is the trace of the hat matrix of the rows in sum at a penalty above 0: of L nodes
// L - lambda |R^-1|^2, where R'R = H'WH + lambda I.
func freedomOf(sum *linalg.TSQR, lambda float64) (float64, error) {
	r := sum.R()
	l, _ := r.Dims()
	with := linalg.NewTSQR(l, 1)
	penalty := mat.NewDense(l, l, nil)
	for j := range l {
		penalty.Set(j, j, math.Sqrt(lambda))
	}
	none := mat.NewDense(l, 1, nil)
	if err := with.Add(r, none, nil); err != nil {
		return 0, err
	}
	if err := with.Add(penalty, none, nil); err != nil {
		return 0, err
	}
	triangle, inverse := with.R().RawMatrix(), penalty.RawMatrix()
	for j := range l {
		if triangle.Data[j*triangle.Stride+j] == 0 { // the penalty is lost to rounding
			return float64(l), nil
		}
	}
	kernels.Dtrsm(blas.Left, blas.Upper, blas.NoTrans, blas.NonUnit, l, l, 1, triangle.Data, triangle.Stride, inverse.Data, inverse.Stride)
	norm := mat.Norm(penalty, 2) // sqrt(lambda) |R^-1|
	return math.Min(math.Max(float64(l)-norm*norm, 0), float64(l)), nil
}
