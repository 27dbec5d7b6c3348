package corrupt

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
)

// Rows that take turns are all in the sample from which sizes come: every second row alone made dirt
// of the wrong size in tables of more than 5000 rows.
func TestSizesOfRowsThatTakeTurns(t *testing.T) {
	x := mat.NewDense(10000, 1, nil)
	for i := range 10000 {
		x.Set(i, 0, float64(i%2)*100+float64(i%7)) // two groups around 3 and 103
	}
	if _, scale := scales(&dataset.Set{X: x, Columns: []string{"x"}}); scale[0] < 50 {
		t.Errorf("a deviation of %.3g where groups are 100 apart", scale[0])
	}
}
