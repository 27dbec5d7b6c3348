package plot

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/judge"
	"github.com/inlier-ml/inlier/report"
)

func function() Kind {
	return Kind{
		Name: "function", Needs: Needs{Subject: OfModels, Several: true, Data: true, Truth: true},
		Shows:   "the functions that models have learned, over the rows",
		Of:      "regressions on a single column",
		Example: Example{Of: "relm.npz robust.npz sinc.csv", With: [][2]string{{"target", "y"}}, Out: "functions.svg"},
		fits:    func(m *fitted) bool { return m.about.Task == catalog.Regress && m.about.Columns == 1 },
		draw:    drawFunctions,
	}
}

// functionLine is one function in numbers.
type functionLine struct {
	Model   string                   `json:"model"`
	X       []report.Number          `json:"x"`
	Y       []report.Number          `json:"y"`
	Metrics map[string]report.Number `json:"metrics"`
}

func drawFunctions(ctx context.Context, j *job) (*Drawing, error) {
	set := j.data
	if set.Target == nil || set.Target.Values == nil {
		return nil, usage("target", "--target names a column of numbers", "%s has no numbers to draw the functions over", set.Name)
	}
	var curves []report.Series
	var lines []functionLine
	t := &report.Table{Columns: []report.Column{{Name: "model"}, {Name: "rmse", Format: "%.4g", Best: report.Lowest}, {Name: "median_ae", Format: "%.4g", Best: report.Lowest}},
		Notes: []string{"rmse, median_ae: root mean squared and median absolute error on these rows."}}
	for _, m := range j.models {
		s, err := Function(ctx, m.Model.(catalog.Predictor), m.label, set)
		if err != nil {
			return nil, err
		}
		metrics, err := judge.Measure(ctx, m.Model, set)
		if err != nil {
			return nil, err
		}
		values := map[string]report.Number{}
		for _, x := range metrics {
			values[x.Name] = x.Value
		}
		curves, lines = append(curves, s), append(lines, functionLine{m.label, report.Numbers(s.X), report.Numbers(s.Y), values})
		t.Add(m.label, float64(values["rmse"]), float64(values["median_ae"]))
	}
	title := "Functions learned from " + set.Columns[0]
	return &Drawing{Title: title, Table: t, Result: lines,
		Sections: []Section{{"What the models predict over the range of the only column. Rows far above or below are outside the picture.", Functions(title, "rows", set, curves...)}}}, nil
}

// ownFunction is what a regression on a single column has learned.
func ownFunction(ctx context.Context, a *answers) ([]Section, error) {
	if a.set.Dim() != 1 {
		return nil, nil
	}
	s, err := Function(ctx, a.model, a.about.Method, a.set)
	if err != nil {
		return nil, err
	}
	return []Section{{"What the model predicts over the range of the only column. Rows far above or below are outside the picture.",
		Functions("Learned function", "rows", a.set, s)}}, nil
}

// Function evaluates a model on a fine grid over the range of the only column of a table.
func Function(ctx context.Context, p catalog.Predictor, name string, set *dataset.Set) (report.Series, error) {
	ctx = given.Context(ctx)
	const points = 400
	low, high := report.Range(mat.Col(nil, 0, set.X))
	grid := mat.NewDense(points, 1, nil)
	for i := range points {
		grid.Set(i, 0, low+(high-low)*float64(i)/(points-1))
	}
	made, err := p.Predict(ctx, grid)
	if err != nil {
		return report.Series{}, err
	}
	return report.Series{Name: name, X: mat.Col(nil, 0, grid), Y: made.Values}, nil
}

// Functions draws functions over the rows that they were learned from, or measured on.
// Rows far above or below the others are outside the picture.
func Functions(title, rows string, set *dataset.Set, curves ...report.Series) *report.Chart {
	low, high := bulk(slices.Sorted(slices.Values(set.Target.Values)))
	return report.Curve(title, report.Axis{Label: set.Columns[0]}, report.Axis{Label: set.Target.Name, Min: low, Max: high},
		report.Series{Name: rows, X: mat.Col(nil, 0, set.X), Y: set.Target.Values}, curves...)
}

// bulk is the range of sorted values without the wild ones: the quartiles widened by
// three times their distance, or all where that is less. Equal ends mean no limits.
func bulk(sorted []float64) (low, high float64) {
	n := len(sorted)
	if n == 0 {
		return 0, 0
	}
	q1, q3 := sorted[n/4], sorted[3*n/4]
	reach := 3 * (q3 - q1)
	low, high = math.Max(sorted[0], q1-reach), math.Min(sorted[n-1], q3+reach)
	margin := 0.05 * (high - low)
	return low - margin, high + margin
}
