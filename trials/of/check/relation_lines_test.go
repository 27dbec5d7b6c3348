package check

import (
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/internal/random"
)

// An order of two lines and freight: the total is a sum of products, a slip in any of the columns breaks it and is named.
func TestSumsOfProducts(t *testing.T) {
	r := random.New(7, "lines")
	const n = 200
	columns := make([][]float64, 6)
	for c := range columns {
		columns[c] = make([]float64, n)
	}
	for i := range n {
		qa, pa, qb, pb := float64(1+r.IntN(11)), cents(4+56*r.Float64()), float64(r.IntN(9)), cents(15+75*r.Float64())
		freight := []float64{0, 4.9, 9.9}[r.IntN(3)]
		for c, v := range []float64{qa, pa, qb, pb, freight, cents(qa*pa + qb*pb + freight)} {
			columns[c][i] = v
		}
	}
	columns[5][40] += 15
	columns[1][90] = cents(10 * columns[1][90])
	columns[0][140] *= 10
	table := numbersTable([]string{"qty_a", "price_a", "qty_b", "price_b", "freight", "total"}, columns...)
	rows, result := wrongRows(t, table)
	if got := texts(result.Relations); !slices.Contains(got, "total = qty_a * price_a + qty_b * price_b + freight") {
		t.Errorf("relations are %q", got)
	}
	if !slices.Equal(rows, []int{40, 90, 140}) {
		t.Errorf("wrong are %v", rows)
	}
	for row, column := range map[int]int{40: 5, 90: 1, 140: 0} {
		at := slices.IndexFunc(result.Cells, func(c check.Cell) bool { return c.Row == row && c.Wrong })
		if at < 0 || result.Cells[at].Column != column {
			t.Errorf("row %d: %s", row, result.Why(row))
		}
	}
}
