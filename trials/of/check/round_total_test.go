package check

import (
	"fmt"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

// A total of 1.00 for twenty pieces is wrong, not their price, although 0.05 is a whole number of cents: that of a round total by any count
// often is, and nothing costs as little.
func TestRoundTotalsAccuseNoPrices(t *testing.T) {
	for seed := range uint64(3) {
		r := random.New(seed, "totals")
		var rows [][]string
		for range 300 {
			pieces, price := 1+r.IntN(20), cents(2+88*r.Float64())
			rows = append(rows, []string{fmt.Sprint(pieces), fmt.Sprintf("%.2f", price), fmt.Sprintf("%.2f", cents(float64(pieces)*price))})
		}
		planted := []int{5, 90, 170, 260}
		for k, total := range []string{"1.00", "3.00", "12.00", "2.00"} {
			rows[planted[k]] = []string{"20", "59.21", total}
		}
		_, found := wrongRows(t, tolerant.FromStrings([]string{"pieces", "price", "total"}, rows, tolerant.Options{}))
		var named []int
		for _, c := range found.Cells {
			if !c.Wrong {
				continue
			}
			if c.Column != 2 {
				t.Errorf("seed %d, row %d: column %d: %s", seed, c.Row, c.Column, c.Why)
			}
			named = append(named, c.Row)
		}
		if slices.Sort(named); !slices.Equal(named, planted) {
			t.Errorf("seed %d: rows %v", seed, named)
		}
	}
}
