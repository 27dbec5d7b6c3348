package irls

import (
	"context"
	"math"

	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
)

// Rescale tells when an open bandwidth (auto, silverman) is computed.
type Rescale int

const (
	// Settle recomputes the bandwidth after every step until it stands still, then fixes it
	// for a last stage in which the objective falls to convergence.
	Settle Rescale = iota
	// Once computes it at the start only.
	Once
	// EveryStep computes it anew in every step, as the papers do. Objectives of
	// different steps are then not comparable.
	EveryStep
)

// Settings steer a run. The zero value of each field is the default named.
type Settings struct {
	// Loss is the robust loss; its bandwidth may be open. Zero: square.
	Loss loss.Spec
	// Kappa is the factor of the bandwidth rule auto. Zero: 3.
	Kappa float64
	// Rescale tells when an open bandwidth is recomputed. Zero: Settle.
	Rescale Rescale
	// Bandwidth, when set, takes the place of the rule of an open bandwidth: it returns the
	// bandwidth for squared residuals. It is called whenever the rule would be.
	Bandwidth func(squared []float64) float64
	// Stage steers the stages before the last one.
	Stage Stage
	// Graduate starts with a bandwidth that many times too wide and halves it stage by
	// stage (graduated non-convexity). The last step that MaxSteps allows is made with the
	// bandwidth asked for. Zero or one: off.
	Graduate float64
	// Path, when set, returns the losses of the stages for the squared residuals of the
	// start, in place of Loss: each but the last leads to the next, and the last one runs
	// to convergence. Their bandwidths are fixed.
	Path func(squared []float64) []loss.Spec
	// Retune, when set, is for a penalty that is still open: it is called with the loss and
	// the squared residuals that a rough run of at most roughSteps has found, may choose
	// the problem's penalty anew, and tells whether that stands still. After at most
	// MostRetunes such rounds a whole run follows.
	Retune func(ctx context.Context, l loss.Scaled, squared []float64) (settled bool, err error)
	// Damped shortens every step by Damping, for losses that are not concave and residuals
	// that are linear in the state, such as those of a regression.
	Damped bool
	// Polish goes on at the end: near its minimum the objective is flat, so that the state
	// is known to half of the digits only when the objective stands still. Plain steps bring
	// the rest, until the state too changes by at most Tol or rounding stops them.
	Polish bool
	// Visible doubles a fixed bandwidth until some observation has a weight to speak of at
	// the start: with none, a penalty alone would decide.
	Visible bool
	// Whole says that the start is a whole state by itself: a context that ends before its
	// residuals are known then gives it, with status Cancelled, and no error.
	Whole bool
	// Prior weights of the observations; nil means one each.
	Prior []float64
	// Absolute weights keep the loss's own scale, for problems with a penalty beside the
	// loss. Otherwise only ratios matter and the largest weight is one, so that nothing
	// underflows.
	Absolute bool
	// MaxSteps bounds the number of solves, of each run between two calls of Retune.
	// Zero: 100.
	MaxSteps int
	// Tol stops a stage when the objective's relative fall or the state's distance is
	// at most this. Zero: 1e-8.
	Tol float64
	// Zero is the squared residual that counts as none (rounding of the data). A run
	// whose residuals are all below it has a perfect fit.
	Zero float64
	// Plain switches step control off: the papers' fixed-point iteration to the letter.
	Plain bool
	// OnStep, when set, sees every step as it is made.
	OnStep func(Step)
	// OnStage, when set, sees the loss of every stage before its first solve.
	OnStage func(loss.Scaled)
}

// Stage steers the stages that only prepare: those at a bandwidth that is still open or
// too wide, and those on a Path.
type Stage struct {
	// Steps are made at most in one. Zero: 1. With Rescale EveryStep always 1.
	Steps int
	// Tol ends one earlier, as Settings.Tol does the last. Zero: Settings.Tol.
	Tol float64
	// Settle is the relative change of an open bandwidth at which it stands still. Zero: 1e-3.
	Settle float64
}

const (
	// mostRetunes bounds how often an open penalty is chosen again.
	mostRetunes = 6
	// roughSteps bounds the steps between two such choices.
	roughSteps = 40
)

func (set *Settings) fill(n int) error {
	if n < 1 {
		return refusal.Few(0, 1, "irls: no observations")
	}
	if set.Prior != nil && len(set.Prior) != n {
		return refusal.Weights("irls: %d prior weights for %d observations", len(set.Prior), n)
	}
	if err := checkPrior(set.Prior); err != nil {
		return err
	}
	if set.Rescale < Settle || set.Rescale > EveryStep {
		return refusal.Parameter("rescale", int(set.Rescale), "is none of Settle, Once and EveryStep")
	}
	if set.Kappa == 0 {
		set.Kappa = 3
	}
	if set.MaxSteps == 0 {
		set.MaxSteps = 100
	}
	if set.Tol == 0 {
		set.Tol = 1e-8
	}
	if set.Graduate < 1 {
		set.Graduate = 1
	}
	if set.Stage.Steps < 1 || set.Rescale == EveryStep {
		set.Stage.Steps = 1
	}
	if set.Stage.Tol == 0 {
		set.Stage.Tol = set.Tol
	}
	if set.Stage.Settle == 0 {
		set.Stage.Settle = settleTol
	}
	if !(set.Graduate <= loss.MaxScale) {
		return refusal.Setting("graduate", "irls: graduate %g must be a number up to %g", set.Graduate, loss.MaxScale)
	}
	if !(set.Zero >= 0 && set.Zero <= math.MaxFloat64) {
		return refusal.Setting("zero", "irls: the squared residual that counts as none is %g; it must be finite and not negative", set.Zero)
	}
	if set.Kappa < 0 || set.MaxSteps < 0 || set.Tol < 0 || math.IsNaN(set.Tol+set.Kappa+set.Stage.Tol+set.Stage.Settle) {
		return refusal.Setting("settings", "irls: kappa %g, max-steps %d and tol %g must not be negative", set.Kappa, set.MaxSteps, set.Tol)
	}
	return nil
}

// checkPrior refuses prior weights that are no weights.
func checkPrior(prior []float64) error {
	if prior == nil {
		return nil
	}
	some := false
	for i, a := range prior {
		if !(a >= 0 && a <= math.MaxFloat64) {
			return refusal.Weights("irls: prior weight %g of observation %d; weights must be finite and not negative", a, i+1)
		}
		some = some || a > 0
	}
	if !some {
		return refusal.Weights("irls: every prior weight is 0, so that no observation counts")
	}
	return nil
}
