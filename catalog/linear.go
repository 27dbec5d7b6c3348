package catalog

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/scaling"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linear"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/verdict"
)

func init() {
	registerLearner(&Method{
		Name: "linear-robust", Family: "linear", Tasks: []Task{Regress},
		Title: "robust linear regression (MM-estimation) with any loss",
		About: "Finds the line that most rows agree on from a start that half of the rows cannot spoil, then reweights with the loss. " +
			"Reports standard errors, t and p values, a robust R2, and tells vertical outliers from good and bad leverage points. " +
			"Where the relation is curved, right rows on the bend are flagged too, as by R's lmrob; a warning says so when they are more than a fifth.",
		Paper: "Yohai: High breakdown-point and high efficiency robust estimates for regression; Salibian-Barrera, Yohai: A fast algorithm for S-regression estimates",
		Loss:  true, Default: linear.DefaultLoss.String(),
		Params: []Param{
			{Name: "cutoff", Kind: Number, Default: "auto", Min: 1e-6, Max: 1e6, Choices: []string{"auto"}, Meaning: "bandwidth of the loss in units of the residual scale; auto: 95 % efficiency on normal noise"},
			{Name: "intercept", Kind: Choice, Default: "on", Choices: []string{"on", "off"}, Meaning: "a constant beside the columns"},
			{Name: "lambda", Kind: Number, Default: "0", Min: 0, Meaning: "ridge penalty on the coefficients of standardised columns"},
			{Name: "start", Kind: Choice, Default: "s", Choices: []string{"s", "lts", "classic"}, Meaning: "where the reweighting begins; s: smallest robust scale, lts: least trimmed squares, classic: least squares, which bad leverage points can spoil"},
			{Name: "samples", Kind: Integer, Default: "auto", Min: 1, Max: 1e6, Choices: []string{"auto"}, Meaning: "random subsets that the start tries"},
			{Name: "covariance", Kind: Choice, Default: "auto", Choices: []string{"auto", "mm", "sandwich"}, Meaning: "standard errors; mm: of Croux, Dhaene and Hoorelbeke (start=s), sandwich: with the scale taken as known"},
			{Name: "flag", Kind: Number, Default: "2.5", Min: 0, Open: true, Meaning: "absolute scaled residual beyond which a row is an outlier; with few rows widened to the same limit for new rows"},
			{Name: "max-steps", Kind: Integer, Default: "200", Min: 1, Max: 1e6, Meaning: "most steps of the reweighting"},
			{Name: "tol", Kind: Number, Default: "1e-09", Min: 0, Max: 1, Open: true, Meaning: "stop when the objective or the coefficients change by less"},
			{Name: "control", Kind: Choice, Default: "on", Choices: []string{"on", "off"}, Meaning: "shorten steps that would raise the objective"},
		},
		Build:   buildLinear,
		Restore: restoreLinear,
	})
}

func buildLinear(v Values) (Fitter, error) {
	spec, err := loss.Parse(v.Text("loss"))
	if err != nil {
		return nil, &UsageError{Problem: err.Error(), Hint: "inlier losses lists them"}
	}
	if v.Is("covariance", "mm") && !v.Is("start", "s") {
		return nil, &UsageError{Problem: "covariance=mm needs start=s", Hint: "covariance=sandwich goes with every start"}
	}
	method := linear.Robust{
		Loss: spec, Cutoff: v.Float("cutoff"), NoIntercept: !v.Is("intercept", "on"), Lambda: v.Float("lambda"), Start: linear.Start(v.Text("start")),
		Samples: v.Int("samples"), Covariance: linear.Covariance(v.Text("covariance")), Flag: v.Float("flag"), MaxSteps: v.Int("max-steps"),
		Tol: v.Float("tol"), Plain: v.Is("control", "off"),
	}
	return FitterFunc(func(ctx context.Context, data *dataset.Set, run Run) (Model, error) {
		y, err := regressionTarget("linear-robust", data)
		if err != nil {
			return nil, err
		}
		method := method
		method.Seed, method.Weights, method.OnStep = run.Seed, run.Weights, run.OnStep
		fitted, err := method.Fit(ctx, data.X, y)
		if err != nil {
			return nil, explainLinear(err, data)
		}
		return &linearModel{Model: fitted, description: describeLinear(fitted, v, data, run)}, nil
	}), nil
}

