package check

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// A sensor that stands still repeats its last reading: the first of them is in line with the rows before it, and is named and not emptied.
func TestFirstOfAStuckRunIsKept(t *testing.T) {
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 8))
		rows := make([][]string, 600)
		level, held := 20.0, 0.0
		for i := range rows {
			level += .97*(20-level)/30 + .2*r.NormFloat64()
			at := math.Round(100*level) / 100
			if i == 300 {
				held = at
			}
			if i > 300 && i < 320 {
				at = held
			}
			rows[i] = []string{fmt.Sprintf("2024-03-%02d %02d:%02d", 1+i/144, i/6%24, i%6*10), fmt.Sprintf("%.2f", at), fmt.Sprintf("%.1f", 50-2*level+3*r.NormFloat64())}
		}
		_, found := wrongRows(t, tolerant.FromStrings([]string{"time", "temp", "humidity"}, rows, tolerant.Options{}))
		named := 0
		for _, c := range found.Cells {
			if c.Column == 1 && c.Wrong && c.Row >= 300 && c.Row < 320 {
				if named++; c.Doubt != (c.Row == 300) {
					t.Errorf("seed %d: row %d is in doubt: %v", seed, c.Row, c.Doubt)
				}
			}
		}
		if named < 19 {
			t.Errorf("seed %d: %d of 20 are named", seed, named)
		}
	}
}
