package judge

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
)

// scikit-learn 1.9.1, ties among the scores:
//
//	y = [0,1,0,1,1,0,0,1]; s = [.1,.4,.4,.8,.8,.8,.1,.1]
//	roc_auc_score(y, s), average_precision_score(y, s)
//	Y = [0,1,2,0,1,2,2,0,1,2]; S = [[2,1,0],[1,1,0],[0,1,1],[1,2,0],[0,2,1],[0,0,2],[2,0,1],[1,0,0],[1,1,1],[0,1,2]]
//	roc_auc_score(eye(3)[Y], S, average="macro"), average_precision_score(eye(3)[Y], S, average="macro")
func TestAreasAgainstScikitLearn(t *testing.T) {
	two := mat.NewDense(8, 2, nil)
	for i, s := range []float64{.1, .4, .4, .8, .8, .8, .1, .1} {
		two.SetRow(i, []float64{1 - s, s})
	}
	three := mat.NewDense(10, 3, []float64{2, 1, 0, 1, 1, 0, 0, 1, 1, 1, 2, 0, 0, 2, 1, 0, 0, 2, 2, 0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 2})
	for name, c := range map[string]struct {
		truth          []int
		made           catalog.Prediction
		classes        []string
		auc, precision float64
	}{
		"two classes":         {[]int{0, 1, 0, 1, 1, 0, 0, 1}, catalog.Prediction{Scores: two}, []string{"no", "yes"}, 0.65625, 0.6083333333333334},
		"by probability":      {[]int{0, 1, 0, 1, 1, 0, 0, 1}, catalog.Prediction{Probabilities: two}, []string{"no", "yes"}, 0.65625, 0.6083333333333334},
		"three classes":       {[]int{0, 1, 2, 0, 1, 2, 2, 0, 1, 2}, catalog.Prediction{Scores: three}, []string{"a", "b", "c"}, 0.8134920634920636, 0.5952380952380952},
		"a class without row": {[]int{0, 1, 1, 0, 1, 1, 1, 0, 1, 1}, catalog.Prediction{Scores: three}, []string{"a", "b", "c"}, 0, -1},
	} {
		c.made.Labels = c.truth
		set := &dataset.Set{Name: "t", X: mat.NewDense(len(c.truth), 1, nil), Target: &dataset.Target{Name: "y", Labels: c.truth, Classes: c.classes}}
		list, err := classMetrics(catalog.Description{Task: catalog.Classify, Classes: c.classes}, &c.made, set)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]float64{}
		for _, m := range list {
			got[m.Name] = float64(m.Value)
		}
		if c.precision < 0 {
			if len(Areas(&c.made, c.truth, c.classes)) != 2 || math.IsNaN(got["auc"]) {
				t.Errorf("%s: %v", name, got)
			}
			continue
		}
		if math.Abs(got["auc"]-c.auc) > 1e-14 || math.Abs(got["average_precision"]-c.precision) > 1e-14 {
			t.Errorf("%s: %v, want %.16g and %.16g", name, got, c.auc, c.precision)
		}
	}
	// Scores of the two classes that are not each other's negative: what counts is their difference.
	two.SetRow(0, []float64{-5, 0.9})
	if a := Areas(&catalog.Prediction{Scores: two}, []int{1, 0, 0, 0, 0, 0, 0, 0}, []string{"no", "yes"}); len(a) != 1 || a[0].AUC != 1 || a[0].Rows != 1 {
		t.Errorf("the other class's score does not count: %+v", a)
	}
	// No ranking: no areas, and no error.
	two.Set(0, 1, math.NaN())
	for _, made := range []catalog.Prediction{{}, {Scores: two}} {
		if a := Areas(&made, []int{1, 0, 0, 0, 0, 0, 0, 0}, []string{"no", "yes"}); len(a) != 0 {
			t.Errorf("areas of no ranking: %+v", a)
		}
	}
}
