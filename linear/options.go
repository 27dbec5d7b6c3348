package linear

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
)

// Start names where the reweighting begins.
type Start string

const (
	// StartS is the S-estimate: coefficients whose residuals have the smallest M-scale.
	// Up to half of the rows may be wrong.
	StartS Start = "s"
	// StartLTS is least trimmed squares: the half of the rows that least squares fits best.
	StartLTS Start = "lts"
	// StartClassic is ordinary least squares: Huber's M-estimation. It withstands wild
	// targets but no bad leverage points.
	StartClassic Start = "classic"
)

// Covariance names how standard errors are computed.
type Covariance string

const (
	// CovarianceAuto is CovarianceMM with StartS and CovarianceSandwich otherwise.
	CovarianceAuto Covariance = "auto"
	// CovarianceMM is the estimate of Croux, Dhaene and Hoorelbeke (2003), which knows that
	// the scale was estimated too and needs neither equal nor symmetric noise.
	CovarianceMM Covariance = "mm"
	// CovarianceSandwich takes the scale as known.
	CovarianceSandwich Covariance = "sandwich"
)

// DefaultLoss is Tukey's biweight at the scale of the start.
var DefaultLoss = loss.MustParse("tukey")

// Robust is a linear regression with a robust loss. The zero value is an MM-estimate with
// an intercept.
type Robust struct {
	// Loss of the residuals, from a text (loss.Parse) or of one's own. A bandwidth that is
	// open is chosen by Cutoff; a number is in units of the target. Nil: DefaultLoss.
	Loss loss.Loss
	// Cutoff is the bandwidth of the loss in units of the residual scale, for losses whose
	// bandwidth is open. Zero: 95 % efficiency on normal noise (4.685 for tukey, 1.345 for
	// huber, 2.11 for welsch).
	Cutoff float64
	// NoIntercept leaves out the constant, which is never penalised: the fit then goes
	// through the origin.
	NoIntercept bool
	// Lambda is the ridge penalty: sum w r^2 + Lambda sum b^2 over standardised columns.
	Lambda float64
	// Start of the reweighting. Empty: StartS.
	Start Start
	// Votes of the rows, one each from 0 to 1, with which the reweighting begins in place of Start: those that
	// a fit with nearly the same loss ended with. The scale of the residuals is then that of their median.
	Votes []float64
	// Samples is the number of random subsets that the start tries. Zero: 500, up to
	// 1350 with about fifty columns, down to 100 from 126 on, where no draw is without outliers anyway.
	Samples int
	// Covariance of the coefficients. Empty: CovarianceAuto.
	Covariance Covariance
	// ResidualCutoff is the absolute scaled residual beyond which a row is an outlier, for many rows; with
	// few it is widened to the same limit for rows not seen in the fit. Zero: 2.5.
	ResidualCutoff float64
	// MaxSteps and Tol as in irls.Settings. Zero: 200 and 1e-9.
	MaxSteps int
	Tol      float64
	// Plain switches step control off.
	Plain bool
	// Seed of the random subsets.
	Seed uint64
	// Weights of the rows; nil: one each. An integer weight acts like repeated rows.
	Weights []float64
	// OnStep observes the reweighting.
	OnStep func(irls.Step)
}

func (o Robust) filled() Robust {
	if o.Start == "" {
		o.Start = StartS
	}
	if o.Covariance == "" {
		o.Covariance = CovarianceAuto
	}
	if o.ResidualCutoff == 0 {
		o.ResidualCutoff = 2.5
	}
	if o.MaxSteps == 0 {
		o.MaxSteps = 200
	}
	if o.Tol == 0 {
		o.Tol = 1e-9
	}
	return o
}

// check validates the options and the data.
func (o Robust) check(ctx context.Context, x *mat.Dense, y []float64) error {
	n, d := x.Dims()
	switch {
	case n != len(y):
		return refusal.Target("%d rows and %d targets", n, len(y))
	case d < 1:
		return refusal.Data("the data have no columns")
	case o.Lambda < 0 || math.IsNaN(o.Lambda) || math.IsInf(o.Lambda, 0):
		return refusal.Parameter("lambda", o.Lambda, "must be a number of at least 0")
	case o.Cutoff < 0 || math.IsNaN(o.Cutoff) || math.IsInf(o.Cutoff, 0):
		return refusal.Parameter("cutoff", o.Cutoff, "must be a number above 0")
	case o.ResidualCutoff < 0 || math.IsNaN(o.ResidualCutoff):
		return refusal.Parameter("flag", o.ResidualCutoff, "must be a number above 0")
	case o.Samples < 0:
		return refusal.Parameter("samples", o.Samples, "must be at least 1")
	case o.Weights != nil && len(o.Weights) != n:
		return refusal.Weights("%d weights for %d rows", len(o.Weights), n)
	case o.Votes != nil && len(o.Votes) != n:
		return refusal.Weights("%d votes for %d rows", len(o.Votes), n)
	}
	switch o.Start {
	case StartS, StartLTS, StartClassic:
	default:
		return refusal.Parameter("start", o.Start, "must be %s, %s or %s", StartS, StartLTS, StartClassic)
	}
	switch o.Covariance {
	case CovarianceAuto, CovarianceMM, CovarianceSandwich:
	default:
		return refusal.Parameter("covariance", o.Covariance, "must be %s, %s or %s", CovarianceAuto, CovarianceMM, CovarianceSandwich)
	}
	if o.Covariance == CovarianceMM && o.Start != StartS {
		return refusal.Setting("covariance", "covariance %s needs start %s", CovarianceMM, StartS)
	}
	count, total := n, 0.0
	for i, w := range o.Weights {
		if !(w >= 0) || math.IsInf(w, 0) {
			return refusal.Weights("weight %g of row %d must be a number of at least 0", w, i+1)
		}
		if w == 0 {
			count--
		}
		total += w
	}
	count = max(count, int(math.Min(total, math.MaxInt32))) // repeated rows
	unknown := d
	if !o.NoIntercept {
		unknown++
	}
	if count <= unknown {
		return &refusal.SizeError{
			Rows: count, Least: unknown + 1, Problem: fmt.Sprintf("%s %s too few for %s", words.Plural(count, "row"), words.Are(count), words.Plural(unknown, "coefficient")),
			Advice: fmt.Sprintf("at least %d rows are needed; use fewer columns or more rows", unknown+1),
		}
	}
	return eachRow(ctx, n, func(i int) error {
		if err := checkRow(i, x.RawRowView(i)); err != nil {
			return err
		}
		return checkTarget(i, y[i])
	})
}

// checkRow names the first number of row i that is not finite.
func checkRow(i int, row []float64) error {
	for j, v := range row {
		if v-v != 0 { // NaN for infinite and missing numbers alike
			return &refusal.CellError{Row: i + 1, Column: j + 1, Value: v}
		}
	}
	return nil
}

// checkTarget tells whether the target of row i is finite.
func checkTarget(i int, v float64) error {
	if v-v != 0 {
		return &refusal.CellError{Row: i + 1, Value: v}
	}
	return nil
}
