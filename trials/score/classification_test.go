package score

import (
	"math"
	"testing"

	"github.com/inlier-ml/inlier/score"
)

// scikit-learn 1: balanced_accuracy_score([0,0,0,1,1,2], [0,0,1,1,0,2]) is
// 0.7222222222222222.
func TestBalancedAccuracy(t *testing.T) {
	truth, given := []int{0, 0, 0, 1, 1, 2}, []int{0, 0, 1, 1, 0, 2}
	for _, classes := range []int{0, 3, 7} { // classes that do not occur do not count
		if v, err := score.BalancedAccuracy(truth, given, classes); err != nil || math.Abs(v-0.7222222222222222) > 1e-15 {
			t.Errorf("%d classes: %v, %v", classes, v, err)
		}
	}
	if _, err := score.BalancedAccuracy(truth, given[:3], 3); err == nil {
		t.Error("lists of different lengths are accepted")
	}
	if _, err := score.BalancedAccuracy(truth, given, 2); err == nil {
		t.Error("a label beyond the classes is accepted")
	}
	if _, err := score.BalancedAccuracy(nil, nil, 2); err == nil {
		t.Error("no samples are accepted")
	}
}
