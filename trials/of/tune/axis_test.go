package tune

import (
	"errors"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/tune"
)

func TestParseAxis(t *testing.T) {
	m := (&ridgeline{}).method()
	for text, want := range map[string][]string{
		"lambda=0.1, 1,10":       {"0.1", "1", "10"},
		"lambda=0.1,0.1,1":       {"0.1", "1"},
		"lambda=1e-2..1e2:5log":  {"0.01", "0.1", "1", "10", "100"},
		"lambda=0..1:3":          {"0", "0.5", "1"},
		"lambda=5,0..1:2":        {"5", "0", "1"},
		"hidden=2..5":            {"2", "3", "4", "5"},
		"hidden=10..1000:3log":   {"10", "100", "1000"},
		"hidden=auto,20":         {"auto", "20"},
		"mode=plain,flip":        {"plain", "flip"},
		"hidden=1..3:9":          {"1", "2", "3"},
		"lambda=0.001..0.1:3log": {"0.001", "0.01", "0.1"},
		"lambda=1000..1001:5":    {"1000", "1000.25", "1000.5", "1000.75", "1001"}, // a range that is a small part of its numbers
	} {
		a, err := tune.ParseAxis(m, nil, text)
		if err != nil || !slices.Equal(a.Values, want) {
			t.Errorf("%s: %q, %v; want %q", text, a.Values, err, want)
		}
	}
	for _, text := range []string{"lambda", "lambda=", "=1", "lambda=-1", "lambda=a..b:3", "lambda=1..0:3", "lambda=0..1:3log", "lambda=0..1", "lambda=0..1:1",
		"lambda=1,,2", "hidden=2.5", "mode=other", "size=3", "loss=huber", "hidden=0..5", "lambda=0..1:3x"} {
		_, err := tune.ParseAxis(m, nil, text)
		var usage *catalog.UsageError
		if !errors.As(err, &usage) {
			t.Errorf("%s: %v", text, err)
		}
	}
	near, err := catalog.Lookup("nearest-subspace")
	if err != nil {
		t.Fatal(err)
	}
	if a, err := tune.ParseAxis(near, map[string]string{"reduce": "pca"}, "reduce.components=1..3"); err != nil || !slices.Equal(a.Values, []string{"1", "2", "3"}) {
		t.Errorf("components of the first step %q, %v", a.Values, err)
	}
	if _, err := tune.ParseAxis(near, nil, "reduce.components=0"); err == nil {
		t.Error("no components were accepted")
	}
	m.Loss, m.Default = true, "welsch"
	if a, err := tune.ParseAxis(m, nil, "loss=huber;kmpe:p=2,sigma=1"); err != nil || !slices.Equal(a.Values, []string{"huber", "kmpe:p=2,sigma=1"}) {
		t.Errorf("losses %q, %v", a.Values, err)
	}
}
