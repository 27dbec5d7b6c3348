package plot

import (
	"context"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/report"
	"github.com/inlier-ml/inlier/verdict"
)

func residuals() Kind {
	return curveKind("residuals", "the residual plots of robust regression", "regressions", catalog.Regress, residualPlots)
}

func residualPlots(ctx context.Context, a *answers) ([]Section, error) {
	r := report.Residuals{Fitted: a.made.Values, Observed: a.set.Target.Values}
	o, err := a.verdict(ctx)
	if err != nil {
		return nil, err
	}
	if o != nil {
		r.Standardized, r.Cut = o.Residual, o.ResidualCutoff
		r.Distance, r.DistanceCut = o.ScoreDistance, o.ScoreCutoff
	}
	if r.Standardized == nil {
		r.Standardized = standardised(r.Observed, r.Fitted)
	}
	return []Section{{"Residuals are in units of their robust scale. Rows beyond the dashed lines do not follow the model; far out to the right in the first picture they had the leverage to bend it.",
		report.ResidualPlots("Residual plots", r)}}, nil
}

// votes are the weights that a regression would give the rows.
func votes(ctx context.Context, a *answers) ([]Section, error) {
	o, err := a.verdict(ctx)
	if err != nil || o == nil || o.Weight == nil {
		return nil, err
	}
	return []Section{{"The vote that each row would have in a fit: 1 is a full vote, 0 is none.", report.Weights("Weights of the rows", o.Weight, lowWeight)}}, nil
}

// verdict judges the rows once; nil where the model does not.
func (a *answers) verdict(ctx context.Context) (*verdict.Rows, error) {
	d, ok := a.model.(catalog.Detector)
	if !ok || a.judged != nil {
		return a.judged, nil
	}
	var err error
	a.judged, err = d.Outliers(ctx, a.set)
	return a.judged, err
}

// standardised residuals in units of 1.4826 times their median absolute deviation.
func standardised(truth, fitted []float64) []float64 {
	out := make([]float64, len(truth))
	for i := range truth {
		out[i] = truth[i] - fitted[i]
	}
	_, scale := univariate.Deviation(slices.Clone(out))
	if scale == 0 {
		scale = math.SmallestNonzeroFloat64
	}
	for i := range out {
		out[i] /= scale
	}
	return out
}
