package check

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

func cents(v float64) float64 { return math.Round(100*v) / 100 }

// ordersTable is an order table without mistakes.
func ordersTable(n int, seed uint64) *tolerant.Table {
	r := random.New(seed, "orders")
	names := []string{"qty", "price", "net", "vat", "shipping", "total", "weight", "discount", "paid"}
	c := make([][]float64, len(names))
	for range n {
		qty := float64(1 + r.IntN(20))
		price := cents(5 + 20*r.ExpFloat64())
		net := cents(qty * price)
		vat := cents(0.19 * net)
		shipping := 0.0
		if r.Float64() < 0.3 {
			shipping = 4.9 + float64(r.IntN(5))
		}
		total := cents(net + vat + shipping)
		discount := float64(5 * r.IntN(5))
		paid := cents(total * (1 - discount/100))
		for j, v := range []float64{qty, price, net, vat, shipping, total, cents(1.8 * qty), discount, paid} {
			c[j] = append(c[j], v)
		}
	}
	return numbersTable(names, c...)
}

func texts(relations []check.Relation) (out []string) {
	for _, r := range relations {
		out = append(out, r.Text)
	}
	return out
}

// Of two columns that decide each other one is wrong, not both: the one that a third speaks against.
func TestColumnsThatAccuseEachOther(t *testing.T) {
	r := random.New(6, "states")
	cities, states := []string{"Boston", "Austin", "Chicago", "Seattle"}, []string{"MA", "TX", "IL", "WA"}
	var rows [][]string
	for range 400 {
		k := r.IntN(4)
		rows = append(rows, []string{states[k], cities[k], fmt.Sprint(200 + 10*k + r.IntN(4)), fmt.Sprint(r.IntN(90))})
	}
	rows[40][1] = cities[(slices.Index(cities, rows[40][1])+1)%4]
	rows[90][0] = states[(slices.Index(states, rows[90][0])+1)%4]
	for columns, names := range map[int][]string{2: {"state", "city", "calls"}, 3: {"state", "city", "branch", "calls"}} {
		var cells [][]string
		for _, row := range rows {
			cells = append(cells, append(slices.Clone(row[:columns]), row[3]))
		}
		table := tolerant.FromStrings(names, cells, tolerant.Options{})
		got, err := check.Run(context.Background(), table, check.Settings{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		wrong := map[int]int{}
		for _, c := range got.Cells {
			if c.Wrong && c.Doubt == (columns == 2) && (columns == 3 || c.Column == 0) { // of two nobody knows which
				wrong[c.Row]++
				if columns == 3 && c.Column != map[int]int{40: 1, 90: 0}[c.Row] {
					t.Errorf("row %d: %s", c.Row, c.Why)
				}
			}
		}
		if wrong[40] != 1 || wrong[90] != 1 || len(wrong) != 2 {
			t.Errorf("%d columns: wrong cells by row %v", columns, wrong)
		}
	}
}

// A count that comes out whole when the total is divided by the price is the guilty cell: a wrong total would hardly ever be a multiple.
func TestQuotientsThatComeOutWhole(t *testing.T) {
	r := random.New(8, "quotients")
	const n = 600
	qty, price, total := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		qty[i], price[i] = math.Max(1, math.Round(math.Exp(2+r.NormFloat64()))), cents(math.Exp(3+r.NormFloat64()))
		total[i] = cents(qty[i] * price[i])
	}
	for k := range 8 {
		qty[50*k+20], price[50*k+20] = 2, 13.27+float64(k)
		total[50*k+20] = cents(float64(17+k) * price[50*k+20])
		total[50*k+30] = cents(total[50*k+30] * (1.37 + r.Float64()))
	}
	wrong, found := wrongRows(t, numbersTable([]string{"qty", "price", "total"}, qty, price, total))
	right := 0
	for _, row := range wrong {
		if cells := found.CellsOf(row); row%50 == 20 && cells[0].Column == 0 || row%50 == 30 && cells[0].Column == 2 {
			right++
		}
	}
	if right < 12 || len(wrong) > 17 {
		t.Errorf("%d of 16 are found and blamed rightly, %d rows are called wrong", right, len(wrong))
	}
}
