package catalog

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/classify"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/scaling"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/kernel"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/verdict"
)

// classifyParams are shared by all machines of the family.
var classifyParams = []Param{
	{Name: "kernel", Kind: Choice, Default: "linear", Choices: []string{"linear", "rbf"}, Meaning: "scores are linear in the columns, or in the RBF kernel exp(-gamma |x-y|^2) with training rows"},
	{Name: "gamma", Kind: Number, Default: "auto", Min: 0, Open: true, Choices: []string{"auto"}, Meaning: "inverse width of the rbf kernel; auto: one over the median squared distance of the scaled rows"},
	{Name: "lambda", Kind: Number, Default: "0.01", Min: 0, Open: true, Meaning: "penalty on the squared norm of the coefficients, beside the mean loss; the intercept is free"},
	{Name: "class-weights", Kind: Choice, Default: "none", Choices: []string{"none", "balanced"}, Meaning: "none: every row counts once; balanced: every class counts the same"},
	scalingParam(scaling.Standard),
	{Name: "clip", Kind: Number, Default: "off", Min: 0, Open: true, Choices: []string{"auto", "off"}, Meaning: "pull values in to the column's median plus or minus so many 1.4826 MAD; auto: 3, wider where a column is skewed or has several groups"},
	{Name: "approximation", Kind: Choice, Default: "auto", Choices: []string{"auto", "exact", "nystrom", "fourier"}, Meaning: "how the rbf kernel is computed; auto: exactly up to 3000 rows, nystrom beyond"},
	{Name: "features", Kind: Integer, Default: "500", Min: 1, Max: 100000, Meaning: "landmarks of nystrom or random features of fourier"},
	{Name: "calibration", Kind: Choice, Default: "auto", Choices: []string{"auto", "folds", "holdout", "off"}, Meaning: "where the sigmoids that turn scores into probabilities are learned: three-fold cross-validation, one fifth held out, or not at all; auto: folds up to 5000 rows; logistic needs none"},
	{Name: "max-steps", Kind: Integer, Default: "auto", Min: 1, Max: 1e6, Choices: []string{"auto"}, Meaning: "most reweightings, Newton steps, or passes over the rows; auto: 100, for hinge 1000"},
	{Name: "tol", Kind: Number, Default: "1e-06", Min: 0, Max: 1, Open: true, Meaning: "stop when the objective or the coefficients change by less"},
}

// classifier is what every configuration of the family can do.
type classifier interface {
	Fit(ctx context.Context, x *mat.Dense, labels []int, classes int) (*classify.Model, error)
}

