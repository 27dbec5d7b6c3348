package plot

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/synthetic"
	"github.com/inlier-ml/inlier/plot"
)

// small is a model with the data it was fitted to.
type small struct {
	plot.Model
	set *dataset.Set
}

// smallModels are models of every family on little data, by method.
var smallModels = sync.OnceValues(func() (map[string]small, error) {
	sets := map[string]*dataset.Set{}
	for name, params := range map[string]map[string]string{
		"faces": {"size": "8x8", "subjects": "3", "per-subject": "5"}, "sensors": nil, "blobs": {"n": "45"}, "sinc": {"n": "40"},
	} {
		set, err := generated(name, params)
		if err != nil {
			return nil, err
		}
		sets[name] = set
	}
	models := map[string]small{}
	for _, fit := range []struct {
		method, set string
		params      map[string]string
	}{
		{"pca", "sensors", map[string]string{"components": "3"}},
		{"pca-robust", "sensors", map[string]string{"components": "3"}},
		{"pca-cell", "sensors", map[string]string{"components": "3"}},
		{"hq-pca", "faces", map[string]string{"components": "3"}},
		{"corr-tensor", "faces", map[string]string{"rank": "3x2"}},
		{"linear-robust", "sinc", nil},
		{"elm-kmpe", "sinc", map[string]string{"hidden": "8"}},
		{"logistic", "blobs", nil},
		{"kmeans", "blobs", map[string]string{"clusters": "3", "reduce": "pca", "reduce.components": "2"}},
		{"density-peaks", "blobs", map[string]string{"clusters": "3"}},
		{"nearest-center", "blobs", nil},
		{"nearest-subspace", "faces", nil},
	} {
		m, err := catalog.Lookup(fit.method)
		if err != nil {
			return nil, err
		}
		model, err := m.Fit(context.Background(), sets[fit.set].Source(), fit.params, catalog.Run{Seed: 1})
		if err != nil {
			return nil, err
		}
		models[fit.method] = small{plot.Model{Model: model, Name: fit.method + ".npz"}, sets[fit.set]}
	}
	return models, nil
})

func generated(name string, params map[string]string) (*dataset.Set, error) {
	made, err := synthetic.Generate(name, params, 1)
	if err != nil {
		return nil, err
	}
	made.Set.Name = name
	return made.Set, nil
}

func modelsForTest(t *testing.T) map[string]small {
	t.Helper()
	models, err := smallModels()
	if err != nil {
		t.Fatal(err)
	}
	return models
}

// check draws and looks at what every drawing must have.
func check(t *testing.T, k plot.Kind, in plot.Input) *plot.Drawing {
	t.Helper()
	d, err := k.Draw(context.Background(), in)
	if err != nil {
		t.Fatalf("%s: %v", k.Name, err)
	}
	if d.Title == "" || len(d.Sections) == 0 || d.Result == nil {
		t.Errorf("%s: title %q, %d sections, result %v", k.Name, d.Title, len(d.Sections), d.Result)
	}
	if text, err := json.Marshal(d.Result); err != nil || len(text) < 10 {
		t.Errorf("%s: the result is %s (%v)", k.Name, text, err)
	}
	for format, begin := range map[string]string{"svg": "<svg", "html": "<!doctype html>"} {
		file, err := d.Encode(format, "inlier plot "+k.Name)
		if err != nil || !bytes.Contains(bytes.ToLower(file), []byte(begin)) {
			t.Errorf("%s as %s: %d bytes, %v", k.Name, format, len(file), err)
		}
	}
	return d
}

