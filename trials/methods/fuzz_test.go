package methods

import (
	"context"
	"errors"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
)

// FuzzParameters gives every method parameters that nobody checked: they are refused in
// one line or make an estimator.
func FuzzParameters(f *testing.F) {
	for i, m := range catalog.Methods() {
		for _, p := range m.Params {
			f.Add(uint8(i), p.Name, p.Default, "huber:k=1.5")
			if p.Alias != "" {
				f.Add(uint8(i), p.Alias, p.Default, "huber:k=1.5")
			}
		}
	}
	for _, value := range []string{"nan", "-1", "1e309", "auto", "0x10", "2x2", "\n", "9999999999999999999"} {
		f.Add(uint8(0), "components", value, "welsch:sigma=-1")
	}
	x := mat.NewDense(4, 4, []float64{1, 2, 3, 4, 2, 1, 4, 3, 9, 8, 1, 2, 3, 3, 1, 7})
	f.Fuzz(func(t *testing.T, which uint8, name, value, loss string) {
		m := catalog.Methods()[int(which)%len(catalog.Methods())]
		given := map[string]string{name: value}
		if m.Loss {
			given["loss"] = loss
		}
		v, err := m.Check(given)
		if err == nil {
			kept := name
			if p, ok := m.Param(name); ok {
				kept = p.Name // a name of old is kept under the name of today
			}
			if _, ok := v[kept]; !ok && !strings.HasPrefix(name, "reduce.") {
				t.Fatalf("%s: %s=%q is accepted and forgotten", m.Name, name, value)
			}
			return
		}
		var usage *catalog.UsageError
		if !errors.As(err, &usage) {
			t.Fatalf("%s: %s=%q: %v is no usage error", m.Name, name, value, err)
		}
		// What is refused by name is refused by the fit as well, before any work.
		set := &dataset.Set{Name: "rows", X: x, Columns: []string{"a", "b", "c", "d"}}
		if _, err := m.Fit(context.Background(), set.Source(), given, catalog.Run{Seed: 1}); err == nil {
			t.Fatalf("%s: %s=%q is refused, but can be fitted", m.Name, name, value)
		}
	})
}
