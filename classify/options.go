package classify

import (
	"context"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/scaling"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/kernel"
	"github.com/inlier-ml/inlier/refusal"
)

// ExactRows is the most rows for which an RBF kernel is used exactly when nothing else
// is asked for, but for Hinge, which steps along pairs of rows and is exact up to twice as many. Up to there the features of Nystrom that come within about half a point take as
// long: of four clouds in 20 columns, 12,000 rows, regmaxcem is .834 right in 41 s of processor time, with 500, 1000 and 2000 features .801 in 2 s, .821 in 7 s and
// .829 in 18 s; square .818 in 20 s, .791 in 1 s, .808 in 2 s and .813 in 5 s; hinge .826 in 6 s, .797 in 5 s, .812 in 11 s and .820 in 25 s.
const ExactRows = 10000

// exactLimit is the most rows for which the matrix of all pairs is made even when asked for.
const exactLimit = 20000

// Landmarks or random features when no number is given: one for every rowsOfFeature rows, from fewestFeatures to DefaultFeatures, half as many
// and again where memory has no room.
const (
	DefaultFeatures = 2000
	fewestFeatures  = 500
	rowsOfFeature   = 5
)

// defaultClip keeps inputs far outside all others from having a say. Off, 3, 5, 10 and 20 were held against each other on glass, wdbc, vehicle, leaf, lognormal columns, unlike
// units and five made sets (long tails, lognormal, quadratic and extreme classes), clean and with 2 % of the cells 10 and 30 standard deviations off. Means of
// five machines, in points from off: clean +0.0, +0.0, -0.1, -0.0; 10 off +2.1, +2.0, +0.4, -0.0; 30 off +8.6, +8.9, +8.2, +7.8. Where long tails tell of the class
// (Student's t, 3 degrees of freedom, a linear law) 3 costs linear machines a point and 5 nothing.
// The middle of a class of some rows is not pulled in: of 30 kinds of leaves that cost 1 to 2 points (12 splits), of glass it changes nothing.
const defaultClip = -5

// ClassWeights tell how much the rows of a class count.
type ClassWeights string

const (
	// Equal counts every row once.
	Equal ClassWeights = "none"
	// Balanced gives every class the same total: a row counts n / (classes * rows of its class). Scores and probabilities are those of such a
	// table; labels are doubted by how often classes occur.
	Balanced ClassWeights = "balanced"
)

// Scaling names how columns are brought to comparable size.
type Scaling string

const (
	// ScaleStandard subtracts the mean and divides by the standard deviation.
	ScaleStandard Scaling = "standard"
	// ScaleRobust subtracts the median and divides by 1.4826 times the median absolute
	// deviation; by 1.2533 times the mean one where at least half of a column are equal.
	ScaleRobust Scaling = "robust"
	// ScaleMinMax brings every column to [0, 1].
	ScaleMinMax Scaling = "minmax"
	// ScaleNone leaves columns as they are.
	ScaleNone Scaling = "none"
)

// Approximation tells how a kernel becomes features.
type Approximation string

const (
	// ApproximateAuto is Exact up to ExactRows rows and Nystrom beyond.
	ApproximateAuto Approximation = "auto"
	// Exact uses the matrix of all pairs.
	Exact Approximation = "exact"
	// Nystrom uses the kernel with a sample of the rows.
	Nystrom Approximation = "nystrom"
	// Fourier uses random Fourier features.
	Fourier Approximation = "fourier"
)

// Penalty tells what lambda punishes in a kernel machine.
type Penalty string

const (
	// OnFunction punishes the norm of the function in the kernel's space, as support vector
	// machines do.
	OnFunction Penalty = "function"
	// OnCoefficients punishes the coefficients of the kernels, as eq. (7) of the regmaxcem
	// paper does with its representation K(., x).
	OnCoefficients Penalty = "coefficients"
)

// Calibration tells where the sigmoids that turn scores into probabilities are learned.
type Calibration string

const (
	// CalibrateAuto is Folds up to 5000 rows and HoldOut beyond.
	CalibrateAuto Calibration = "auto"
	// Folds uses scores from three-fold cross-validation.
	Folds Calibration = "folds"
	// HoldOut uses scores of one fifth of the rows by a fit on the others.
	HoldOut Calibration = "holdout"
	// NoCalibration leaves probabilities out, except for Logistic, which has its own.
	NoCalibration Calibration = "off"
)

// calibrateFolds is the most rows for which CalibrateAuto cross-validates.
const calibrateFolds = 5000

