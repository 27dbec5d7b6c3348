package methods

import (
	"math"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/univariate"
)

// A loss with a corner at 0 gives rows that are met by chance weights without bound. A typical row has about
// 1 all the same, and the same number stands in verdicts, in the file and in the model that is read from it. What
// clusters store are the weights that their centers are means with.
func TestWeightsOfCorneredLosses(t *testing.T) {
	groups := generated(t, "blobs", map[string]string{"n": "80"})
	for _, c := range []struct {
		method string
		data   *dataset.Set
		params map[string]string
	}{
		{"kmeans-robust", groups, map[string]string{"clusters": "3"}},
		{"linear-robust", withTail(80, false, 1), nil},
		{"elm-robust", withTail(80, false, 1), map[string]string{"hidden": "20"}},
		{"elm-robust", withTail(80, true, 1), map[string]string{"hidden": "20", "lambda": "0.1"}},
	} {
		for _, text := range []string{"l1", "lp:p=1.3", "welsch"} {
			params := map[string]string{"loss": text}
			for k, v := range c.params {
				params[k] = v
			}
			m := lookup(t, c.method)
			model := mustFit(t, m, c.data, params, catalog.Run{Seed: 1})
			stored := model.State().Arrays["weights"].Data
			if again := reloaded(t, m, model).State().Arrays["weights"].Data; !slices.Equal(again, stored) {
				t.Errorf("%s, %s: the file holds other weights", c.method, text)
			}
			judged, err := reloaded(t, m, model).(catalog.Detector).Outliers(t.Context(), c.data)
			if err != nil {
				t.Fatal(err)
			}
			if middle := univariate.MedianOf(slices.Clone(judged.Weight)); middle < 0.5 {
				t.Errorf("%s, %s: a typical row has weight %g", c.method, text, middle)
			}
			for i, w := range judged.Weight {
				if m.Family != "cluster" && math.Abs(w-stored[i]) > 1e-3 {
					t.Errorf("%s, %s: row %d is judged with weight %g, stored with %g", c.method, text, i+1, w, stored[i])
					break
				}
			}
		}
	}
}
