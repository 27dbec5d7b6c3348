package methods

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/dataset/synthetic"
)

func generated(t *testing.T, name string, given map[string]string) *dataset.Set {
	t.Helper()
	g, err := synthetic.Generate(name, given, 3)
	if err != nil {
		t.Fatal(err)
	}
	return g.Set
}

// Machines learn classes when the target has them, and doubt labels that were exchanged.
func TestMachinesClassify(t *testing.T) {
	data := generated(t, "blobs", map[string]string{"n": "150", "label-noise": "0", "separation": "8"})
	labels := data.Target.Labels
	wrong := []int{4, 50, 120}
	for _, i := range wrong {
		labels[i] = (labels[i] + 1) % len(data.Target.Classes)
	}
	for _, name := range []string{"elm", "relm", "elm-rcc", "elm-kmpe", "elm-robust"} {
		m, err := catalog.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, weighting := range []string{"element", "row"} {
			params := map[string]string{"hidden": "15"}
			if _, ok := m.Param("weighting"); ok {
				params["weighting"] = weighting
			}
			model := mustFit(t, m, data, params, catalog.Run{Seed: 1})
			d := model.Describe()
			if d.Task != catalog.Classify || !slices.Equal(d.Classes, data.Target.Classes) || d.Parameters["task"] != "classify" {
				t.Errorf("%s: task %s, classes %v", name, d.Task, d.Classes)
			}
			sameBehaviour(t, model, reloaded(t, m, model), data)
			p, err := model.(catalog.Predictor).Predict(context.Background(), data.X)
			if err != nil {
				t.Fatal(err)
			}
			if r, c := p.Scores.Dims(); r != 150 || c != len(d.Classes) {
				t.Errorf("%s: %d x %d scores", name, r, c)
			}
			o, err := model.(catalog.Detector).Outliers(context.Background(), data)
			if err != nil {
				t.Fatal(err)
			}
			for _, i := range wrong {
				if !o.Outlier[i] || o.Suggested[i] == data.Target.Classes[labels[i]] || o.Residual[i] >= 0 {
					t.Errorf("%s: the wrong label of row %d is believed", name, i+1)
				}
			}
			if d.Outliers != o.Count() || o.Count() > 15 {
				t.Errorf("%s: %d and %d doubtful labels", name, d.Outliers, o.Count())
			}
		}
	}
}

// The arrays of a model file are enough to predict, by the formulas of the documents.
func TestArraysPredict(t *testing.T) {
	data := generated(t, "plane", map[string]string{"n": "80", "d": "3"})
	predicted := func(m catalog.Model) []float64 {
		p, err := m.(catalog.Predictor).Predict(context.Background(), data.X)
		if err != nil {
			t.Fatal(err)
		}
		return p.Values
	}
	for _, scaling := range []string{"none", "minmax", "robust", "standard"} {
		m, _ := catalog.Lookup("elm-kmpe")
		model := mustFit(t, m, data, map[string]string{"hidden": "12", "scaling": scaling}, catalog.Run{Seed: 2})
		a := model.State().Arrays
		if !slices.Equal(a["hidden_weights"].Shape, []int{12, 3}) || !slices.Equal(a["output_weights"].Shape, []int{12, 1}) || !slices.Equal(a["weights"].Shape, []int{80}) {
			t.Errorf("shapes %v %v %v", a["hidden_weights"].Shape, a["output_weights"].Shape, a["weights"].Shape)
		}
		for i, want := range predicted(model) {
			got := 0.0
			for j := range 12 {
				z := a["hidden_bias"].Data[j]
				for k, v := range data.X.RawRowView(i) {
					v = min(max(v, a["input_low"].Data[k]), a["input_high"].Data[k])
					z += a["hidden_weights"].Data[j*3+k] * (v - a["input_offset"].Data[k]) / a["input_scale"].Data[k]
				}
				got += a["output_weights"].Data[j] / (1 + math.Exp(-z))
			}
			if math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
				t.Fatalf("scaling %s, row %d: %g instead of %g", scaling, i+1, got, want)
			}
		}
	}
	m, _ := catalog.Lookup("linear-robust")
	model := mustFit(t, m, data, nil, catalog.Run{Seed: 2})
	a := model.State().Arrays
	for i, want := range predicted(model) {
		got := a["intercept"].Data[0]
		for k, v := range data.X.RawRowView(i) {
			got += a["coef"].Data[k] * (v - a["input_offset"].Data[k]) / a["input_scale"].Data[k]
		}
		if math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
			t.Fatalf("row %d: %g instead of %g", i+1, got, want)
		}
	}
}

