package plot

import (
	"math"
	"testing"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/plot"
)

// TestScreeOfCorrentropyIsOfAllVariance: the share of the first components is what the model says of them.
func TestScreeOfCorrentropyIsOfAllVariance(t *testing.T) {
	m, err := catalog.Lookup("correntropy-pca")
	if err != nil {
		t.Fatal(err)
	}
	set := modelsForTest(t)["pca"].set
	model, err := m.Fit(t.Context(), set.Source(), map[string]string{"components": "1"}, catalog.Run{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	s := plot.Spectrum(model, "")
	want := model.Describe().Numbers["explained_by_component"].([]float64)[0]
	if got := s.Values[0] / s.Total; math.Abs(got-want) > 1e-9 {
		t.Errorf("the first component has a share of %g, the model says %g", got, want)
	}
}
