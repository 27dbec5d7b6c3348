package tensor

import (
	"context"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/tensor"
	"github.com/inlier-ml/inlier/verdict"
	"gonum.org/v1/gonum/mat"
)

// shareFlagged is the share of outliers in percent.
func shareFlagged(j *verdict.Rows) float64 { return 100 * float64(j.Count()) / float64(len(j.Kind)) }

// Of three samples none can be left out, and those that made the factors say nothing of others: none is flagged, with a remark.
func TestFewSamples(t *testing.T) {
	shape := []int{8, 7}
	for n := 2; n <= 5; n++ {
		flagged := 0.0
		const repeats = 4
		for seed := range uint64(repeats) {
			all := made(t, n+200, shape, []int{3, 3}, 0, seed+1).Set.X
			m := mustFit(t, tensor.Robust{Options: tensor.Options{Shape: shape, Rank: []int{3, 3}}, Loss: tensor.DefaultLoss}, mat.DenseCopyOf(all.Slice(0, n, 0, 56)))
			j, err := m.Judge(context.Background(), all.Slice(n, n+200, 0, 56).(*mat.Dense))
			if err != nil {
				t.Fatal(err)
			}
			flagged += shareFlagged(j) / repeats
			if told := strings.Contains(strings.Join(m.Warnings(), " "), "too few"); told != (n < 4) || told && j.Count() > 0 {
				t.Errorf("%d samples: %d of 200 flagged, remarks %q", n, j.Count(), m.Warnings())
			}
		}
		if flagged > 25 {
			t.Errorf("%d samples: %.1f %% of new ones are flagged", n, flagged)
		}
	}
}
