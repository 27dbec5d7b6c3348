package check

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

func lawsOf(t *testing.T, table *tolerant.Table) (Evidence, []Relation) {
	t.Helper()
	l, err := learnLaws(context.Background(), table, 1)
	if err != nil {
		t.Fatal(err)
	}
	e, r, err := l.judge(context.Background(), table)
	if err != nil {
		t.Fatal(err)
	}
	return e, r
}

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

func texts(relations []Relation) (out []string) {
	for _, r := range relations {
		out = append(out, r.Text)
	}
	return out
}

func TestRelationsOfOrders(t *testing.T) {
	for _, n := range []int{60, 1000, 5000} {
		table := ordersTable(n, uint64(n))
		r := random.New(1, "errors")
		type slipped struct{ row, column int }
		var planted []slipped
		for k := range n / 40 {
			s := slipped{row: 40*k + r.IntN(40), column: []int{0, 1, 3, 5, 6, 8}[k%6]}
			planted = append(planted, s)
			table.Columns[s.column].Values[s.row] *= []float64{10, 0.1, -1, 3.7}[k%4]
		}
		e, relations := lawsOf(t, table)
		got := texts(relations)
		t.Log(n, got)
		for _, want := range []string{"net = qty * price", "vat = 0.19 * net", "total = net + vat + shipping", "weight = 1.8 * qty", "paid = total * (1 - discount/100)"} {
			if !slices.Contains(got, want) {
				t.Errorf("n = %d: %q is not among %q", n, want, got)
			}
		}
		named := 0
		for _, p := range planted {
			if slices.ContainsFunc(e.Cells, func(s Suspicion) bool { return s.Row == p.row && s.Column == p.column && s.Certain }) {
				named++
			} else {
				for _, s := range e.Cells {
					if s.Row == p.row {
						t.Log(p, s.Column, s.Why)
					}
				}
			}
		}
		if n >= 1000 && float64(named) < 0.9*float64(len(planted)) {
			t.Errorf("n = %d: %d of %d guilty cells named", n, named, len(planted))
		}
		for _, s := range e.Cells {
			if !slices.ContainsFunc(planted, func(p slipped) bool { return p.row == s.Row }) {
				t.Errorf("n = %d: row %d is clean: %s", n, s.Row, s.Why)
			}
		}
	}
}

func TestNoRelationByChance(t *testing.T) {
	for _, shape := range cleanShapes {
		for seed := range many(2, 60) {
			for _, size := range [][2]int{{12, 4}, {30, 8}, {100, 5}, {300, 10}, {500, 7}} {
				e, relations := lawsOf(t, cleanTable(shape, size[0], size[1], seed))
				if len(relations) > 0 || len(e.Cells) > 0 {
					t.Errorf("%s, %v, seed %d: %q, %d cells", shape, size, seed, texts(relations), len(e.Cells))
				}
			}
		}
	}
}

func TestNoRelationAmongFewValues(t *testing.T) {
	for seed := range many(2, 60) {
		for _, values := range []int{2, 3, 5, 10} {
			for _, n := range []int{15, 60, 400} {
				r := random.New(seed, fmt.Sprint("few", values, n))
				columns := make([][]float64, 8)
				names := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
				for j := range columns {
					for i := range n {
						v := float64(r.IntN(values))
						if j > 5 && i > 0 && r.Float64() < 0.9 { // raters that mostly agree
							v = columns[j-1][i] + float64(r.IntN(2)*r.IntN(2))
							if len(columns[j-1]) <= i {
								v = 0
							}
						}
						columns[j] = append(columns[j], v)
					}
				}
				if e, relations := lawsOf(t, numbersTable(names, columns...)); slices.ContainsFunc(e.Cells, func(s Suspicion) bool { return s.Certain || s.P < 0.05 }) {
					t.Errorf("%d values, n = %d, seed %d: %q, %v", values, n, seed, texts(relations), e.Cells[0].Why)
				}
			}
		}
	}
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
