package score

import (
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/score"
)

// TestRankingAreas: the areas without the curves are those of the curves, to the last bit, ties and all.
func TestRankingAreas(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 3))
	for range 50 {
		n := 2 + random.IntN(300)
		positive, values := make([]bool, n), make([]float64, n)
		for i := range values {
			positive[i], values[i] = random.IntN(3) == 0, float64(random.IntN(40))
		}
		positive[0], positive[1] = true, false
		roc, err := score.ROC(positive, values)
		if err != nil {
			t.Fatal(err)
		}
		pr, err := score.PrecisionRecall(positive, values)
		if err != nil {
			t.Fatal(err)
		}
		if auc, precision, err := score.RankingAreas(positive, values); err != nil || auc != roc.AUC || precision != pr.AveragePrecision {
			t.Fatal(auc, roc.AUC, precision, pr.AveragePrecision, err)
		}
	}
	// sklearn.metrics.roc_auc_score and average_precision_score of [0, 0, 1, 1], [.1, .4, .35, .8], as its documentation has them
	auc, precision, err := score.RankingAreas([]bool{false, false, true, true}, []float64{.1, .4, .35, .8})
	if err != nil || auc != 0.75 || precision < 0.8333 || precision > 0.8334 {
		t.Error(auc, precision, err)
	}
	for _, all := range []bool{true, false} {
		if _, _, err := score.RankingAreas([]bool{all, all}, []float64{1, 2}); err == nil {
			t.Error("one kind alone is ranked")
		}
	}
}
