package methods

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/synthetic"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
)

// Every method in the table must keep the promises below; a new entry is tested by being
// there.

// sampleFor makes a small data set that suits the method.
func sampleFor(t *testing.T, m *catalog.Method) (*dataset.Set, map[string]string) {
	t.Helper()
	params := map[string]string{}
	var name string
	var given map[string]string
	switch {
	case m.Family == "tensor":
		name, given = "faces", map[string]string{"size": "16x16", "subjects": "3", "per-subject": "8"}
	case slices.Contains(m.Tasks, catalog.Regress):
		name, given = "plane", map[string]string{"n": "80", "d": "3"}
	case slices.Contains(m.Tasks, catalog.Classify), slices.Contains(m.Tasks, catalog.Cluster):
		name, given = "blobs", map[string]string{"n": "90"}
	default:
		name, given = "low-rank", map[string]string{"n": "80", "d": "8"}
	}
	g, err := synthetic.Generate(name, given, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := m.Param("components"); ok {
		params["components"] = "2"
	}
	if _, ok := m.Param("hidden"); ok {
		params["hidden"] = "12"
	}
	if _, ok := m.Param("clusters"); ok {
		params["clusters"] = "3"
	}
	return g.Set, params
}

// written is the state of a model as a file brings it back: what is not in arrays goes
// through JSON.
func written(t *testing.T, model catalog.Model) catalog.State {
	t.Helper()
	state := model.State()
	text, err := json.Marshal(state.Extra)
	if err != nil {
		t.Fatal(err)
	}
	state.Extra = nil
	if err := json.Unmarshal(text, &state.Extra); err != nil {
		t.Fatal(err)
	}
	return state
}

// reloaded is a model written and restored.
func reloaded(t *testing.T, m *catalog.Method, model catalog.Model) catalog.Model {
	t.Helper()
	back, err := m.Restore(written(t, model))
	if err != nil {
		t.Fatal(err)
	}
	return back
}

func eachMethod(t *testing.T, check func(t *testing.T, m *catalog.Method, data *dataset.Set, params map[string]string)) {
	for _, m := range catalog.Methods() {
		t.Run(m.Name, func(t *testing.T) {
			data, params := sampleFor(t, m)
			check(t, m, data, params)
		})
	}
}

func mustFit(t *testing.T, m *catalog.Method, data *dataset.Set, params map[string]string, run catalog.Run) catalog.Model {
	t.Helper()
	model, err := m.Fit(context.Background(), data.Source(), params, run)
	if err != nil {
		t.Fatal(err)
	}
	return model
}

func TestEntriesAreComplete(t *testing.T) {
	eachMethod(t, func(t *testing.T, m *catalog.Method, _ *dataset.Set, _ map[string]string) {
		if m.Title == "" || m.About == "" || m.Paper == "" || m.Family == "" || len(m.Tasks) == 0 || m.Build == nil || m.Restore == nil {
			t.Error("the entry lacks a title, text, paper, family, task, Build or Restore")
		}
		if m.Loss != (m.Default != "") {
			t.Error("a method takes --loss exactly when it has a default loss")
		}
		seen := map[string]bool{}
		for _, p := range m.Params {
			if seen[p.Name] {
				t.Errorf("parameter %s is listed twice", p.Name)
			}
			seen[p.Name] = true
			if p.Meaning == "" {
				t.Errorf("parameter %s has no meaning", p.Name)
			}
			if err := p.Check(p.Default); err != nil {
				t.Errorf("the default of parameter %s is refused: %v", p.Name, err)
			}
		}
		if _, err := m.Check(nil); err != nil {
			t.Error(err)
		}
	})
}

// A fit says what was fitted, leaves its input alone and gives the same model again.
func TestFitIsDescribedAndRepeatable(t *testing.T) {
	eachMethod(t, func(t *testing.T, m *catalog.Method, data *dataset.Set, params map[string]string) {
		before := mat.DenseCopyOf(data.X)
		a := mustFit(t, m, data, params, catalog.Run{Seed: 7})
		if !mat.Equal(before, data.X) {
			t.Error("the fit changed its input")
		}
		d := a.Describe()
		n, c := data.X.Dims()
		if d.Method != m.Name || d.Family != m.Family || d.Rows != n || d.Columns != c || d.Status == "" || d.Status == irls.Unfinished.String() || d.Seed != 7 || len(d.ColumnNames) != c {
			t.Errorf("description %+v", d)
		}
		for _, p := range m.Params {
			if _, ok := d.Parameters[p.Name]; !ok {
				t.Errorf("parameter %s is missing in the description", p.Name)
			}
		}
		if math.IsNaN(d.Objective) || math.IsInf(d.Objective, 0) || d.Effective < 0 || d.Effective > float64(n)*1.0001*float64(max(1, len(d.Classes))) {
			t.Errorf("objective %v, effective sample size %v", d.Objective, d.Effective)
		}
		if _, err := json.Marshal(d); err != nil {
			t.Error(err)
		}
		linalg.SetThreads(1)
		b := mustFit(t, m, data, params, catalog.Run{Seed: 7})
		linalg.SetThreads(0)
		x, y := a.State(), b.State()
		for name, array := range x.Arrays {
			other := y.Arrays[name]
			if !slices.Equal(array.Shape, other.Shape) {
				t.Fatalf("array %s has another shape in a second fit", name)
			}
			for i, v := range array.Data {
				if math.Abs(v-other.Data[i]) > 1e-10*(1+math.Abs(v)) {
					t.Fatalf("array %s differs in a second fit with one worker: %v, %v", name, v, other.Data[i])
				}
			}
		}
	})
}

// A model comes back from its state, through JSON, and behaves the same.
func TestStateRestores(t *testing.T) {
	eachMethod(t, func(t *testing.T, m *catalog.Method, data *dataset.Set, params map[string]string) {
		a := mustFit(t, m, data, params, catalog.Run{Seed: 1})
		state := a.State()
		for name, array := range state.Arrays {
			size := 1
			for _, s := range array.Shape {
				size *= s
			}
			if size != len(array.Data) {
				t.Errorf("array %s: shape %v, %d numbers", name, array.Shape, len(array.Data))
			}
			for _, v := range array.Data {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Errorf("array %s holds %v", name, v)
					break
				}
			}
		}
		text, err := json.Marshal(state.Extra)
		if err != nil {
			t.Fatal(err)
		}
		state.Extra = nil
		if err := json.Unmarshal(text, &state.Extra); err != nil {
			t.Fatal(err)
		}
		text, err = json.Marshal(state.Description)
		if err != nil {
			t.Fatal(err)
		}
		state.Description = catalog.Description{}
		if err := json.Unmarshal(text, &state.Description); err != nil {
			t.Fatal(err)
		}
		b, err := m.Restore(state)
		if err != nil {
			t.Fatal(err)
		}
		sameBehaviour(t, a, b, data)
		for name := range state.Arrays { // a file that lacks an array is refused, not a crash
			broken := state
			broken.Arrays = map[string]catalog.Array{}
			for other, array := range state.Arrays {
				if other != name {
					broken.Arrays[other] = array
				}
			}
			if _, err := m.Restore(broken); err == nil && (name == "components" || name == "mean" || name == "coef" || name == "output_weights" || name == "centers") {
				t.Errorf("a model without array %s is accepted", name)
			}
		}
	})
}

