package methods

import (
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
)

func correntropySet() *dataset.Set {
	x := mat.NewDense(80, 3, nil)
	x.Apply(func(k, i int, _ float64) float64 {
		return math.Sin(float64(k*(i+2))) + 0.5*math.Cos(float64(3*k))
	}, x)
	x.Set(7, 1, 60)
	return &dataset.Set{Name: "waves", X: x, Columns: []string{"a", "b", "c"}}
}

func TestCorrentropyStateBringsTheModelBack(t *testing.T) {
	method, err := catalog.Lookup("correntropy-pca")
	if err != nil {
		t.Fatal(err)
	}
	data := correntropySet()
	for _, params := range []map[string]string{nil, {"sigma": "0.01"}, {"sigma": "500", "components": "2"}, {"scaling": "standard", "sigma": "silverman"}} {
		model, err := method.Fit(t.Context(), data.Source(), params, catalog.Run{Seed: 1})
		if err != nil {
			t.Fatalf("%v: %v", params, err)
		}
		state := written(t, model)
		for name, a := range state.Arrays {
			if len(a.Data) == 0 {
				t.Errorf("array %q is empty", name)
			}
		}
		again, err := method.Restore(state)
		if err != nil {
			t.Fatalf("%v: %v", params, err)
		}
		want, err := model.(catalog.Transformer).Transform(t.Context(), data.X)
		if err != nil {
			t.Fatal(err)
		}
		got, err := again.(catalog.Transformer).Transform(t.Context(), data.X)
		if err != nil || !mat.Equal(want, got) {
			t.Errorf("%v: scores differ after restoring (%v)", params, err)
		}
		judged, err := again.(catalog.Detector).Outliers(t.Context(), data)
		if err != nil {
			t.Fatal(err)
		}
		if judged.Count() != model.Describe().Outliers {
			t.Errorf("%v: %d outliers, described %d", params, judged.Count(), model.Describe().Outliers)
		}
		for _, name := range []string{"matrix", "components", "eigenvalues", "input_offset"} {
			broken := state
			broken.Arrays = map[string]catalog.Array{}
			for k, a := range state.Arrays {
				if k != name {
					broken.Arrays[k] = a
				}
			}
			if _, err := method.Restore(broken); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("a state without %s: error %v", name, err)
			}
		}
	}
}

func TestCorrentropySaysWhatIsWrong(t *testing.T) {
	method, err := catalog.Lookup("correntropy-pca")
	if err != nil {
		t.Fatal(err)
	}
	data := correntropySet()
	model, err := method.Fit(t.Context(), data.Source(), nil, catalog.Run{})
	if err != nil {
		t.Fatal(err)
	}
	_, noWayBack := model.(catalog.Transformer).Reconstruct(t.Context(), data.X)
	_, tooMany := method.Fit(t.Context(), data.Source(), map[string]string{"components": "9"}, catalog.Run{})
	_, negative := method.Fit(t.Context(), data.Source(), map[string]string{"sigma": "-1"}, catalog.Run{})
	gap := correntropySet()
	gap.X.Set(3, 2, math.NaN())
	_, missing := method.Fit(t.Context(), gap.Source(), nil, catalog.Run{})
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"reconstruct": {noWayBack, "no reconstruction"}, "components": {tooMany, "components=9"},
		"sigma": {negative, "sigma=-1"}, "missing": {missing, `row 4, column "c"`},
	} {
		var usage *catalog.UsageError
		if !errors.As(c.err, &usage) || !strings.Contains(usage.Problem, c.want) {
			t.Errorf("%s: error %v", name, c.err)
		}
	}
}
