package check

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// Where more numbers of a target are off than a tail can hold, nothing tells mistakes from rows of another kind: no row is called wrong for it, and all
// of them are told together. A heavy tail without a gap is none.
func TestManyTargetsApart(t *testing.T) {
	for seed := range uint64(3) {
		for _, share := range []float64{0, 0.15, 0.25} {
			r := rand.New(rand.NewPCG(seed, 15))
			var rows [][]string
			var off []int
			for i := range 600 {
				a, b, c := r.NormFloat64(), r.NormFloat64(), r.NormFloat64()
				y := 2*a - b + .5*c + .1*r.NormFloat64()
				if r.Float64() < share {
					y += float64(2*r.IntN(2)-1) * (6 + 8*r.Float64())
					off = append(off, i)
				} else if share == 0 {
					y += .1 * r.NormFloat64() / (r.Float64() + .05)
				}
				rows = append(rows, []string{fmt.Sprintf("%.3f", a), fmt.Sprintf("%.3f", b), fmt.Sprintf("%.3f", c), fmt.Sprintf("%.3f", y)})
			}
			table := tolerant.FromStrings([]string{"a", "b", "c", "y"}, rows, tolerant.Options{})
			found, err := check.Run(context.Background(), table, check.Settings{Target: "y"}, nil)
			if err != nil {
				t.Fatal(err)
			}
			told := []int{}
			for _, g := range found.Groups {
				if strings.Contains(g.Text, "far in y") {
					told = g.Rows
				}
			}
			missed := 0
			for _, i := range off {
				if !slices.Contains(told, i) && !found.Wrong[i] {
					missed++
				}
			}
			if others := len(told) - len(off); missed > 0 || others > len(rows)/50 || share == 0 && len(told) > 0 {
				t.Errorf("seed %d, share %g: of %d rows %d are not told, of others %d are", seed, share, len(off), missed, others)
			}
		}
	}
}
