package jobs

import (
	"encoding/json"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset"
)

// Events are JSON whatever is in the data: a list of jobs with one that was none could not be told.
func TestEventsOfHugeNumbers(t *testing.T) {
	rows := mat.NewDense(60, 2, nil)
	for i := range 60 {
		rows.SetRow(i, []float64{float64(i % 7), float64(i * i % 11)})
	}
	rows.Set(5, 1, 1e300)
	for _, method := range []string{"kmeans", "pca-robust"} {
		_, err := inlier.Fit{Method: method, Seed: 1, Data: inlier.Data{Set: &dataset.Set{Name: "huge", X: rows}}}.Run(t.Context(), func(e inlier.Event) {
			if _, err := json.Marshal(e); err != nil {
				t.Errorf("%s: %v", method, err)
			}
		})
		if err != nil {
			t.Error(err)
		}
	}
}
