package corrupt

import (
	"math"
	"testing"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/corrupt"
	"gonum.org/v1/gonum/mat"
)

// Targets that are missing say nothing about the size of the others.
func TestSizeOfTargetsWithGaps(t *testing.T) {
	set := &dataset.Set{X: mat.NewDense(1000, 1, nil), Columns: []string{"x"}, Target: &dataset.Target{Name: "y", Values: make([]float64, 1000)}}
	for i := range 1000 {
		set.Target.Values[i] = float64(i % 100) // median absolute deviation 25
		if i%5 < 2 {
			set.Target.Values[i] = math.NaN()
		}
	}
	dirty, _, err := corrupt.Apply(set, "target:0.9,size=10", 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range dirty.Target.Values {
		if moved := math.Abs(v-set.Target.Values[i]) / (10 * 1.4826 * 25); moved > 0 && moved < 0.75 || moved > 1.25 {
			t.Fatalf("row %d is moved by %.2g of what was asked for", i+1, moved)
		}
	}
}