// Targets that cannot be learned are refused in one line that names file and column.
func TestBadTargets(t *testing.T) {
	numbers := generated(t, "plane", map[string]string{"n": "60", "d": "3"})
	classes := generated(t, "blobs", map[string]string{"n": "60"})
	with := func(data *dataset.Set, target *dataset.Target) *dataset.Set {
		out := *data
		out.Target = target
		return &out
	}
	hole := slices.Clone(numbers.Target.Values)
	hole[6] = math.NaN()
	for name, c := range map[string]struct {
		methods []string
		params  map[string]string
		data    *dataset.Set
		words   []string
	}{
		"none":      {[]string{"elm-kmpe", "linear-robust"}, nil, with(numbers, nil), []string{"none is named"}},
		"constant":  {[]string{"relm", "linear-robust"}, nil, with(numbers, &dataset.Target{Name: "y", Values: make([]float64, 60)}), []string{`"y"`, "every row"}},
		"missing":   {[]string{"elm", "linear-robust"}, nil, with(numbers, &dataset.Target{Name: "y", Values: hole}), []string{"row 7", `"y"`}},
		"text":      {[]string{"linear-robust"}, nil, classes, []string{"text", classes.Target.Name}},
		"forced":    {[]string{"elm-rcc"}, map[string]string{"task": "regress"}, classes, []string{"text", classes.Target.Name}},
		"numbers":   {[]string{"elm-rcc"}, map[string]string{"task": "classify"}, numbers, []string{"numbers", numbers.Target.Name}},
		"one class": {[]string{"elm-robust"}, nil, with(classes, &dataset.Target{Name: "c", Labels: make([]int, 60), Classes: []string{"a"}}), []string{"one class only"}},
		"too wide":  {[]string{"linear-robust"}, nil, numbers.Subset([]int{0, 1, 2, 3}), []string{"4 rows", "4 coefficients"}},
		"memory":    {[]string{"relm"}, map[string]string{"hidden": "1000000000"}, numbers, []string{"hidden layer", "memory"}},
		"range":     {[]string{"elm"}, map[string]string{"weight-low": "2"}, numbers, []string{"weight-low"}},
		"no inputs": {[]string{"elm-kmpe", "linear-robust"}, nil, with(&dataset.Set{Name: "holes", X: holes(60, 3), Columns: []string{"a", "b", "c"}}, numbers.Target), []string{"row 2", `"c"`, "missing"}},
	} {
		for _, method := range c.methods {
			m, err := catalog.Lookup(method)
			if err != nil {
				t.Fatal(err)
			}
			_, err = m.Fit(context.Background(), c.data.Source(), c.params, catalog.Run{})
			var usage *catalog.UsageError
			if !errors.As(err, &usage) || strings.Contains(usage.Problem, "\n") {
				t.Errorf("%s, %s: %v", method, name, err)
				continue
			}
			for _, w := range c.words {
				if !strings.Contains(usage.Problem, w) {
					t.Errorf("%s, %s: %q does not say %q", method, name, usage.Problem, w)
				}
			}
		}
	}
}

func holes(n, d int) *mat.Dense {
	x := mat.NewDense(n, d, nil)
	x.Apply(func(i, j int, _ float64) float64 { return float64((i*7+j*3)%11) + float64(i)/10 }, x)
	x.Set(1, 2, math.NaN())
	return x
}

// The outliers that the literature documents, by the defaults of linear-robust.
func TestDocumentedOutliers(t *testing.T) {
	folder := os.Getenv("INLIER_DATA")
	if folder == "" {
		t.Skip("INLIER_DATA is not set: no real data")
	}
	m, err := catalog.Lookup("linear-robust")
	if err != nil {
		t.Fatal(err)
	}
	for table, want := range map[string][]int{
		"hbk": {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, "stackloss": {4, 21}, "stars_cyg": {11, 20, 30, 34}, "telef": {15, 16, 17, 18, 19, 20, 21},
	} {
		data, err := file.Read(context.Background(), filepath.Join(folder, "outliers", table+".csv"), file.Options{Target: "target", Task: dataset.TaskRegression})
		if err != nil {
			t.Fatal(err)
		}
		model := mustFit(t, m, data, nil, catalog.Run{Seed: 1})
		o, err := model.(catalog.Detector).Outliers(context.Background(), data)
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for i, flag := range o.Outlier {
			if flag {
				got = append(got, i+1)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: rows %v instead of %v", table, got, want)
		}
	}
}
