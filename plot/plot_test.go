package plot

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/synthetic"
)

// small is a model with the data it was fitted to.
type small struct {
	Model
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
		models[fit.method] = small{Model{Model: model, Name: fit.method + ".npz"}, sets[fit.set]}
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
func check(t *testing.T, k Kind, in Input) *Drawing {
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

// What faces make flags, forms and lists of is there.
func TestKindsAreDescribed(t *testing.T) {
	names := map[string]bool{}
	for _, k := range Kinds() {
		if k.Name == "" || names[k.Name] || k.Shows == "" || k.Of == "" || k.draw == nil {
			t.Errorf("kind %q: shows %q of %q", k.Name, k.Shows, k.Of)
		}
		names[k.Name] = true
		if (k.Needs.Subject == OfModels) != (k.fits != nil) {
			t.Errorf("%s: needs a %s", k.Name, k.Needs.Subject)
		}
		if found, err := Lookup(k.Name); err != nil || found.Name != k.Name {
			t.Errorf("%s: found %q, %v", k.Name, found.Name, err)
		}
		_, ending, _ := strings.Cut(k.Example.Out, ".")
		if k.Example.Of == "" || !slices.Contains(Formats(), ending) {
			t.Errorf("%s: example %+v", k.Name, k.Example)
		}
		for _, with := range k.Example.With {
			own := slices.ContainsFunc(k.Params, func(p Param) bool { return p.Name == with[0] && p.check(with[1]) == nil })
			if !own && with[0] != "target" {
				t.Errorf("%s: its example has %q", k.Name, with)
			}
		}
		for _, p := range k.Params {
			if p.Name == "" || p.Meaning == "" || p.Kind == "" || p.Kind != catalog.Text && p.Range == "" || (p.Kind == catalog.Choice) != (p.Choices != nil) {
				t.Errorf("%s: parameter %+v", k.Name, p)
			}
		}
	}
	if _, err := Lookup("weight"); err == nil || !strings.Contains(err.(*catalog.UsageError).Hint, "weights") {
		t.Errorf("a mistyped kind: %v", err)
	}
}

func TestModelsInOnePicture(t *testing.T) {
	all := modelsForTest(t)
	kind, err := Lookup("strips")
	if err != nil {
		t.Fatal(err)
	}
	pca, robust, faces := all["pca"], all["pca-robust"], all["hq-pca"]
	named := func(m small, name string) Model { return Model{Model: m.Model.Model, Name: name} }
	lines := func(models ...Model) []stripLine {
		d := check(t, kind, Input{Models: models, Data: pca.set})
		return d.Result.(map[string]any)["models"].([]stripLine)
	}
	for _, c := range []struct {
		models []Model
		want   []string
	}{
		{[]Model{named(pca, "a/x.npz"), named(robust, "b/x.npz")}, []string{"pca", "pca-robust"}},
		{[]Model{named(pca, "a/x.npz"), named(pca, "a/y.npz")}, []string{"x.npz", "y.npz"}},
		{[]Model{named(pca, "a/x.npz"), named(pca, "b/x.npz")}, []string{"a/x.npz", "b/x.npz"}},
	} {
		for i, l := range lines(c.models...) {
			if l.Model != c.want[i] {
				t.Errorf("model %d is called %q, want %q", i, l.Model, c.want[i])
			}
		}
	}
	for _, in := range []Input{{}, {Models: []Model{pca.Model, faces.Model}}} {
		if err := kind.Check(in); err == nil {
			t.Errorf("%d models of different columns", len(in.Models))
		}
	}
	if _, err := kind.Draw(context.Background(), Input{Models: []Model{pca.Model}}); err == nil {
		t.Error("drawn without data")
	}
	if _, err := kind.Draw(context.Background(), Input{Models: []Model{pca.Model}, Data: faces.set}); err == nil {
		t.Error("drawn with data of other columns")
	}
	one, err := Lookup("weights")
	if err != nil {
		t.Fatal(err)
	}
	if err := one.Check(Input{Models: []Model{robust.Model, robust.Model}}); err == nil {
		t.Error("two models in a picture of one")
	}
}
