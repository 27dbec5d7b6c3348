package check

import (
	"testing"

	"github.com/inlier-ml/inlier/dataset/synthetic"
)

// Columns in which most rows have the same value, and columns with heavy tails, raise no false alarms in
// small tables; what is impossible beside the pile is still found.
func TestSmallCleanTablesStaySilent(t *testing.T) {
	for _, shape := range []string{"zero-inflated", "t3"} {
		total := 0
		for seed := range uint64(10) {
			c := synthetic.Clean{N: 100, D: 5, Shape: shape, Factors: 2 * int(seed%2)}
			g, err := c.Generate(110 + seed)
			if err != nil {
				t.Fatal(err)
			}
			_, r := judged(t, g.Set.X)
			total += countTrue(r.Wrong)
			if shape == "t3" {
				continue
			}
			for _, far := range []float64{-8, 1e9} {
				g.Set.X.Set(50, 2, far)
				if _, r = judged(t, g.Set.X); !r.Wrong[50] {
					t.Errorf("seed %d: %g among amounts from 0 on is not found (p %g)", seed, far, r.P[50])
				}
			}
		}
		if total > 10 {
			t.Errorf("%s: %d of 1000 rows are called wrong", shape, total)
		}
	}
}