// Options are what all machines share. Zero fields mean the defaults named.
type Options struct {
	// Kernel is linear or RBF; an open gamma is two over the median squared distance, for Square one. Zero: linear.
	Kernel kernel.Kernel
	// Lambda is the penalty beside the mean loss. Zero: 1/(2n) of n rows, twice that for a linear
	// Square, a sixteenth for Logistic with a kernel, and PrintedLambda for a RegMaxCEM that is AsPrinted; linear ones take 10 or 100 times
	// as much where that makes held-out labels clearly more probable, with a kernel up to twice as much, and less of the votes of rows whose
	// label the scores of fits without them contradict.
	Lambda float64
	// ClassWeights. Zero: Equal.
	ClassWeights ClassWeights
	// Scaling of the columns. Zero: ScaleStandard.
	Scaling Scaling
	// Clip pulls values in to the median plus or minus Clip times 1.4826 MAD of their
	// column before scaling, and leaves out rows five times as far out as that. Zero: -5,
	// for a RegMaxCEM that is AsPrinted off. Infinite: off. Negative: as many as its absolute
	// value, with care for columns that are merely skewed or of several groups.
	Clip float64
	// Approximation of the kernel and its number of features. Zero: auto; a fifth of the rows, from 500 to DefaultFeatures.
	Approximation Approximation
	Features      int
	// Penalty of a kernel machine. Zero: OnFunction.
	Penalty Penalty
	// Calibration of probabilities. Zero: CalibrateAuto.
	Calibration Calibration
	// Weights of the rows; nil: one each.
	Weights []float64
	// MaxSteps bounds the number of steps: reweightings, Newton steps, or passes over the
	// rows for Hinge. Zero: 100, for Hinge 1000; with few features Hinge takes at most 100 interior-point steps.
	// Of rows that are not in memory each step is a reading, and there are at most 11.
	MaxSteps int
	// Tol is the relative change at which training stops. Zero: 1e-6.
	Tol float64
	// Seed of landmarks, random features and folds.
	Seed uint64
	// OnStep, when set, sees every step.
	OnStep func(irls.Step)

	exactRows int     // most rows of an exact kernel; zero: ExactRows
	gamma     float64 // of an open kernel, in units of one over the median squared distance; zero: usualGamma
}

// filled returns the options with defaults in place, or what is wrong with them.
func (o Options) filled() (Options, error) {
	if o.Kernel.Kind == "" {
		o.Kernel.Kind = kernel.Linear
	}
	if o.Kernel.Kind != kernel.Linear && o.Kernel.Kind != kernel.RBF {
		return o, refusal.Parameter("kernel", o.Kernel.Kind, "is not linear or rbf")
	}
	if err := o.Kernel.Check(); err != nil {
		return o, err
	}
	if !(o.Lambda >= 0) || math.IsInf(o.Lambda, 1) {
		return o, refusal.Parameter("lambda", o.Lambda, "must be a positive number")
	}
	if o.ClassWeights == "" {
		o.ClassWeights = Equal
	}
	if o.Scaling == "" {
		o.Scaling = ScaleStandard
	}
	if o.Approximation == "" {
		o.Approximation = ApproximateAuto
	}
	if o.Penalty == "" {
		o.Penalty = OnFunction
	}
	if o.Calibration == "" {
		o.Calibration = CalibrateAuto
	}
	for name, text := range map[string][2]string{
		"class-weights": {string(o.ClassWeights), "none balanced"}, "scaling": {string(o.Scaling), "standard robust minmax none"},
		"approximation": {string(o.Approximation), "auto exact nystrom fourier"}, "penalty": {string(o.Penalty), "function coefficients"},
		"calibration": {string(o.Calibration), "auto folds holdout off"},
	} {
		if !word(text[0], text[1]) {
			return o, refusal.Parameter(name, text[0], "is not one of %s", text[1])
		}
	}
	switch {
	case o.Clip == 0:
		o.Clip = defaultClip
	case math.IsInf(o.Clip, 1):
		o.Clip = 0
	}
	if math.IsNaN(o.Clip) || math.IsInf(o.Clip, 0) {
		return o, refusal.Parameter("clip", o.Clip, "must be a number")
	}
	if o.Features < 0 {
		return o, refusal.Parameter("features", o.Features, "must be at least 1")
	}
	if o.Tol == 0 {
		o.Tol = 1e-6
	}
	if !(o.Tol > 0) {
		return o, refusal.Parameter("tol", o.Tol, "must be positive")
	}
	if o.MaxSteps < 0 {
		return o, refusal.Parameter("max-steps", o.MaxSteps, "must be positive")
	}
	return o, nil
}

// steps is MaxSteps with its default.
func (o Options) steps(otherwise int) int {
	if o.MaxSteps == 0 {
		return otherwise
	}
	return o.MaxSteps
}

// scalingOf is the scaling of the columns of x, the weights of the rows without those that
// were left out because they hold an absurd value, and what is to be told about these.
func (o Options) scalingOf(ctx context.Context, x *mat.Dense, labels []int, places *scaling.Classes) (scaling.Scaling, []float64, *scaling.Left) {
	return scaling.Known(x, scaling.Rules{Kind: scaling.Kind(o.Scaling), Weights: o.Weights, Clip: o.Clip, Context: ctx}, labels, places)
}

// word tells whether text is one of the words of a list separated by spaces.
func word(text, list string) bool { return slices.Contains(strings.Fields(list), text) }
