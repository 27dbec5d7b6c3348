package check

import (
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/internal/random"
)

// Refunds turn several signs at once, or come often, or with a word; a slip turns one sign.
func TestRefundsAreRight(t *testing.T) {
	const n = 1000
	for _, c := range []struct {
		name  string
		every int
		qty   bool
		words bool
		slip  bool
	}{
		{"several signs", 200, true, false, true},
		{"one sign, often", 120, false, false, false},
		{"one sign, with a word", 250, false, true, true},
	} {
		r := random.New(5, c.name)
		qty, price, amount, kind := make([]float64, n), make([]float64, n), make([]float64, n), make([]string, n)
		for i := range n {
			qty[i], price[i], kind[i] = float64(1+r.IntN(9)), cents(5+30*r.ExpFloat64()), []string{"cash", "card"}[r.IntN(2)]
			amount[i] = cents(qty[i] * price[i])
			if i%c.every == 9 {
				amount[i] = -amount[i]
				qty[i] = -qty[i]
				kind[i] = "refund"
			}
		}
		var want []int
		if c.slip {
			amount[500], want = -amount[500], []int{500}
		}
		table := numbersTable([]string{"amount"}, amount)
		if c.qty {
			table = numbersTable([]string{"qty", "price", "amount"}, qty, price, amount)
		}
		if c.words {
			table.Columns = append(table.Columns, categoryColumn("kind", kind))
		}
		if rows, result := wrongRows(t, table); !slices.Equal(rows, want) {
			t.Errorf("%s: wrong are %v, want %v", c.name, rows, want)
			for _, row := range rows {
				t.Log(row, result.Why(row))
			}
		}
	}
}

// A sign that is turned again and again while the columns which go with it stay as they are is a slip.
func TestSignsOfTiedColumnsAreWrong(t *testing.T) {
	r := random.New(6, "parcels")
	const n = 1000
	length, weight := make([]float64, n), make([]float64, n)
	var want []int
	for i := range n {
		length[i] = cents(20 + 5*r.NormFloat64())
		if weight[i] = cents(3*length[i] + 2*r.NormFloat64()); i%120 == 9 {
			weight[i], want = -weight[i], append(want, i)
		}
	}
	if rows, _ := wrongRows(t, numbersTable([]string{"length", "weight"}, length, weight)); !slices.Equal(rows, want) {
		t.Errorf("wrong are %v, want %v", rows, want)
	}
}
