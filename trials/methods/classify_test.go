package methods

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/corrupt"
	"github.com/inlier-ml/inlier/dataset/synthetic"
)

var classifiers = []string{"square", "hinge", "logistic", "regmaxcem"}

// blobs is a small set of three classes.
func blobs(t *testing.T, n string) *dataset.Set {
	t.Helper()
	g, err := synthetic.Generate("blobs", map[string]string{"n": n, "label-noise": "0", "separation": "6"}, 1)
	if err != nil {
		t.Fatal(err)
	}
	return g.Set
}

func lookup(t *testing.T, name string) *catalog.Method {
	t.Helper()
	m, err := catalog.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Every setting that changes what a model file holds comes back from it.
func TestClassifiersRestore(t *testing.T) {
	data := blobs(t, "90")
	settings := []map[string]string{
		{"kernel": "rbf"}, {"kernel": "rbf", "approximation": "nystrom", "features": "20"}, {"kernel": "rbf", "approximation": "fourier", "features": "40"},
		{"clip": "3", "scaling": "robust"}, {"clip": "auto", "class-weights": "balanced"}, {"calibration": "off"}, {"calibration": "holdout", "scaling": "minmax"},
	}
	own := []map[string]string{{"variant": "element"}, {"variant": "paper", "kernel": "rbf"}, {"sigma": "cv"}, {"sigma": "2", "margin": "two-sided"}, {"sigma": "paper", "variant": "element"}}
	for _, name := range classifiers {
		m := lookup(t, name)
		all := settings
		if name == "regmaxcem" {
			all = append(slices.Clone(settings), own...)
		}
		for _, params := range all {
			a := mustFit(t, m, data, params, catalog.Run{Seed: 3})
			b, err := m.Restore(a.State())
			if err != nil {
				t.Fatalf("%s %v: %v", name, params, err)
			}
			sameBehaviour(t, a, b, data)
			x, err := a.(catalog.Predictor).Predict(context.Background(), data.X)
			if err != nil {
				t.Fatal(err)
			}
			y, err := b.(catalog.Predictor).Predict(context.Background(), data.X)
			if err != nil {
				t.Fatal(err)
			}
			if !mat.EqualApprox(x.Scores, y.Scores, 1e-12) || (x.Probabilities == nil) != (y.Probabilities == nil) {
				t.Errorf("%s %v: the restored model scores differently", name, params)
			}
			if (x.Probabilities == nil) != (params["calibration"] == "off" && name != "logistic") {
				t.Errorf("%s %v: probabilities %v", name, params, x.Probabilities != nil)
			}
			if shape := a.State().Arrays["weights"].Shape; (params["variant"] == "" && len(shape) != 1) || (params["variant"] != "" && !slices.Equal(shape, []int{90, 3})) {
				t.Errorf("%s %v: weights of shape %v", name, params, shape)
			}
		}
	}
}

// What was approximated is said.
func TestApproximationIsStated(t *testing.T) {
	data := blobs(t, "10300")
	d := mustFit(t, lookup(t, "square"), data, map[string]string{"kernel": "rbf", "features": "30", "calibration": "off"}, catalog.Run{}).Describe()
	if d.Parameters["approximation"] != "nystrom" || d.Numbers["approximation"] != "nystrom" || !strings.Contains(fmt.Sprint(d.Warnings), "10300 rows is approximated by") {
		t.Errorf("parameters %v, warnings %v", d.Parameters, d.Warnings)
	}
	small := blobs(t, "90")
	d = mustFit(t, lookup(t, "square"), small, map[string]string{"kernel": "rbf"}, catalog.Run{}).Describe()
	if d.Parameters["approximation"] != "exact" || len(d.Warnings) != 0 || d.Parameters["gamma"] == "auto" {
		t.Errorf("parameters %v, warnings %v", d.Parameters, d.Warnings)
	}
}

// The report of wrong labels names the rows and the labels that the model would give.
func TestMislabelReport(t *testing.T) {
	clean := blobs(t, "150")
	dirty, _, err := corrupt.Apply(clean, "label:0.1", 5)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range classifiers {
		model := mustFit(t, lookup(t, name), dirty, nil, catalog.Run{})
		o, err := model.(catalog.Detector).Outliers(context.Background(), dirty)
		if err != nil {
			t.Fatal(err)
		}
		wrong, found, falsely := 0, 0, 0
		for i := range o.Kind {
			changed := dirty.Target.Labels[i] != clean.Target.Labels[i]
			doubted := o.Kind[i] == "doubtful label"
			if changed {
				wrong++
			}
			if changed && doubted && o.Suggested[i] == clean.Target.Class(i) && o.Outlier[i] && o.Residual[i] < 0 {
				found++
			} else if doubted {
				falsely++
			}
		}
		if found < wrong*8/10 || falsely > 2 {
			t.Errorf("%s: %d of %d wrong labels found, %d others", name, found, wrong, falsely)
		}
		if model.Describe().Outliers != o.Count() {
			t.Errorf("%s: %d outliers in the description, %d in the report", name, model.Describe().Outliers, o.Count())
		}
	}
}

// Labels are matched by name: a file with the classes in another order, or with some only.
func TestClassesAreMatchedByName(t *testing.T) {
	data := blobs(t, "90")
	model := mustFit(t, lookup(t, "regmaxcem"), data, nil, catalog.Run{})
	a, err := model.(catalog.Detector).Outliers(context.Background(), data)
	if err != nil {
		t.Fatal(err)
	}
	other := *data
	classes := slices.Clone(data.Target.Classes)
	slices.Reverse(classes)
	labels := make([]int, len(data.Target.Labels))
	for i, l := range data.Target.Labels {
		labels[i] = len(classes) - 1 - l
	}
	other.Target = &dataset.Target{Name: "t", Labels: labels, Classes: classes}
	b, err := model.(catalog.Detector).Outliers(context.Background(), &other)
	if err != nil || !slices.Equal(a.Residual, b.Residual) {
		t.Errorf("another order of classes changes the verdict (error %v)", err)
	}
	if !slices.Equal(other.Target.Classes, classes) || !slices.Equal(other.Target.Labels, labels) {
		t.Error("the caller's target was changed")
	}
	other.Target = &dataset.Target{Name: "t", Labels: labels, Classes: []string{"a", "b", "odd"}}
	var usage *catalog.UsageError
	if _, err = model.(catalog.Detector).Outliers(context.Background(), &other); !errors.As(err, &usage) {
		t.Errorf("an unknown class: %v", err)
	}
	other.Target = nil
	if o, err := model.(catalog.Detector).Outliers(context.Background(), &other); err != nil || len(o.Suggested) != 90 {
		t.Errorf("rows without labels: %v", err)
	}
}

func TestClassifierUsageErrors(t *testing.T) {
	data := blobs(t, "60")
	with := func(change func(s *dataset.Set)) *dataset.Set {
		rows := make([]int, 60)
		for i := range rows {
			rows[i] = i
		}
		s := data.Subset(rows)
		change(s)
		return s
	}
	for _, name := range classifiers {
		m := lookup(t, name)
		for want, s := range map[string]*dataset.Set{
			"needs a target":               with(func(s *dataset.Set) { s.Target = nil }),
			"numbers that are not classes": with(func(s *dataset.Set) { s.Target = &dataset.Target{Name: "y", Values: make([]float64, 60)} }),
			"one class only":               with(func(s *dataset.Set) { s.Target.Labels = make([]int, 60) }),
			"is missing":                   with(func(s *dataset.Set) { s.X.Set(3, 0, nan()) }),
		} {
			_, err := m.Fit(context.Background(), s.Source(), nil, catalog.Run{})
			var usage *catalog.UsageError
			if !errors.As(err, &usage) || !strings.Contains(usage.Problem, want) || strings.Contains(usage.Problem, "\n") {
				t.Errorf("%s: error %v, want %q", name, err, want)
			}
		}
		for _, params := range []map[string]string{{"lambda": "0"}, {"lambda": "-1"}, {"gamma": "0"}, {"features": "0"}, {"clip": "0"}, {"kernel": "cubic"}} {
			var usage *catalog.UsageError
			if _, err := m.Fit(context.Background(), data.Source(), params, catalog.Run{}); !errors.As(err, &usage) {
				t.Errorf("%s %v: error %v", name, params, err)
			}
		}
		model := mustFit(t, m, data, nil, catalog.Run{})
		bad := mat.DenseCopyOf(data.X)
		bad.Set(2, 1, nan())
		var usage *catalog.UsageError
		if _, err := model.(catalog.Predictor).Predict(context.Background(), bad); !errors.As(err, &usage) || !strings.Contains(err.Error(), data.Columns[1]) {
			t.Errorf("%s: missing value at prediction: %v", name, err)
		}
	}
	m := lookup(t, "regmaxcem")
	for _, params := range []map[string]string{{"sigma": "0"}, {"sigma": "-2"}, {"anneal": "0.5"}, {"margin": "one-sided", "variant": "paper"}} {
		var usage *catalog.UsageError
		if _, err := m.Fit(context.Background(), data.Source(), params, catalog.Run{}); !errors.As(err, &usage) {
			t.Errorf("%v: error %v", params, err)
		}
	}
	// A class of one row is kept, with a remark by its name.
	single := with(func(s *dataset.Set) {
		s.Target.Classes = append(slices.Clone(s.Target.Classes), "rare")
		s.Target.Labels[7] = len(s.Target.Classes) - 1
	})
	if w := fmt.Sprint(mustFit(t, m, single, nil, catalog.Run{}).Describe().Warnings); !strings.Contains(w, `class "rare" has 1 row(s)`) {
		t.Errorf("warnings %s", w)
	}
}

func nan() float64 {
	zero := 0.0
	return zero / zero
}

// A class that lies far from the others is learned, not left out as dirt, and what is left
// out is told.
func TestFarClassIsLearned(t *testing.T) {
	for _, name := range []string{"regmaxcem", "elm-robust", "elm-kmpe"} {
		for _, off := range []float64{40, 500, 1e6} {
			data := &dataset.Set{Name: "made", X: mat.NewDense(200, 3, nil), Target: &dataset.Target{Name: "y", Classes: []string{"a", "b", "c"}}}
			random := rand.New(rand.NewPCG(5, 6))
			for i := range 200 {
				row := data.X.RawRowView(i)
				for j := range row {
					row[j] = random.NormFloat64()
				}
				class := i % 2
				row[1] += 6 * float64(class)
				if i%10 == 0 {
					class = 2
					row[0] += off
				}
				data.Target.Labels = append(data.Target.Labels, class)
			}
			m := lookup(t, name)
			fitted := mustFit(t, m, data, nil, catalog.Run{Seed: 1})
			right := func(fitted catalog.Model, class int) (share float64) {
				p, err := fitted.(catalog.Predictor).Predict(context.Background(), data.X)
				if err != nil {
					t.Fatal(err)
				}
				count := 0.0
				for i, l := range data.Target.Labels {
					if l == class {
						if count++; p.Labels[i] == l {
							share++
						}
					}
				}
				return share / count
			}
			for class := range 3 {
				if share := right(fitted, class); share < 0.9 {
					t.Errorf("%s, a class %g off: %.2f of class %d is recognised", name, off, share, class)
				}
			}
			if text := strings.Join(fitted.Describe().Warnings, "\n"); strings.Contains(text, "left out") {
				t.Errorf("%s, a class %g off: %s", name, off, text)
			}
			for i := 1; i < 200; i += 50 { // single cells
				data.X.Set(i, 2, 1e5)
			}
			fitted = mustFit(t, m, data, nil, catalog.Run{Seed: 1})
			if text := strings.Join(fitted.Describe().Warnings, "\n"); !strings.Contains(text, "4 of 200 rows were left out") {
				t.Errorf("%s: four far rows are told by %q", name, text)
			}
		}
	}
}

// Where far rows were left out, the machine does not guess wildly at such inputs.
func TestRowsLeftOutGetModestPredictions(t *testing.T) {
	data := &dataset.Set{Name: "made", X: mat.NewDense(120, 3, nil), Target: &dataset.Target{Name: "y"}}
	random := rand.New(rand.NewPCG(5, 6))
	for i := range 120 {
		row := data.X.RawRowView(i)
		for j := range row {
			row[j] = random.NormFloat64()
		}
		y := row[1] + math.Sin(2*row[2]) + 0.1*random.NormFloat64()
		if i%20 == 0 {
			row[0] += 300
		}
		data.Target.Values = append(data.Target.Values, y)
	}
	fitted := mustFit(t, lookup(t, "elm-robust"), data, nil, catalog.Run{Seed: 1})
	p, err := fitted.(catalog.Predictor).Predict(context.Background(), data.X)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range p.Values {
		if math.Abs(v-data.Target.Values[i]) > 10 {
			t.Errorf("row %d: %.3g is predicted for %.3g", i+1, v, data.Target.Values[i])
		}
	}
	if text := strings.Join(fitted.Describe().Warnings, "\n"); !strings.Contains(text, "6 of 120 rows were left out") {
		t.Errorf("6 rows left out are told by %q", text)
	}
}
