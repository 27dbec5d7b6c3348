package pca

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

var errConstant = errors.New("pca: all rows are equal, so there is no direction of variance; at least two different rows are needed")

// plan is what distinguishes one reweighting method from another.
type plan struct {
	method string
	spec   loss.Spec
	// kappa of the bandwidth rule auto; 0: 3, or 1 with more columns than rows.
	kappa   float64
	rescale irls.Rescale
	// run replaces the plain irls.Run, for methods with a schedule of their own.
	run func(ctx context.Context, p irls.Problem[subspace], start subspace, set irls.Settings) (irls.Result[subspace], error)
	// centre, when set, finds a mean that stays fixed.
	centre func(ctx context.Context, src linalg.Source, w []float64) ([]float64, error)
	// dispersion: eigenvalues and scores are judged, but rows have no weights (PCA, PCA-L1).
	unweighted bool
}

// fit runs a method on the rows of src.
func (o Options) fit(ctx context.Context, src linalg.Source, pl plan) (*Model, error) {
	o = o.filled()
	n, d := src.Dims()
	if err := o.check(n, d); err != nil {
		return nil, err
	}
	var gaps *gaps
	if o.Missing {
		var err error
		if src, gaps, err = fillGaps(ctx, src); err != nil {
			return nil, err
		}
	}
	spread, err := checkRows(ctx, src, o.Weights)
	if err != nil {
		return nil, err
	}
	inside, axes := src, reduction{}
	if gaps == nil {
		if inside, axes, err = reduce(ctx, src); err != nil {
			return nil, err
		}
	}
	learn := o.learner(n, d)
	start, m, err := begin(ctx, inside, o, learn)
	if err != nil {
		return nil, err
	}
	set := irls.Settings{
		Loss: pl.spec, Kappa: pl.kappa, Rescale: pl.rescale, Prior: o.Weights, MaxSteps: o.MaxSteps, Tol: o.Tol,
		Zero: 1e-24 * spread * spread, Plain: o.Plain, OnStep: o.OnStep,
	}
	if set.Kappa == 0 {
		set.Kappa = loss.KappaSubspace
		if d > n {
			set.Kappa = loss.KappaWide
		}
	}
	_, rank := start.basis.Dims()
	prob := &problem{src: inside, m: rank, spread: spread, within: o.Tol / 100}
	if pl.centre != nil {
		if prob.fixed, err = pl.centre(ctx, inside, o.Weights); err != nil {
			return nil, err
		}
		start.mean = prob.fixed
	}
	run := pl.run
	if run == nil {
		run = irls.Run[subspace]
	}
	if start, err = warm(ctx, prob, start, run, set, o); err != nil {
		return nil, err
	}
	var p irls.Problem[subspace] = prob
	if gaps != nil {
		p = &gapProblem{problem: prob, gaps: gaps}
	}
	res, err := run(ctx, p, start, set)
	if err != nil {
		return nil, err
	}
	at := res.State
	if m > rank { // m_r: the weights are learned, now take all components at once
		full := &problem{src: inside, m: m, fixed: prob.fixed}
		if at, err = full.Solve(context.WithoutCancel(ctx), at, res.Weights); err != nil {
			return nil, err
		}
	}
	return o.finish(context.WithoutCancel(ctx), src, inside, axes, gaps, at, res, pl)
}

// learner returns how many components the weights are learned with.
func (o Options) learner(n, d int) func(m int) int {
	const small = 10 // "the parameter is set at 10", kmpe section IV-C
	return func(m int) int {
		switch {
		case o.LearnRank > 0:
			return min(m, o.LearnRank)
		case o.LearnRank == 0 && o.Start != StartClassic && d >= n:
			return min(m, small)
		}
		return m
	}
}

// warm runs the method on a sample of a large table first: the steps are cheap there, and
// the few that remain on all rows start next to the end.
func warm(ctx context.Context, prob *problem, start subspace, run func(context.Context, irls.Problem[subspace], subspace, irls.Settings) (irls.Result[subspace], error), set irls.Settings, o Options) (subspace, error) {
	n, d := prob.src.Dims()
	size := max(startRows, 5*d)
	if n < 5*size || o.Start != StartAuto {
		return start, nil
	}
	x, err := sampleRows(ctx, prob.src, o, size)
	if err != nil {
		return start, err
	}
	set.Prior, set.OnStep, set.Tol = nil, nil, math.Max(set.Tol, 1e-3)
	res, err := run(ctx, &problem{src: linalg.FromDense(x), m: prob.m, fixed: prob.fixed, spread: prob.spread, within: roughly}, start, set)
	if err != nil {
		return start, err
	}
	return res.State, nil
}

// checkRows refuses numbers that are not finite and returns the root mean squared
// distance of the rows from their mean; of many rows, a part tells.
func checkRows(ctx context.Context, src linalg.Source, w []float64) (spread float64, err error) {
	_, mean, err := linalg.WeightedMean(ctx, src, w)
	if err != nil {
		return 0, err
	}
	level := 0.0 // rounding of the mean
	for _, v := range mean {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return 0, firstBad(ctx, src)
		}
		level = math.Hypot(level, v)
	}
	level *= 1e-14 / math.Sqrt(float64(len(mean)))
	if m, ok := src.(*linalg.Matrix); ok {
		const part = 4096
		if n, d := m.Dims(); n > 4*part {
			rows := linalg.FromDense(m.Dense().Slice(0, part, 0, d).(*mat.Dense))
			var some []float64
			if w != nil {
				some = w[:part]
			}
			if spread, err = spreadAbout(ctx, rows, mean, some); err != nil || spread > level && !math.IsInf(spread, 0) {
				return spread, err
			}
		}
	}
	spread, err = spreadAbout(ctx, src, mean, w)
	switch {
	case err != nil:
		return 0, err
	case math.IsNaN(spread) || math.IsInf(spread, 0):
		return 0, firstBad(ctx, src)
	case spread <= level:
		return 0, errConstant
	}
	return spread, nil
}

// spreadAbout is the root mean squared distance of the rows from a point; 0 without weight.
func spreadAbout(ctx context.Context, src linalg.Source, point, w []float64) (float64, error) {
	n, _ := src.Dims()
	s := make([]float64, n)
	if err := linalg.Residuals(ctx, src, point, nil, s, nil); err != nil {
		return 0, err
	}
	sum, total := 0.0, 0.0
	for i, v := range s {
		a := 1.0
		if w != nil {
			a = w[i]
		}
		sum += a * v
		total += a
	}
	if total == 0 {
		return 0, nil
	}
	return math.Sqrt(sum / total), nil
}

// firstBad names the first number that is missing, infinite or too large to square.
func firstBad(ctx context.Context, src linalg.Source) error {
	row, column, value, err := linalg.Unusable(ctx, src)
	switch {
	case err != nil:
		return err
	case row == 0:
		return errors.New("pca: numbers are too large to be squared and added; divide the data by a common factor")
	case math.IsNaN(value):
		return &MissingError{Row: row, Column: column}
	}
	return fmt.Errorf("pca: row %d, column %d is infinite", row, column)
}

// MissingError says where the first missing value is, counted from 1.
type MissingError struct{ Row, Column int }

// Error names the place and the way out.
func (e *MissingError) Error() string {
	return fmt.Sprintf("pca: row %d, column %d is missing; ask for missing values to be filled by the fit, or remove the row", e.Row, e.Column)
}