// explainLinear puts names of files and columns into errors that are the user's to mend.
func explainLinear(err error, data *dataset.Set) error {
	var cell *linear.CellError
	var size *linear.SizeError
	switch {
	case errors.As(err, &cell) && cell.Column > 0:
		return missingCell(data, cell.Row, cell.Column, cell.Value, fillIn)
	case errors.As(err, &size):
		return &UsageError{
			Problem: fmt.Sprintf("%s: %d rows are too few for %d coefficients", data.Name, size.Rows, size.Coefficients),
			Hint:    fmt.Sprintf("at least %d rows are needed; use fewer columns or more rows", size.Coefficients+1),
		}
	case irls.Ended(err):
		return err
	}
	if data.Target != nil && data.Target.Values != nil {
		if constant := refuseConstant(data, data.Target.Values); constant != nil {
			return constant
		}
	}
	return refusal(err, data.Name)
}

// linearModel is a fitted regression with its description.
type linearModel struct {
	*linear.Model
	description Description
}

func describeLinear(fitted *linear.Model, v Values, data *dataset.Set, run Run) Description {
	used := maps.Clone(v)
	l := fitted.Loss()
	if fitted.Scale() > 0 && l.Scale() > 0 {
		used["cutoff"] = strconv.FormatFloat(l.Scale()/fitted.Scale(), 'g', 6, 64)
	}
	d := Description{
		Method: "linear-robust", Family: "linear", Task: Regress, Rows: fitted.Rows(), Columns: data.Dim(), Parameters: Parameters(used), Loss: l.String(),
		Status: fitted.Status().String(), Seed: run.Seed, ColumnNames: data.Columns, Target: data.Target.Name, Shape: data.Shape,
		Outliers: fitted.Training().Count(), Effective: loss.EffectiveSampleSize(fitted.Weights()), Warnings: fitted.Warnings(),
	}
	d.endedWith(fitted.Steps())
	for _, j := range fitted.Dropped() {
		d.Warnings = append(d.Warnings, fmt.Sprintf("column %q is constant or depends on the columns before it; its coefficient is 0", columnName(data.Columns, j)))
	}
	r2, adjusted := fitted.R2()
	_, _, startScale := fitted.Initial()
	d.Numbers = map[string]any{
		"scale": fitted.Scale(), "start_scale": startScale, "r2_robust": finiteOrNil(r2), "r2_robust_adjusted": finiteOrNil(adjusted),
		"degrees_of_freedom": fitted.Freedom(), "coefficients": coefficientTable(fitted, data.Columns),
		"near_zero_weight_rows": rowNumbers(fitted.Rejected()), "kinds": kindCounts(fitted),
	}
	return d
}

// coefficientTable lists estimate, standard error, t and p of every coefficient.
func coefficientTable(m *linear.Model, columns []string) []map[string]any {
	intercept, lines := m.Table()
	entry := func(name string, c linear.Coefficient) map[string]any {
		return map[string]any{
			"name": name, "value": c.Value, "standard_error": finiteOrNil(c.Error), "t": finiteOrNil(c.T), "p": finiteOrNil(c.P),
		}
	}
	table := []map[string]any{entry("(intercept)", intercept)}
	for j, c := range lines {
		table = append(table, entry(columnName(columns, j), c))
	}
	return table
}

// mostRows bounds lists of row numbers in descriptions.
const mostRows = 1000

// rowNumbers counts rows from 1 and shortens long lists.
func rowNumbers(rows []int) []int {
	out := make([]int, 0, min(len(rows), mostRows))
	for _, i := range rows[:min(len(rows), mostRows)] {
		out = append(out, i+1)
	}
	return out
}

func kindCounts(m *linear.Model) map[string]int {
	counts := map[string]int{}
	for _, k := range m.Training().Kind {
		counts[string(k)]++
	}
	return counts
}

