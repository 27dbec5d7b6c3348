package linear

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/leverage"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/loss"
)

// parts are what a model consists of, for files.
type parts struct {
	Coef         []float64
	Intercept    float64
	HasIntercept bool
	Scale        float64 // of the residuals; 0: exact fit
	Zero         float64 // absolute residual that counts as none
	Flag         float64
	Weights      []float64
	Largest      float64 // log-weight that counts as 1
	Loss         string  // with the final bandwidth
	Steps        []irls.Step
	Status       irls.Status
	Covariance   *mat.SymDense // may be nil
	Freedom      float64
	R2, Adjusted float64
	Dropped      []int
	// Start of the reweighting; StartCoef nil: not known.
	StartCoef      []float64
	StartIntercept float64
	StartScale     float64
	// Distances of the columns: which take part, their centre, and the upper triangular
	// matrix that whitens deviations from it. Without columns there are none.
	LeverageColumns []int
	LeverageCentre  []float64
	LeverageWhiten  *mat.Dense
	LeverageCutoff  float64
	Warnings        []string
}

// parts takes the model apart. Nothing of it must be changed.
func (m *Model) parts() parts {
	return parts{
		Coef: m.coef, Intercept: m.intercept, HasIntercept: m.hasIntercept, Scale: m.scale, Zero: m.zero, Flag: m.flag, Weights: m.weights, Largest: m.largest,
		Loss: m.loss.String(), Steps: m.steps, Status: m.status, Covariance: m.covariance, Freedom: m.freedom, R2: m.r2, Adjusted: m.adjusted,
		StartCoef: m.startCoef, StartIntercept: m.startIntercept, StartScale: m.startScale,
		Dropped: m.dropped, LeverageColumns: m.leverage.Columns, LeverageCentre: m.leverage.Offset, LeverageWhiten: m.leverage.Whiten,
		LeverageCutoff: m.leverage.Cutoff, Warnings: m.warnings,
	}
}

// fromParts puts a model together again and checks that its parts belong together.
func fromParts(p parts) (*Model, error) {
	d := len(p.Coef)
	if d == 0 {
		return nil, fmt.Errorf("linear: the model has no coefficients")
	}
	for _, v := range append([]float64{p.Intercept, p.Scale, p.Zero, p.Flag, p.Largest, p.LeverageCutoff}, p.Coef...) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("linear: the model holds a number that is not finite")
		}
	}
	if !(p.Flag > 0) || p.Scale < 0 || p.Zero < 0 || p.Scale+p.Zero == 0 {
		return nil, fmt.Errorf("linear: cut-off %g and scale %g must be above 0", p.Flag, p.Scale)
	}
	if p.Covariance != nil && p.Covariance.SymmetricDim() != d+1 {
		return nil, fmt.Errorf("linear: a covariance of %d coefficients for %d", p.Covariance.SymmetricDim(), d+1)
	}
	far := &leverage.Leverage{Columns: p.LeverageColumns, Offset: p.LeverageCentre, Whiten: p.LeverageWhiten, Cutoff: p.LeverageCutoff}
	if err := far.Check(d); err != nil {
		return nil, fmt.Errorf("linear: %w", err)
	}
	if p.StartCoef != nil && len(p.StartCoef) != d {
		return nil, fmt.Errorf("linear: %d coefficients of the start for %d columns", len(p.StartCoef), d)
	}
	for _, j := range p.Dropped {
		if j < 0 || j >= d {
			return nil, fmt.Errorf("linear: column %d of %d was dropped", j+1, d)
		}
	}
	if p.Dropped == nil && p.Covariance != nil && p.Scale > 0 { // files of old do not tell
		for j, b := range p.Coef {
			if b == 0 && p.Covariance.At(j+1, j+1) == 0 {
				p.Dropped = append(p.Dropped, j)
			}
		}
	}
	spec, err := loss.Parse(p.Loss)
	if err != nil {
		return nil, err
	}
	return &Model{
		unit: univariate.Unit(p.Scale), coef: p.Coef, intercept: p.Intercept, hasIntercept: p.HasIntercept, scale: p.Scale, zero: p.Zero, flag: p.Flag, exact: p.Scale == 0,
		weights: p.Weights, largest: p.Largest, rows: len(p.Weights), loss: spec.At(spec.Rule().Value), steps: p.Steps, status: p.Status, covariance: p.Covariance,
		freedom: p.Freedom, r2: p.R2, adjusted: p.Adjusted, dropped: p.Dropped, warnings: p.Warnings,
		leverage: far, startCoef: p.StartCoef, startIntercept: p.StartIntercept, startScale: p.StartScale,
	}, nil
}
