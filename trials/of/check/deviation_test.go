package check

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// Deviations have the sign and the size of what is wrong, are NaN where nothing is, and 0 in columns
// that are not judged.
func TestDeviations(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	const n = 200
	columns := make([]tolerant.Column, 4)
	for j := range columns {
		columns[j] = tolerant.Column{Name: string(rune('a' + j)), Kind: tolerant.Number, Values: make([]float64, n), Sure: 1}
	}
	for i := range n {
		common := r.NormFloat64()
		for j := range 3 {
			columns[j].Values[i] = 10 + common + 0.2*r.NormFloat64()
		}
		columns[3].Values[i] = float64(i % 2)
	}
	columns[0].Values[5], columns[1].Values[6], columns[2].Values[7] = 30, -30, math.NaN()
	table := tolerant.FromColumns(n, columns)
	m, err := check.Learn(context.Background(), table, check.Settings{Seed: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	off := m.Deviations(table, []int{5, 6, 7, 8})
	if !(off[0][0] > 8) || !(off[1][1] < -8) || !math.IsNaN(off[2][2]) {
		t.Errorf("too large: %g, too small: %g, missing: %g", off[0][0], off[1][1], off[2][2])
	}
	for j := range 4 {
		if size := math.Abs(off[3][j]); !(size < 5) || j == 3 && size != 0 {
			t.Errorf("a right cell of column %d is %g off", j, size)
		}
	}
}