func init() {
	registerClassify(&Method{
		Name: "square", Title: "least-squares classifier", Paper: "Rifkin, Yeo, Poggio: Regularized least-squares classification",
		About:  "One score per class, fitted to +1 on its rows and -1 on others by ridge regression. Fast, closed form; wrong labels pull it, each a little.",
		Params: classifyParams,
	}, func(v Values, o classify.Options) classifier { return classify.Square{Options: o} })
	registerClassify(&Method{
		Name: "hinge", Title: "support vector machine", Paper: "Cortes, Vapnik: Support-vector networks",
		About:  "One against all with the hinge loss: rows on the right side of the margin have no say, rows with wrong labels a bounded pull each.",
		Params: classifyParams,
	}, func(v Values, o classify.Options) classifier { return classify.Hinge{Options: o} })
	registerClassify(&Method{
		Name: "logistic", Title: "logistic regression", Paper: "Cox: The regression analysis of binary sequences",
		About:  "One against all with the logistic loss. Its scores are log-odds, so that probabilities need no calibration.",
		Params: classifyParams,
	}, func(v Values, o classify.Options) classifier { return classify.Logistic{Options: o} })
	own := []Param{
		{Name: "variant", Kind: Choice, Default: "row", Choices: []string{"row", "element", "paper"}, Meaning: "one weight per row with a one-sided margin, one per row and class (eq. 8), or the paper's Algorithm 1 as printed"},
		{Name: "sigma", Kind: Number, Default: "auto", Min: loss.MinScale, Max: loss.MaxScale, Choices: []string{"auto", "paper", "cv"}, Meaning: "bandwidth in units of the targets +1 and -1; auto: 1.5, with variant=paper the paper's rule; cv: from 1, 1.5, 2, 3 by cross-validation"},
		{Name: "anneal", Kind: Number, Default: "4", Min: 1, Max: 1e6, Meaning: "factor by which the bandwidth is too wide at first; 1: no annealing"},
		{Name: "margin", Kind: Choice, Default: "auto", Choices: []string{"auto", "one-sided", "two-sided"}, Meaning: "whether scores beyond their target are charged; auto: not with variant=row; the other variants are two-sided"},
		{Name: "penalty", Kind: Choice, Default: "auto", Choices: []string{"auto", "function", "coefficients"}, Meaning: "what lambda punishes in a kernel machine: the norm of the function, or the coefficients as in eq. 7; auto: coefficients with variant=paper"},
	}
	registerClassify(&Method{
		Name: "regmaxcem", Title: "regularised maximum correntropy machine", Paper: "Wang, Wang, Jing, Gao: Regularized maximum correntropy machine",
		About:  "Reweighted least squares with Gaussian weights of how far a row's scores miss their targets: rows whose label the others contradict lose their vote. For data with wrong labels; inlier outliers lists them.",
		Params: append(own, clippedByDefault(classifyParams)...),
	}, func(v Values, o classify.Options) classifier {
		m := classify.RegMaxCEM{Options: o, Variant: classify.Variant(v.Text("variant")), Sigma: v.Float("sigma"), Anneal: v.Float("anneal"), TwoSided: v.Is("margin", "two-sided")}
		if m.Sigma == 0 {
			m.Rule = classify.SigmaRule(v.Text("sigma"))
		}
		if m.Penalty = classify.Penalty(v.Text("penalty")); v.Is("penalty", "auto") {
			if m.Penalty = classify.OnFunction; m.Variant == classify.AsPrinted {
				m.Penalty = classify.OnCoefficients
			}
		}
		return m
	})
}

// clippedByDefault are parameters of a machine that far inputs must not spoil.
func clippedByDefault(params []Param) []Param {
	out := slices.Clone(params)
	for i := range out {
		if out[i].Name == "clip" {
			out[i].Default = "auto"
		}
	}
	return out
}

// registerClassify completes an entry of the family and adds it to the table.
func registerClassify(m *Method, make func(v Values, o classify.Options) classifier) {
	m.Family, m.Tasks, m.Restore = "classify", []Task{Classify}, restoreClassify
	m.Build = func(v Values) (Fitter, error) {
		if v.Is("margin", "one-sided") && !v.Is("variant", "row") {
			return nil, &UsageError{Problem: "margin=one-sided belongs to variant=row", Hint: "leave margin or variant out"}
		}
		o := classify.Options{
			Kernel: kernel.Kernel{Kind: kernel.Kind(v.Text("kernel")), Gamma: v.Float("gamma")}, Lambda: v.Float("lambda"),
			ClassWeights: classify.ClassWeights(v.Text("class-weights")), Scale: classify.Scale(v.Text("scaling")), Clip: v.Float("clip"),
			Approximation: classify.Approximation(v.Text("approximation")), Features: v.Int("features"), Calibration: classify.Calibration(v.Text("calibration")),
			MaxSteps: v.Int("max-steps"), Tol: v.Float("tol"),
		}
		switch {
		case v.Is("clip", "auto"):
			o.Clip = -3
		case v.Is("clip", "off"):
			o.Clip = math.Inf(1)
		}
		if v.Is("kernel", "linear") {
			o.Kernel.Gamma = 0
		}
		return FitterFunc(func(ctx context.Context, data *dataset.Set, run Run) (Model, error) {
			if err := checkClasses(data); err != nil {
				return nil, err
			}
			o := o
			o.Seed, o.Weights, o.OnStep = run.Seed, run.Weights, run.OnStep
			fitted, err := make(v, o).Fit(ctx, data.X, data.Target.Labels, len(data.Target.Classes))
			if err != nil {
				return nil, explainClassify(err, data)
			}
			c := &classifyModel{Model: fitted}
			if err := c.describe(context.WithoutCancel(ctx), m, v, data, run); err != nil {
				return nil, explainClassify(err, data)
			}
			return c, nil
		}), nil
	}
	registerLearner(m)
}

