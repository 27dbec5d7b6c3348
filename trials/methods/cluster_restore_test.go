package methods

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset/synthetic"
	"github.com/inlier-ml/inlier/irls"
)

// A clustering that was saved and restored still knows its inertia, how many rows are
// outliers and how its fit ended.
func TestRestoredClusteringsKeepWhatWasFound(t *testing.T) {
	made, err := synthetic.Generate("three-gaussians", nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"kmeans", "kmeans-robust", "density-peaks"} {
		m, err := catalog.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		fitted, err := m.Fit(context.Background(), made.Set.Source(), map[string]string{"clusters": "3"}, catalog.Run{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		state := fitted.State()
		text, err := json.Marshal(state.Description)
		if err != nil {
			t.Fatal(err)
		}
		state.Description = catalog.Description{}
		if err := json.Unmarshal(text, &state.Description); err != nil {
			t.Fatal(err)
		}
		back, err := m.Restore(state)
		if err != nil {
			t.Fatal(err)
		}
		type found interface {
			Inertia() float64
			Status() irls.Status
		}
		a, _ := catalog.As[found](fitted)
		b, _ := catalog.As[found](back)
		if a.Inertia() == 0 || a.Inertia() != b.Inertia() || fitted.Describe().Outliers != back.Describe().Outliers || a.Status() != b.Status() {
			t.Errorf("%s: inertia %v, restored %v; %d outliers, restored %d; %s, restored %s", name, a.Inertia(), b.Inertia(), fitted.Describe().Outliers, back.Describe().Outliers, a.Status(), b.Status())
		}
	}
}
