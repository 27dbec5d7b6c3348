package elm

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/inlier-ml/inlier/internal/leverage"
	"github.com/inlier-ml/inlier/internal/scaling"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/refusal"
)

// Scaling names how input columns are brought to a common size before the hidden layer.
type Scaling string

// The scalings. The empty one leaves rows as they are.
const (
	ScaleRobust   Scaling = "robust"   // by median and absolute deviation
	ScaleMinMax   Scaling = "minmax"   // smallest value to 0, largest to 1
	ScaleStandard Scaling = "standard" // by mean and standard deviation
	ScaleNone     Scaling = "none"     // as they are, clipped if Clip says so
)

// inputs is what a model does with rows before its hidden layer, and knows about them.
type inputs struct {
	scaling  scaling.Scaling    // of the columns; without columns: rows as they are
	offset   []float64          // added to the outputs of a regression; nil: nothing
	leverage *leverage.Leverage // of a regression, where distances of the inputs are told
	places   *scaling.Classes   // where the classes lie; nil: a regression, or not known
	span     span               // of the columns, where it was looked at
	left     *scaling.Left      // rows left out because of their inputs; nil: none
}

// apply scales rows.
func (in *inputs) apply(x *mat.Dense) *mat.Dense {
	if in.scaling.Offset == nil {
		return x
	}
	return in.scaling.Apply(x)
}

// applyRow scales one row.
func (in *inputs) applyRow(dst, row []float64) {
	if in.scaling.Offset == nil {
		copy(dst, row)
		return
	}
	in.scaling.ApplyRow(dst, row)
}

// back adds to outputs what was taken off the targets.
func (in *inputs) back(out *mat.Dense) {
	if in.offset != nil {
		out.Apply(func(_, c int, v float64) float64 { return v + in.offset[c] }, out)
	}
}

// scaled tells whether anything is to be done with inputs.
func (o Options) scaled() bool { return o.Scaling != "" || o.Clip != 0 || o.Leverage }

// prepare learns the scaling of the inputs and what else is known of them. It returns the rows
// as the hidden layer sees them and the weights that count.
func (o Options) prepare(ctx context.Context, src linalg.Source, t *mat.Dense) (in inputs, rows linalg.Source, weights []float64, err error) {
	x, err := linalg.Load(ctx, src)
	if err != nil {
		return in, nil, nil, err
	}
	if err := finiteRows(x); err != nil { // clipping would hide it
		return in, nil, nil, err
	}
	kind := o.Scaling
	if kind == "" {
		kind = ScaleNone
	}
	var labels []int
	if o.Labels {
		labels = classesOf(t)
		in.learnPlaces(ctx, o, linalg.FromDense(x), t)
	}
	in.scaling, weights, in.left = scaling.Known(x, scaling.Rules{Kind: scaling.Kind(kind), Weights: o.Weights, Clip: o.Clip, Context: ctx}, labels, in.places)
	if err := ctx.Err(); err != nil {
		return in, nil, nil, err
	}
	in.learnSpan(x, weights)
	if o.Lambda == 0 && kind == ScaleRobust {
		in.widen(x, weights)
	}
	if o.Lambda < 0 && o.Clip != 0 { // output weights of any size tell anything beyond their rows
		in.scaling.Low, in.scaling.High = in.span.least, in.span.most
	}
	return in, linalg.FromDense(in.scaling.Apply(x)), weights, nil
}

// bulk is the share of the rows that tells how wide a column is: what the others say may be dirt. Chosen among .75 to .95 on four normal
// columns beside a lognormal one and beside rows of which 15 and 22 % are far with wrong targets, which turn nodes from .8 on.
const bulk = 0.75

// widen gives columns with long tails the scale of normal values with the same quantile of absolute values, where it is larger than
// the median's. Else nodes stand at their ends for most rows of such a column, which then drowns the others.
func (in *inputs) widen(x *mat.Dense, w []float64) {
	rows, usual := in.scaling.Apply(x), distuv.UnitNormal.Quantile((1+bulk)/2)
	for j := range in.scaling.Scale {
		away := mat.Col(nil, j, rows)
		for i, v := range away {
			away[i] = math.Abs(v)
		}
		in.scaling.Scale[j] *= max(1, univariate.WeightedQuantile(away, w, bulk)/usual)
	}
}

// learnPlaces learns where the classes lie, of rows in memory.
func (in *inputs) learnPlaces(ctx context.Context, o Options, src linalg.Source, t *mat.Dense) {
	rows, ok := src.(linalg.InMemory)
	if !ok || in.places != nil {
		return
	}
	_, classes := t.Dims()
	counts, _ := univariate.Counted(len(o.Weights), o.Weights)
	in.places = scaling.FitClasses(ctx, rows.Dense(), classesOf(t), classes, counts)
}

// mostLeverage is the most inputs whose distances are told: beyond, a robust covariance of the
// inputs would take longer than the machine itself.
const mostLeverage = 100

// learnLeverage learns where the bulk of the inputs is: the robust distance that is drawn
// against the residuals in R's plot.lmrob. A machine is flat or wild far from there, so rows
// far out decide alone what it learns around them.
func (in *inputs) learnLeverage(ctx context.Context, o Options, src linalg.Source) error {
	if _, d := src.Dims(); !o.Leverage || o.Labels || d > mostLeverage {
		return nil
	}
	x, err := linalg.Load(ctx, src)
	if err != nil {
		return err
	}
	far, err := leverage.New(ctx, x, o.Weights, o.Seed)
	if err == nil && len(far.Columns) > 0 {
		in.leverage = far
	}
	return err
}

// finiteRows names the first number that is missing or infinite.
func finiteRows(x *mat.Dense) error {
	n, _ := x.Dims()
	for i := range n {
		for j, v := range x.RawRowView(i) {
			if v-v != 0 {
				return &refusal.CellError{Row: i + 1, Column: j + 1, Value: v}
			}
		}
	}
	return nil
}