// checkClasses tells what is wrong with a target that cannot be classified by.
func checkClasses(data *dataset.Set) error {
	t := data.Target
	switch {
	case t == nil:
		return &UsageError{Problem: data.Name + ": a classifier needs a target", Hint: "--target names the column with the classes"}
	case t.Labels == nil:
		return &UsageError{Problem: fmt.Sprintf("%s: target %q holds numbers that are not classes", data.Name, t.Name), Hint: "a regression method such as linear-robust predicts numbers"}
	}
	count := map[int]int{}
	for _, l := range t.Labels {
		count[l]++
	}
	if len(count) < 2 {
		name := ""
		for l := range count {
			name = t.Classes[l]
		}
		return &UsageError{Problem: fmt.Sprintf("%s: target %q has one class only, %q", data.Name, t.Name, name), Hint: "a classifier needs rows of at least two classes"}
	}
	return nil
}

// explainClassify puts names of files and columns into errors that are the user's to mend.
func explainClassify(err error, data *dataset.Set) error {
	var missing *classify.MissingError
	switch {
	case errors.As(err, &missing):
		return missingCell(data, missing.Row, missing.Column, missing.Value, "fill or remove such rows first")
	}
	return refusal(err, data.Name)
}

// classifyModel is a trained machine with its description.
type classifyModel struct {
	*classify.Model
	description Description
}

func (c *classifyModel) describe(ctx context.Context, m *Method, v Values, data *dataset.Set, run Run) error {
	parts := c.Parts()
	used := map[string]string{}
	for k, t := range v {
		used[k] = t
	}
	trained, err := kernel.Parse(parts.Kernel)
	if err != nil {
		return err
	}
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	if trained.Kind != kernel.Linear {
		used["gamma"], used["approximation"] = number(trained.Gamma), string(parts.Approximation)
	}
	if scale := c.Scale(); scale > 0 {
		used["sigma"] = number(scale)
	}
	if used["penalty"] == "auto" {
		if used["penalty"] = "function"; v.Is("variant", "paper") {
			used["penalty"] = "coefficients"
		}
	}
	judged, err := c.Judge(ctx, data.X, data.Target.Labels)
	if err != nil {
		return err
	}
	right := 0
	for i, l := range judged.Label {
		if l == data.Target.Labels[i] {
			right++
		}
	}
	n, columns := data.X.Dims()
	classes, features := parts.Coef.Dims()
	numbers := map[string]any{
		"classes": classes, "features": features, "kernel": parts.Kernel, "probabilities": c.Probabilistic(),
		"training_accuracy": float64(right) / float64(n), "doubtful_labels": judged.CountKind(verdict.DoubtfulLabel), "far_from_all_classes": judged.CountKind(verdict.FarFromAll),
	}
	if trained.Kind != kernel.Linear {
		numbers["approximation"] = string(parts.Approximation)
	}
	c.description = Description{
		Method: m.Name, Family: m.Family, Task: Classify, Rows: n, Columns: columns, Parameters: used, Loss: parts.Loss,
		Status: parts.Status.String(), Seed: run.Seed, ColumnNames: data.Columns, Target: data.Target.Name, Classes: data.Target.Classes, Shape: data.Shape,
		Warnings: append(c.named(data.Target.Classes), leftOut(c.LeftOut(), data)...), Outliers: judged.Count(), Effective: c.Effective(), Numbers: numbers,
	}
	c.description.endedWith(parts.Steps)
	return nil
}

// named is the list of warnings with classes by name.
func (c *classifyModel) named(classes []string) []string {
	var out []string
	for _, w := range c.Warnings() {
		text := w.Text
		if w.Class >= 0 {
			text = fmt.Sprintf("class %q %s", classes[w.Class], text)
		}
		out = append(out, text)
	}
	return out
}

// suggestNames names the classes that the model would give.
func suggestNames(judged *verdict.Rows, classes []string) {
	judged.Suggested = make([]string, len(judged.Label))
	for i, l := range judged.Label {
		judged.Suggested[i] = classes[l]
	}
}

func (c *classifyModel) Describe() Description { return c.description }

// Trace is the steps of the fit, for convergence curves.
func (c *classifyModel) Trace() []irls.Step { return c.Parts().Steps }

// Predict classifies rows.
func (c *classifyModel) Predict(ctx context.Context, x *mat.Dense) (*Prediction, error) {
	p, err := c.Model.Predict(ctx, x)
	if err != nil {
		return nil, c.explain(err)
	}
	return &Prediction{Labels: p.Labels, Scores: p.Scores, Probabilities: p.Probabilities}, nil
}

