package check

import (
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/internal/random"
)

// One exception to a law is a mistake also in a table of few rows, and so are two in fifty; a wrong balance breaks two rows and is one.
func TestExceptionsInSmallTables(t *testing.T) {
	for _, n := range []int{25, 50} {
		for seed := range uint64(3) {
			r := random.New(seed, "small")
			net, vat, total, amount, balance, day := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
			last := 1000.0
			for i := range n {
				net[i], vat[i] = cents(100+400*r.Float64()), cents(20+50*r.Float64())
				total[i] = cents(net[i] + vat[i])
				amount[i] = cents(200 * r.NormFloat64())
				last = cents(last + amount[i])
				balance[i], day[i] = last, 1.7e9+86400*float64(i)
			}
			want := []int{11}
			if total[11] += 60; n == 50 {
				total[33] -= 45
				want = []int{11, 33}
			}
			if rows, _ := wrongRows(t, numbersTable([]string{"net", "vat", "total"}, net, vat, total)); !slices.Equal(rows, want) {
				t.Errorf("%d invoices, seed %d: wrong are %v, want %v", n, seed, rows, want)
			}
			balance[17] += 30
			if rows, _ := wrongRows(t, numbersTable([]string{"amount", "balance"}, amount, balance)); !slices.Contains(rows, 17) || len(rows) > 2 {
				t.Errorf("%d bookings, seed %d: wrong are %v, want row 17", n, seed, rows)
			}
		}
	}
}
