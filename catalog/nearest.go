package catalog

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/nearest"
	"github.com/inlier-ml/inlier/verdict"
)

func init() {
	registerLearner(&Method{
		Name: "nearest-center", Family: "chain", Tasks: []Task{Classify}, Title: "the class whose center is nearest",
		Paper: "Zhang, Gao, Sun, Blumenstein: Robust tensor decomposition for image representation based on generalized correntropy, Algorithm 2",
		About: "One center for each class, in which outliers do not count; usually after a reduction (reduce=corr-2dsvd). Says which training labels look wrong.",
		Params: []Param{
			{Name: "weights", Kind: Choice, Default: "auto", Choices: []string{"auto", "reduce", "class", "none"}, Meaning: "votes of rows in the center of their class; reduce: those of the reduction, eq. (29) of the corr-tensor paper; class: by the distance from the center; auto: reduce where there is one, else class"},
			{Name: "alpha", Kind: Number, Default: "2", Min: 0, Max: 100, Open: true, Meaning: "exponent of the generalised correntropy, for weights=class and distance=correntropy"},
			{Name: "beta", Kind: Number, Default: "auto", Min: loss.MinScale, Max: loss.MaxScale, Choices: []string{"auto"}, Meaning: "its bandwidth; auto: from the median distance of rows from their center"},
			{Name: "distance", Kind: Choice, Default: "frobenius", Choices: []string{"frobenius", "correntropy", "spectral"}, Meaning: "how scores are measured; correntropy: eq. (30), which ranks classes as the Frobenius norm does; spectral: the largest singular value, for images or their cores"},
		},
		Build: func(v Values) (Fitter, error) { return centerFitter{v}, nil }, Restore: restoreCenters,
	})
}

// centerFitter fits class centers.
type centerFitter struct{ values Values }

// Fit fits on rows as they are.
func (f centerFitter) Fit(ctx context.Context, data *dataset.Set, run Run) (Model, error) {
	return f.FitReduced(ctx, data, nil, run)
}

// FitReduced fits on reduced rows; weights are those of eq. (29).
func (f centerFitter) FitReduced(ctx context.Context, data *dataset.Set, weights []float64, run Run) (Model, error) {
	v := f.values
	labels, classes, err := presentClasses("nearest-center", data)
	if err != nil {
		return nil, err
	}
	if err := refuseMissing(data); err != nil {
		return nil, err
	}
	spec, err := correntropyLoss(v)
	if err != nil {
		return nil, err
	}
	config := nearest.Centers{Weights: run.Weights, Counts: run.Weights}
	how := v.Text("weights")
	switch how {
	case "auto":
		how = "reduce"
		if weights == nil {
			how = "class"
		}
	case "reduce":
		if weights == nil {
			return nil, &UsageError{Problem: "weights=reduce needs a reduction that weighs rows", Hint: "name one by reduce, such as reduce=pca-robust, or use weights=class"}
		}
	}
	switch how {
	case "reduce":
		config.Weights = product(weights, run.Weights)
	case "class":
		config.Loss = spec
	}
	if v.Is("distance", "spectral") {
		if len(data.Shape) != 2 {
			return nil, &UsageError{Problem: "distance=spectral is for rows that are images or cores of a 2-D reduction", Hint: "name one by reduce, such as reduce=corr-2dsvd, or use distance=frobenius"}
		}
		config.Shape = data.Shape
	}
	fitted, err := config.Fit(ctx, data.X, labels, len(classes))
	if err != nil {
		return nil, explainNearest(err, data, classes)
	}
	distance, err := fitted.Distances(ctx, data.X)
	if err != nil {
		return nil, err
	}
	judged, err := fitted.Judge(ctx, data.X, labels)
	if err != nil {
		return nil, err
	}
	m := &centerModel{CenterModel: fitted, beta: fitted.Scale(), alpha: v.Float("alpha"), similar: v.Is("distance", "correntropy")}
	if m.beta == 0 { // no loss was fitted: from the distances to the own centers
		squared := make([]float64, len(labels))
		for i, k := range labels {
			squared[i] = distance.At(i, k) * distance.At(i, k)
		}
		m.beta = spec.Bandwidth(squared, run.Weights, loss.KappaSubspace)
	}
	m.description = describeNearest("nearest-center", v, data, run, classes, judged)
	d := &m.description
	d.Parameters["weights"], d.Parameters["beta"] = how, strconv.FormatFloat(m.beta, 'g', -1, 64)
	d.Objective, d.Effective = fitted.Objective(), loss.EffectiveSampleSize(fitted.Weights())
	return m, nil
}

