package check

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// What a cell in another unit would be is calculated where that is known, and else not foretold: its bare number is no repair.
func TestNumbersInOtherUnits(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	var rows [][]string
	for i := range 300 {
		rows = append(rows, []string{fmt.Sprint("n", i), fmt.Sprintf("%.0f cm", 170+8*r.NormFloat64()), fmt.Sprintf("%.1f kg", 70+9*r.NormFloat64()),
			fmt.Sprintf("%.1f °C", 36.8+.3*r.NormFloat64()), fmt.Sprintf("%.2f €", 20+3*r.NormFloat64()), fmt.Sprintf("%.0f", 170+8*r.NormFloat64())})
	}
	none := math.NaN()
	for i, set := range []struct {
		column int
		text   string
		want   float64
	}{
		{1, "1.72 m", 172}, {1, "5.8 ft", 176.784}, {2, "154 lb", 69.9}, {2, "71000 g", 71}, {3, "98.6 °F", 37}, {3, "310.15 K", 37}, {4, "$20.00", none}, {5, "1.72 m", none},
		{1, "170 kg", none}, {2, "70 quid", 70}, {2, "ca. 70 kg", 70}, {2, "7O.5 kg", 70.5}, {5, "170 or so", 170}, {1, "68 inches", none},
	} {
		row := 10 + 20*i
		rows[row][set.column] = set.text
		table := tolerant.FromStrings([]string{"name", "height", "weight", "temp", "price", "tall"}, rows, tolerant.Options{})
		_, found := wrongRows(t, table)
		seen := false
		for _, c := range found.Cells {
			if c.Row == row && c.Column == set.column {
				seen = true
				if !(math.Abs(c.Expected-set.want) <= 0.05 || c.Expected != c.Expected && set.want != set.want) {
					t.Errorf("%q: expected %g, not %g: %s", set.text, c.Expected, set.want, c.Why)
				}
				t.Log(c.Why)
			}
		}
		if !seen {
			t.Errorf("%q is not found", set.text)
		}
		rows[row][set.column] = rows[row-1][set.column]
	}
}
