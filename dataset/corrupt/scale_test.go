package corrupt

import (
	"math"
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

// Targets that are missing say nothing about the size of the others.
func TestSizeOfTargetsWithGaps(t *testing.T) {
	set := &dataset.Set{X: mat.NewDense(1000, 1, nil), Columns: []string{"x"}, Target: &dataset.Target{Name: "y", Values: make([]float64, 1000)}}
	for i := range 1000 {
		set.Target.Values[i] = float64(i % 100) // median absolute deviation 25
		if i%5 < 2 {
			set.Target.Values[i] = math.NaN()
		}
	}
	dirty, _, err := Apply(set, "target:0.9,size=10", 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range dirty.Target.Values {
		if moved := math.Abs(v-set.Target.Values[i]) / (10 * 1.4826 * 25); moved > 0 && moved < 0.75 || moved > 1.25 {
			t.Fatalf("row %d is moved by %.2g of what was asked for", i+1, moved)
		}
	}
}
