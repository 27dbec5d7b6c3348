package check

import (
	"testing"

	"github.com/inlier-ml/inlier/internal/random"
)

// Seven of twelve rows that miss their predictions, as one of sixteen does everywhere, are chance; twenty of twenty are drift.
func TestScattered(t *testing.T) {
	r := random.New(1, "scattered")
	residuals := make([]float64, 800)
	for i := range residuals {
		if residuals[i] = r.NormFloat64(); i%16 == 0 {
			residuals[i] = -20
		}
	}
	for i := 300; i < 307; i++ {
		residuals[i] = -25
	}
	for i := 500; i < 520; i++ {
		residuals[i] = -25
	}
	if !scattered(stretch{299, 311}, residuals, 3) || scattered(stretch{500, 520}, residuals, 3) {
		t.Error("chance and drift are not told apart")
	}
}