func sameBehaviour(t *testing.T, a, b catalog.Model, data *dataset.Set) {
	t.Helper()
	ctx := context.Background()
	if ta, ok := a.(catalog.Transformer); ok {
		x, err := ta.Transform(ctx, data.X)
		if err != nil {
			t.Fatal(err)
		}
		y, err := b.(catalog.Transformer).Transform(ctx, data.X)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.EqualApprox(x, y, 1e-9*(1+mat.Norm(x, 1))) {
			t.Error("the restored model transforms differently")
		}
		if _, c := x.Dims(); len(ta.ScoreNames()) != c {
			t.Errorf("%d names for %d scores", len(ta.ScoreNames()), c)
		}
	}
	if pa, ok := a.(catalog.Predictor); ok {
		x, err := pa.Predict(ctx, data.X)
		if err != nil {
			t.Fatal(err)
		}
		y, err := b.(catalog.Predictor).Predict(ctx, data.X)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range x.Values {
			if math.Abs(v-y.Values[i]) > 1e-9*(1+math.Abs(v)) {
				t.Fatalf("the restored model predicts %v instead of %v", y.Values[i], v)
			}
		}
		if !slices.Equal(x.Labels, y.Labels) {
			t.Error("the restored model predicts other labels")
		}
	}
	if da, ok := a.(catalog.Detector); ok {
		x, err := da.Outliers(ctx, data)
		if err != nil {
			t.Fatal(err)
		}
		y, err := b.(catalog.Detector).Outliers(ctx, data)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(x.Outlier, y.Outlier) || !slices.Equal(x.Kind, y.Kind) {
			t.Error("the restored model judges differently")
		}
		for _, k := range x.Kind {
			if !slices.Contains(x.Kinds, k) {
				t.Errorf("kind %q is not among %v", k, x.Kinds)
				break
			}
		}
		if n := data.Rows(); len(x.Outlier) != n || len(x.Kind) != n || (x.Weight != nil && len(x.Weight) != n) {
			t.Errorf("%d verdicts, %d kinds, %d weights for %d rows", len(x.Outlier), len(x.Kind), len(x.Weight), n)
		}
	}
}

// A cancelled fit ends soon: with an error that says so, or with the status cancelled.
func TestCancelledFit(t *testing.T) {
	eachMethod(t, func(t *testing.T, m *catalog.Method, data *dataset.Set, params map[string]string) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		model, err := m.Fit(ctx, data.Source(), params, catalog.Run{Seed: 1})
		if err != nil {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("error %v hides the cancellation", err)
			}
			return
		}
		if s := model.Describe().Status; s != irls.Cancelled.String() && s != irls.Converged.String() {
			t.Errorf("status %q", s)
		}
	})
}

// Mistakes of the user come back as UsageErrors that name the parameter.
func TestUsageErrors(t *testing.T) {
	eachMethod(t, func(t *testing.T, m *catalog.Method, data *dataset.Set, params map[string]string) {
		for _, p := range m.Params {
			if p.Kind == catalog.Text {
				continue
			}
			_, err := m.Fit(context.Background(), data.Source(), map[string]string{p.Name: "nonsense"}, catalog.Run{})
			var usage *catalog.UsageError
			if !errors.As(err, &usage) || !strings.Contains(usage.Problem+usage.Hint, p.Name) {
				t.Errorf("%s=nonsense: %v", p.Name, err)
			}
		}
		if _, err := m.Fit(context.Background(), data.Source(), map[string]string{"no-such-parameter": "1"}, catalog.Run{}); err == nil {
			t.Error("an unknown parameter is accepted")
		}
		one := data.Subset([]int{0})
		if _, err := m.Fit(context.Background(), one.Source(), params, catalog.Run{}); err == nil {
			t.Error("one row is accepted")
		}
	})
}

func TestLookupSuggests(t *testing.T) {
	_, err := catalog.Lookup("pca-kmep")
	var usage *catalog.UsageError
	if !errors.As(err, &usage) || !strings.Contains(usage.Hint, "pca-kmpe") {
		t.Errorf("%v", err)
	}
}