// correntropyLoss is the generalised correntropy with the given alpha and beta.
func correntropyLoss(v Values) (loss.Spec, error) {
	spec, err := loss.Parse("gcorr:alpha=" + v.Text("alpha") + ",beta=" + v.Text("beta"))
	if err != nil {
		return spec, &UsageError{Problem: err.Error(), Hint: "inlier losses gcorr tells the ranges of alpha and beta"}
	}
	return spec, nil
}

// product multiplies weights entry by entry; nil stands for ones.
func product(a, b []float64) []float64 {
	if b == nil {
		return a
	}
	out := make([]float64, len(a))
	for i, v := range a {
		out[i] = v * b[i]
	}
	return out
}

// presentClasses returns the classes of the rows, numbered without classes that do not occur.
func presentClasses(method string, data *dataset.Set) (labels []int, classes []string, err error) {
	t := data.Target
	if t == nil {
		return nil, nil, &UsageError{Problem: fmt.Sprintf("%s: method %s learns classes; there is no target", data.Name, method), Hint: "--target names the column with the classes"}
	}
	if t.Labels == nil {
		return nil, nil, &UsageError{Problem: fmt.Sprintf("%s: target %q holds numbers, not classes", data.Name, t.Name), Hint: "--task class takes every different number for a class"}
	}
	number := make([]int, len(t.Classes))
	for i, k := range t.Labels {
		if k < 0 || k >= len(number) {
			return nil, nil, &UsageError{Problem: fmt.Sprintf("%s: row %d: target %q is missing", data.Name, i+1, t.Name), Hint: "remove the row or fill in the class"}
		}
		number[k] = 1
	}
	for k, there := range number {
		number[k] = len(classes)
		if there == 1 {
			classes = append(classes, t.Classes[k])
		}
	}
	if len(classes) < 2 {
		return nil, nil, &UsageError{Problem: fmt.Sprintf("%s: target %q has one class only; there is nothing to tell apart", data.Name, t.Name)}
	}
	labels = make([]int, len(t.Labels))
	for i, k := range t.Labels {
		labels[i] = number[k]
	}
	return labels, classes, nil
}

// refuseMissing names the first number that is missing or infinite.
func refuseMissing(data *dataset.Set) error {
	n, _ := data.X.Dims()
	for i := range n {
		for j, v := range data.X.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return missingCell(data, i+1, j+1, v, "every row needs all its numbers")
			}
		}
	}
	return nil
}

// explainNearest puts the names of classes into errors.
func explainNearest(err error, data *dataset.Set, classes []string) error {
	var class *nearest.ClassError
	var usage *UsageError
	switch {
	case errors.As(err, &usage):
		return err
	case errors.As(err, &class):
		return &UsageError{Problem: fmt.Sprintf("%s: class %q %s", data.Name, classes[class.Class], class.Problem)}
	}
	return refusal(err, data.Name)
}

// describeNearest fills in what both classifiers report.
func describeNearest(method string, v Values, data *dataset.Set, run Run, classes []string, judged *verdict.Rows) Description {
	used := Parameters{}
	for name, text := range v {
		used[name] = text
	}
	d := Description{
		Method: method, Family: "chain", Task: Classify, Rows: data.Rows(), Columns: data.Dim(), Parameters: used,
		Status: irls.Converged.String(), Seed: run.Seed, Effective: float64(data.Rows()),
		ColumnNames: data.Columns, Shape: data.Shape, Target: data.Target.Name, Classes: classes,
	}
	right := 0
	given := givenLabels(data, classes)
	for i, k := range judged.Label {
		if k == given[i] {
			right++
		}
	}
	d.Outliers = judged.Count()
	d.Numbers = map[string]any{"training_accuracy": float64(right) / float64(len(judged.Label)), "mislabelled": judged.CountKind(verdict.Mislabeled)}
	return d
}

