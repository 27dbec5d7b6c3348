package judge

import (
	"math"
	"testing"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/judge"
	"gonum.org/v1/gonum/mat"
)

// TestAreaOfAClassBetweenOthers: against the rest a straight score cannot tell a middle class, but the model, which
// compares the classes, can, and so does the area.
func TestAreaOfAClassBetweenOthers(t *testing.T) {
	truth, scores, probabilities := []int{0, 0, 0, 1, 1, 1, 2, 2, 2}, mat.NewDense(9, 3, nil), mat.NewDense(9, 3, nil)
	for i := range truth {
		x := float64(i) - 4
		row := []float64{-2 * x, 0.5 + 0.01*x, 2 * x}
		scores.SetRow(i, row)
		sum := 0.0
		for k, v := range row {
			probabilities.Set(i, k, math.Exp(v))
			sum += math.Exp(v)
		}
		for k := range row {
			probabilities.Set(i, k, probabilities.At(i, k)/sum)
		}
	}
	areas := judge.Areas(&catalog.Prediction{Scores: scores, Probabilities: probabilities}, truth, []string{"a", "b", "c"})
	for _, a := range areas {
		if a.AUC != 1 {
			t.Errorf("class %s has an area of %g", a.Class, a.AUC)
		}
	}
	if len(areas) != 3 {
		t.Errorf("%d areas", len(areas))
	}
}
