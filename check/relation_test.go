package check

import (
	"context"
	"math"
	"testing"

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

// A small batch is held against the laws of what was learned before.
func TestRelationsLearnedBefore(t *testing.T) {
	batch := ordersTable(6, 77)
	for row := range 3 {
		batch.Columns[5].Values[row] += 50
	}
	e, err := relations(context.Background(), &view{table: batch, learned: ordersTable(500, 9)})
	if err != nil {
		t.Fatal(err)
	}
	got := map[[2]int]bool{}
	for _, s := range e.Cells {
		if s.Certain {
			got[[2]int{s.Row, s.Column}] = true
		}
	}
	if len(got) != 3 || !got[[2]int{0, 5}] || !got[[2]int{1, 5}] || !got[[2]int{2, 5}] {
		t.Errorf("%v", got)
	}
}
