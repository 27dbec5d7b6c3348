package check

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

// Rows that obey an exact law are not accused because the law bends in the columns' transformed
// units, neither as cells nor as targets; a row that breaks it still is.
func TestObeyedLawsAccuseNobody(t *testing.T) {
	for _, seed := range []uint64{4, 5} {
		r := random.New(seed, "sums")
		var rows [][]string
		for range 200 {
			a, b, c, d := int(3*r.ExpFloat64()), 20+int(5*r.NormFloat64()), 80+int(15*r.NormFloat64()), int(math.Exp(1.5+0.7*r.NormFloat64()))
			rows = append(rows, []string{fmt.Sprint(a), fmt.Sprint(b), fmt.Sprint(c), fmt.Sprint(d), fmt.Sprint(a + b + c + d)})
		}
		rows[70][4] += "0"
		table := tolerant.FromStrings([]string{"a", "b", "c", "d", "sum"}, rows, tolerant.Options{})
		for _, target := range []string{"", "sum"}[:6-seed] {
			got, err := Run(context.Background(), table, Settings{Target: target}, nil)
			if err != nil {
				t.Fatal(err)
			}
			for i, wrong := range got.Wrong {
				if wrong != (i == 70) {
					t.Errorf("seed %d, target %q, row %d: %v: wrong %v, %s", seed, target, i, rows[i], wrong, got.Why(i))
				}
			}
		}
	}
}
