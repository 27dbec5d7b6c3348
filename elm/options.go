package elm

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/memory"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/refusal"
)

// Start names where the reweighting begins.
type Start string

const (
	// StartRidge is the ridge solution with the same lambda.
	StartRidge Start = "ridge"
	// StartZero is beta = 0, the paper's letter. Rows with large targets then begin with
	// weight near 0, which ends in a bad optimum in 2 to 38 % of runs.
	StartZero Start = "zero"
)

// Options are what all methods of the package share. The zero value means the defaults.
type Options struct {
	// Hidden is the number of nodes, the constant one included where targets are learned from
	// their medians (Lambda open). Zero: as many as rows, at least 10 and at most 200, or
	// up to 500 where there are many rows; without a penalty a third of the rows at most.
	Hidden int
	// Activation of the nodes. Empty: Sigmoid.
	Activation Activation
	// WeightRange and BiasRange are where the layer is drawn from. Zero: [-1, 1] and
	// [0, 1], as in the papers; where the penalty is open and columns are brought to spread
	// one, weights up to 0.6/sqrt(d) of d inputs and biases up to 1 either way, but for robust
	// machines on columns scaled robustly (see ranges). Radial nodes
	// have biases in [0, 1/d], since squared distances grow with d and all nodes would be out of
	// reach of all rows.
	WeightRange, BiasRange Range
	// Layer replaces the random one.
	Layer *Layer
	// Lambda is the penalty of the normal equations (lambda' of the paper). Zero: chosen by the errors of left-out rows, or
	// generalised cross-validation, in the robust methods with their weights, again and
	// again until both stand still (lambda.go). Negative: none.
	Lambda float64
	// Labels says that the targets are +1 and -1 of classes. The bandwidth rule auto then is
	// 1.5 (for welsch; as wide for others; 3 with PerRow): one class against all others, a scale of the
	// errors would shrink until nothing but "none of them" is left.
	Labels bool
	// Scaling of the input columns, and of new rows alike. Empty: none. With it targets that
	// lie far from 0 for their spread are learned from their median.
	Scaling Scaling
	// Clip pulls inputs in to the column's median plus or minus so many 1.4826 MAD before
	// scaling. Zero: off. Negative: as many as its absolute value, wider where a column is
	// skewed or has several groups.
	Clip float64
	// Leverage tells how far out the inputs of each row are, in a regression of up to 100
	// columns (ScoreDistance of the verdicts).
	Leverage bool
	// PerRow gives each row one weight instead of one per output.
	PerRow bool
	// Start of the reweighting. Empty: StartRidge.
	Start Start
	// MaxSteps and Tol as in irls.Settings; the output weights too settle to Tol, where
	// rounding allows. Zero: 500 and 1e-10. Of rows that are not in memory each step is a reading, and there are at most 11.
	MaxSteps int
	Tol      float64
	// Plain switches damping and step control off: the paper's iteration to the letter.
	Plain bool
	// Seed of the hidden layer.
	Seed uint64
	// Weights of the rows; nil: one each. An integer weight acts like repeated rows.
	Weights []float64
	// Memory is how many bytes the fit may use. Zero: three quarters of what is free.
	Memory int64
	// OnStep observes the reweighting.
	OnStep func(irls.Step)

	constant bool // one node is the constant that targets are learned from
	varied   bool // equal inputs have different targets: a row that counts several times is so many observations
	stands   bool // far inputs must not move the fit: a robust machine on columns scaled robustly
}

// autoHidden is the default number of nodes for n rows. A penalty holds many nodes in
// check; without one they would follow every row.
func autoHidden(n int, penalty bool) int {
	most := max(200, min(500, int(5*math.Sqrt(float64(n)))))
	if !penalty {
		n /= 3
	}
	return min(max(n, 10), most)
}

func (o Options) filled(n int) Options {
	if o.Layer != nil {
		o.Hidden, _ = o.Layer.dims()
		o.Activation = o.Layer.Activation
	}
	if o.Hidden == 0 {
		o.Hidden = autoHidden(n, o.Lambda >= 0)
	}
	if o.Activation == "" {
		o.Activation = Sigmoid
	}
	if o.Start == "" {
		o.Start = StartRidge
	}
	if o.MaxSteps == 0 {
		o.MaxSteps = 500
	}
	if o.Tol == 0 {
		o.Tol = 1e-10
	}
	if o.Memory == 0 {
		o.Memory = memory.Free() / 4 * 3
	}
	return o
}

// check validates filled options against the data.
func (o Options) check(n, d int, t *mat.Dense) error {
	rows, k := t.Dims()
	switch {
	case n < 2:
		return refusal.Few(n, 2, "%d row given; at least 2 are needed", n)
	case d < 1:
		return refusal.Data("the data have no columns")
	case rows != n:
		return refusal.Target("%d rows and %d targets", n, rows)
	case k < 1:
		return refusal.Target("the targets have no columns")
	case o.Hidden < 1:
		return refusal.Setting("hidden", "%d hidden nodes; at least 1 is needed", o.Hidden)
	case math.IsNaN(o.Lambda) || math.IsInf(o.Lambda, 0):
		return refusal.Parameter("lambda", o.Lambda, "must be a finite number")
	case math.IsNaN(o.Clip):
		return refusal.Parameter("clip", o.Clip, "must be a number")
	case !slices.Contains([]Scaling{"", ScaleRobust, ScaleMinMax, ScaleStandard, ScaleNone}, o.Scaling):
		return refusal.Parameter("scaling", o.Scaling, "must be %s, %s, %s or %s", ScaleRobust, ScaleMinMax, ScaleStandard, ScaleNone)
	case o.Weights != nil && len(o.Weights) != n:
		return refusal.Weights("%d weights for %d rows", len(o.Weights), n)
	}
	for _, r := range []Range{o.WeightRange, o.BiasRange} {
		if !(r.Low <= r.High) || math.IsInf(r.Low, 0) || math.IsInf(r.High, 0) {
			return refusal.Setting("range", "the range from %g to %g of the random layer is empty", r.Low, r.High)
		}
	}
	total := 0.0
	for i, w := range o.Weights {
		if !(w >= 0) || math.IsInf(w, 0) {
			return refusal.Weights("weight %g of row %d must be a number of at least 0", w, i+1)
		}
		total += w
	}
	if o.Weights != nil && total == 0 {
		return refusal.Weights("no row has a weight above 0")
	}
	switch o.Start {
	case StartRidge, StartZero:
	default:
		return refusal.Parameter("start", o.Start, "must be %s or %s", StartRidge, StartZero)
	}
	if err := o.Activation.check(); err != nil {
		return err
	}
	if o.Layer != nil {
		if err := o.Layer.check(); err != nil {
			return err
		}
		if _, inputs := o.Layer.dims(); inputs != d {
			return &refusal.ColumnsError{Columns: d, Want: inputs, Problem: fmt.Sprintf("the rows have %d columns; the given layer has %d", d, inputs)}
		}
	}
	if err := checkTargets(t, o.Labels); err != nil {
		return err
	}
	return o.checkMemory(n, d, k)
}

// checkTargets names the first target that is missing or infinite, or none of a class.
func checkTargets(t *mat.Dense, labels bool) error {
	n, _ := t.Dims()
	for i := range n {
		for _, v := range t.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return &refusal.CellError{Row: i + 1, Value: v}
			}
			if labels && v != 1 && v != -1 {
				return refusal.Setting("labels", "the target of row %d is %g; with Labels targets are +1 and -1 (see OneVsAll)", i+1, v)
			}
		}
	}
	return nil
}