// givenLabels are the classes that rows came with, as the model numbers them; -1 where a
// row has none or one that the model does not know. nil when there is no target.
func givenLabels(data *dataset.Set, classes []string) []int {
	t := data.Target
	if t == nil || t.Labels == nil {
		return nil
	}
	number := map[string]int{}
	for k, name := range classes {
		number[name] = k
	}
	out := make([]int, len(t.Labels))
	for i, k := range t.Labels {
		out[i] = -1
		if k < 0 || k >= len(t.Classes) {
			continue
		}
		if at, known := number[t.Classes[k]]; known {
			out[i] = at
		}
	}
	return out
}

// nearestOutliers is the verdict on rows by their distances from the classes.
func nearestOutliers(ctx context.Context, m labelJudge, data *dataset.Set, classes []string) (*verdict.Rows, error) {
	judged, err := m.Judge(ctx, data.X, givenLabels(data, classes))
	if err != nil {
		return nil, refusal(err, "")
	}
	suggestNames(judged, classes)
	return judged, nil
}

// labelJudge judges rows beside the labels they came with.
type labelJudge interface {
	Judge(ctx context.Context, x *mat.Dense, given []int) (*verdict.Rows, error)
}

// centerModel is a fitted nearest-center classifier with its description.
type centerModel struct {
	*nearest.CenterModel
	alpha, beta float64
	similar     bool // scores are similarities of eq. (30), not negative distances
	description Description
}

func (m *centerModel) Describe() Description { return m.description }

// Predict gives the nearest class; scores are negative distances, or similarities between
// 0 and 1.
func (m *centerModel) Predict(ctx context.Context, x *mat.Dense) (*Prediction, error) {
	distance, err := m.Distances(ctx, x)
	if err != nil {
		return nil, refusal(err, "")
	}
	labels := nearest.Closest(distance)
	distance.Apply(func(_, _ int, d float64) float64 {
		if m.similar {
			return math.Exp(-math.Pow(d/m.beta, m.alpha))
		}
		return -d
	}, distance)
	return &Prediction{Labels: labels, Scores: distance}, nil
}

// Outliers judges rows by their distance from the class they came with, or else the
// nearest one.
func (m *centerModel) Outliers(ctx context.Context, data *dataset.Set) (*verdict.Rows, error) {
	return nearestOutliers(ctx, m, data, m.description.Classes)
}

func (m *centerModel) State() State {
	shape := []any{}
	for _, n := range m.Shape() {
		shape = append(shape, float64(n))
	}
	return State{
		Description: m.description,
		Arrays:      map[string]Array{"centers": Matrix(m.Centers()), "cutoffs": Vector(m.Cutoffs()), "weights": Vector(m.Weights())},
		Extra:       map[string]any{"alpha": m.alpha, "beta": m.beta, "similar": m.similar, "core_shape": shape},
	}
}

func restoreCenters(s State) (Model, error) {
	r := s.read()
	centers, cutoffs, weights := r.matrix("centers"), r.vector("cutoffs"), r.vector("weights")
	m := &centerModel{description: s.Description, alpha: r.number("alpha"), beta: r.number("beta")}
	if r.err != nil {
		return nil, r.err
	}
	var shape []int
	list, _ := s.Extra["core_shape"].([]any)
	for _, v := range list {
		n, ok := v.(float64)
		if !ok {
			return nil, errors.New("core_shape is not a list of numbers in the model's description")
		}
		shape = append(shape, int(n))
	}
	if k, _ := centers.Dims(); k != len(s.Description.Classes) {
		return nil, fmt.Errorf("%d centers for %d classes", k, len(s.Description.Classes))
	}
	var err error
	if m.CenterModel, err = nearest.Restore(centers, cutoffs, weights, shape); err != nil {
		return nil, err
	}
	m.similar, _ = s.Extra["similar"].(bool)
	return m, nil
}

var _ interface {
	Predictor
	Detector
} = (*centerModel)(nil)
