package score

import (
	"math"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/score"
)

// A prediction that is no number is told by its place among all rows.
func TestErrorsNameTheRow(t *testing.T) {
	var e score.Errors
	if err := e.Add([]float64{1, 2}, []float64{1, 2}); err != nil {
		t.Fatal(err)
	}
	if err := e.Add([]float64{1, 2}, []float64{1, math.Inf(1)}); err == nil || !strings.Contains(err.Error(), "value 4 is +Inf") {
		t.Error(err)
	}
}