// explain names the column in errors about rows to judge.
func (c *classifyModel) explain(err error) error {
	return explainClassify(err, &dataset.Set{Name: "data", Columns: c.description.ColumnNames})
}

// Outliers lists rows whose label the model does not believe, with the label it would
// give, and rows that no class claims. Data without a target are judged by the latter alone.
func (c *classifyModel) Outliers(ctx context.Context, data *dataset.Set) (*verdict.Rows, error) {
	var labels []int
	if data.Target != nil {
		target := *data.Target
		if err := target.Match(c.description.Classes); err != nil {
			return nil, &UsageError{Problem: data.Name + ": " + err.Error(), Hint: "the model's classes are " + join(c.description.Classes)}
		}
		labels = target.Labels
	}
	judged, err := c.Judge(ctx, data.X, labels)
	if err != nil {
		return nil, explainClassify(err, data)
	}
	suggestNames(judged, c.description.Classes)
	return judged, nil
}

// State lists arrays as the model file names them.
func (c *classifyModel) State() State {
	p := c.Parts()
	weights := Vector(p.Weights)
	if p.PerElement {
		weights.Shape = []int{len(p.Weights) / len(p.Intercept), len(p.Intercept)}
	}
	s := State{
		Description: c.description,
		Arrays: map[string]Array{
			"coef": Matrix(p.Coef), "intercept": Vector(p.Intercept), "weights": weights, "objective": objectives(p.Steps),
		},
		Extra: map[string]any{"kernel": p.Kernel, "approximation": string(p.Approximation), "loss_at": p.Loss, "best_cutoff": p.BestCutoff},
	}
	storeScaling(s.Arrays, p.Scaling)
	if p.Support != nil {
		s.Arrays["support"] = Matrix(p.Support)
	}
	if p.Frequencies != nil {
		s.Arrays["frequencies"] = Matrix(p.Frequencies)
	}
	if p.Sigmoids != nil {
		slope, shift := make([]float64, len(p.Sigmoids)), make([]float64, len(p.Sigmoids))
		for l, g := range p.Sigmoids {
			slope[l], shift[l] = g.Slope, g.Shift
		}
		s.Arrays["sigmoid_slope"], s.Arrays["sigmoid_shift"] = Vector(slope), Vector(shift)
	}
	return s
}

func restoreClassify(s State) (Model, error) {
	r := s.read()
	p := classify.Parts{
		Method: s.Description.Method, Own: s.Description.Method == "logistic", Coef: r.matrix("coef"), Intercept: r.vector("intercept"), Steps: r.trace(),
		Kernel: r.text("kernel"), Approximation: classify.Approximation(r.text("approximation")), Loss: r.text("loss_at"), BestCutoff: r.number("best_cutoff"),
	}
	p.Scaling = r.scaling(len(s.Arrays["input_offset"].Data))
	if r.has("sigmoid_slope") {
		slope, shift := r.vector("sigmoid_slope"), r.vector("sigmoid_shift")
		if r.err != nil {
			return nil, r.err
		}
		if len(slope) != len(shift) {
			return nil, fmt.Errorf("%d slopes and %d shifts of sigmoids", len(slope), len(shift))
		}
		for l := range slope {
			p.Sigmoids = append(p.Sigmoids, classify.Sigmoid{Slope: slope[l], Shift: shift[l]})
		}
	}
	if r.has("support") {
		p.Support = r.matrix("support")
	}
	if r.has("frequencies") {
		p.Frequencies = r.matrix("frequencies")
	}
	weights := s.Arrays["weights"]
	if p.Weights, p.PerElement = weights.Data, len(weights.Shape) == 2; !p.PerElement {
		p.Weights = r.vector("weights")
	}
	p.Status = r.status()
	if r.err != nil {
		return nil, r.err
	}
	if len(s.Description.Classes) != len(p.Intercept) {
		return nil, fmt.Errorf("%d class names for %d classes", len(s.Description.Classes), len(p.Intercept))
	}
	m, err := classify.FromParts(p)
	if err != nil {
		return nil, err
	}
	return &classifyModel{Model: m, description: s.Description}, nil
}

var _ interface {
	Predictor
	Detector
} = (*classifyModel)(nil)