// finiteOrNil is what JSON can express.
func finiteOrNil(v float64) any {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return v
}

func (l *linearModel) Describe() Description { return l.description }

// Trace is the course of the fit, for convergence curves.
func (l *linearModel) Trace() []irls.Step { return l.Steps() }

func (l *linearModel) Predict(ctx context.Context, x *mat.Dense) (*Prediction, error) {
	values, err := l.Model.Predict(ctx, x)
	if err != nil {
		return nil, explainLinear(err, &dataset.Set{Name: "data", X: x, Columns: l.description.ColumnNames})
	}
	return &Prediction{Values: values}, nil
}

// Outliers judges rows by their scaled residual and their leverage.
func (l *linearModel) Outliers(ctx context.Context, data *dataset.Set) (*verdict.Rows, error) {
	y, err := regressionTarget(l.description.Method, data)
	if err != nil {
		return nil, err
	}
	judged, err := l.Judge(ctx, data.X, y)
	if err != nil {
		return nil, explainLinear(err, data)
	}
	return judged, nil
}

// State lists arrays as the model file names them. Coefficients are in units of the data,
// so the scaling is the identity.
func (l *linearModel) State() State {
	parts := l.Parts()
	d := len(parts.Coef)
	arrays := map[string]Array{
		"coef": {Shape: []int{1, d}, Data: parts.Coef}, "intercept": Vector([]float64{parts.Intercept}),
		"weights": Vector(parts.Weights), "objective": objectives(parts.Steps),
	}
	storeScaling(arrays, scaling.Identity(d))
	if parts.Covariance != nil {
		arrays["covariance"] = Matrix(mat.DenseCopyOf(parts.Covariance))
	}
	storeLeverage(arrays, linear.LeverageParts{Columns: parts.LeverageColumns, Centre: parts.LeverageCentre, Whiten: parts.LeverageWhiten})
	return State{
		Description: l.description, Arrays: arrays,
		Extra: map[string]any{
			"loss_at": parts.Loss, "scale": parts.Scale, "zero": parts.Zero, "flag": parts.Flag, "freedom": parts.Freedom,
			"leverage_cutoff": parts.LeverageCutoff, "largest_log_weight": parts.Largest,
		},
	}
}

func restoreLinear(s State) (Model, error) {
	r := s.read()
	coef, intercept := r.matrix("coef"), r.vector("intercept")
	parts := linear.Parts{
		HasIntercept: s.Description.Parameters["intercept"] != "off", Weights: r.vector("weights"), Steps: r.trace(), Loss: r.text("loss_at"),
		Scale: r.number("scale"), Zero: r.number("zero"), Flag: r.number("flag"), Freedom: r.number("freedom"),
		LeverageCutoff: r.number("leverage_cutoff"), Largest: r.number("largest_log_weight"),
	}
	var covariance *mat.Dense
	if r.has("covariance") {
		covariance = r.matrix("covariance")
	}
	far := r.leverage()
	parts.LeverageColumns, parts.LeverageCentre, parts.LeverageWhiten = far.Columns, far.Centre, far.Whiten
	parts.Status = r.status()
	if r.err != nil {
		return nil, r.err
	}
	rows, d := coef.Dims()
	if rows != 1 || len(intercept) != 1 {
		return nil, fmt.Errorf("%d rows of coefficients and %d intercepts; a regression has one", rows, len(intercept))
	}
	if r.scaling(d); r.err != nil {
		return nil, r.err
	}
	parts.Coef, parts.Intercept = mat.Row(nil, 0, coef), intercept[0]
	if covariance != nil {
		n, k := covariance.Dims()
		if n != k {
			return nil, fmt.Errorf("array \"covariance\" of %d x %d is not square", n, k)
		}
		parts.Covariance = mat.NewSymDense(n, mat.DenseCopyOf(covariance).RawMatrix().Data)
	}
	m, err := linear.FromParts(parts)
	if err != nil {
		return nil, err
	}
	return &linearModel{Model: m, description: s.Description}, nil
}

var _ interface {
	Predictor
	Detector
} = (*linearModel)(nil)
