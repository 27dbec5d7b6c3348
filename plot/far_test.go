package plot

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/verdict"
)

// TestResidualMapOfFarCells: a cell of 1e300 is named as the place, whatever its square.
func TestResidualMapOfFarCells(t *testing.T) {
	m := modelsForTest(t)["pca-robust"]
	set := m.set.Subset([]int{0, 1, 2, 3, 4, 5})
	set.X.Set(1, 4, 1e300)
	set.X.Set(3, 2, -1e160)
	k, err := Lookup("residual-map")
	if err != nil {
		t.Fatal(err)
	}
	d, err := k.Draw(t.Context(), Input{Models: []Model{m.Model}, Data: set, Params: Params{"rows": {"2,4"}}})
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range d.Result.(map[string]any)["rows"].([]residualLine) {
		if far := float64(l.Distance); !(far > 1e159) || math.IsInf(far, 0) || l.Where[0] != []int{5, 3}[i] {
			t.Errorf("row %d: distance %v, largest at column %v", l.Row, far, l.Where)
		}
	}
	strips, err := Lookup("strips")
	if err != nil {
		t.Fatal(err)
	}
	if d, err = strips.Draw(t.Context(), Input{Models: []Model{m.Model}, Data: set}); err != nil {
		t.Fatal(err)
	}
	if l := d.Result.(map[string]any)["models"].([]stripLine)[0]; !(l.Intact < 1e301) {
		t.Errorf("mean distance %v", l.Intact)
	}
}

// TestCalibrationPassesOverRowsWithoutProbabilities.
func TestCalibrationPassesOverRowsWithoutProbabilities(t *testing.T) {
	nan := math.NaN()
	c := calibration(&verdict.Prediction{Probabilities: mat.NewDense(3, 3, []float64{nan, nan, nan, 0.1, 0.8, 0.1, 0.9, 0.05, 0.05})}, []int{0, 1, 2})
	if n := len(c.Count); n != 2 || c.Count[0]+c.Count[1] != 2 || c.Observed[0] != 1 || c.Observed[1] != 0 {
		t.Errorf("%+v", c)
	}
}

// TestLegendsDoNotShowWhereFilesAre: files of one name are told apart by their nearest folders.
func TestLegendsDoNotShowWhereFilesAre(t *testing.T) {
	m := modelsForTest(t)["pca"].Model
	for _, c := range []struct{ names, want []string }{
		{[]string{"/home/me/secret/a/m.npz", "/home/me/secret/b/m.npz"}, []string{"a/m.npz", "b/m.npz"}},
		{[]string{"/home/me/a/x/m.npz", "/home/me/b/x/m.npz", "other.npz"}, []string{"a/x/m.npz", "b/x/m.npz", "other.npz"}},
		{[]string{"m.npz", "sub/m.npz"}, []string{"m.npz", "sub/m.npz"}},
		{[]string{"/m.npz", "/m.npz"}, []string{"m.npz", "m.npz"}},
	} {
		var models []*fitted
		for _, name := range c.names {
			models = append(models, newFitted(Model{Model: m.Model, Name: name}))
		}
		label(models)
		for i, f := range models {
			if f.label != c.want[i] {
				t.Errorf("%s is called %s, want %s", f.name, f.label, c.want[i])
			}
		}
	}
}