// Every kind is drawn from every model that has it, and refuses every other.
func TestEveryKindOfEveryModel(t *testing.T) {
	drawn := map[string]int{}
	for name, m := range modelsForTest(t) {
		for _, k := range plot.Kinds() {
			in := plot.Input{Models: []plot.Model{m.Model}, Data: m.set, Seed: 1}
			if k.Fits(m.Model.Model) {
				if _, err := k.Draw(context.Background(), in); k.Name == "reliability" && err != nil && strings.Contains(err.Error(), "nothing to draw") {
					continue // whether there are probabilities is known only when it predicts
				}
				drawn[k.Name]++
				check(t, k, in)
				continue
			}
			if k.Needs.Subject != plot.OfModels {
				continue
			}
			err := k.Check(in)
			var refused *catalog.UsageError
			if !errors.As(err, &refused) || !strings.Contains(refused.Problem, k.Name) || !strings.Contains(refused.Problem, name) {
				t.Errorf("%s of %s: %v", k.Name, name, err)
			}
		}
	}
	for _, k := range plot.Kinds() {
		if k.Needs.Subject == plot.OfModels && drawn[k.Name] == 0 {
			t.Errorf("no model has a picture of kind %q", k.Name)
		}
	}
}

// Kinds of losses and methods are drawn as well, and tell of every fit.
func TestKindsWithoutModels(t *testing.T) {
	set := modelsForTest(t)["pca"].set
	var seen []plot.Progress
	inputs := map[string]plot.Input{
		"loss":         {Names: []string{"square", "tukey", "huber:c=1"}, Params: plot.Params{}.Set("range", 4)},
		"loss-surface": {Names: []string{"welsch"}},
		"sweep": {Names: []string{"pca", "pca-robust"}, Data: set, Params: plot.Params{}.Set("grid", "components=1,3").Set("corrupt", "rows:0.1"),
			Observe: func(p plot.Progress) { seen = append(seen, p) }},
		"monitor": {Names: []string{"pca-robust"}, Data: set, Along: &plot.Along{Method: "pca-robust", Settled: 1, Scales: []float64{1, 2}, Counts: []int{1, 1}, Votes: [][]float32{make([]float32, set.Rows()), make([]float32, set.Rows())}, Outlier: make([]bool, set.Rows())}},
	}
	for _, k := range plot.Kinds() {
		if k.Needs.Subject == plot.OfModels {
			continue
		}
		in, ok := inputs[k.Name]
		if !ok {
			t.Errorf("kind %q is not tested", k.Name)
			continue
		}
		check(t, k, in)
	}
	var fits []string
	for _, p := range seen {
		if p.Total != 4 {
			t.Errorf("%+v", p)
		}
		if p.Step == nil {
			fits = append(fits, p.Label)
		}
	}
	if want := []string{"pca components=1", "pca components=3", "pca-robust components=1", "pca-robust components=3"}; !slices.Equal(fits, want) {
		t.Errorf("fits are %q", fits)
	}
	if len(seen) == len(fits) {
		t.Error("no step was seen")
	}
}

func TestParams(t *testing.T) {
	var p plot.Params
	if err := json.Unmarshal([]byte(`{"top": 3, "rows": "1-4", "grid": ["a=1,2", "b=3"]}`), &p); err != nil {
		t.Fatal(err)
	}
	if p["top"][0] != "3" || p["rows"][0] != "1-4" || !slices.Equal(p["grid"], []string{"a=1,2", "b=3"}) {
		t.Errorf("read %v", p)
	}
	m := modelsForTest(t)["pca"]
	kind, err := plot.Lookup("residual-map")
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []struct{ name, value, problem string }{
		{"top", "-1", "--top -1 is not allowed"}, {"top", "1000", "--top 1000 is not allowed"}, {"top", "2.5", "no whole number"}, {"depth", "1", `no parameter "depth"`},
	} {
		err := kind.Check(plot.Input{Models: []plot.Model{m.Model}, Params: plot.Params{bad.name: {bad.value}}})
		if err == nil || !strings.Contains(err.Error(), bad.problem) {
			t.Errorf("%s=%s: %v", bad.name, bad.value, err)
		}
	}
	if err := kind.Check(plot.Input{Models: []plot.Model{m.Model}, Params: plot.Params{"top": {"0"}}}); err != nil {
		t.Errorf("0 is the default: %v", err)
	}
	if err := kind.Check(plot.Input{Models: []plot.Model{m.Model}, Params: plot.Params{"top": {"1", "2"}}}); err == nil {
		t.Error("a parameter was given twice")
	}
}
