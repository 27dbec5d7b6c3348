package check

import (
	"context"
	"fmt"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

func found(t *testing.T, p part, table *tolerant.Table) Evidence {
	t.Helper()
	e, err := p(context.Background(), &view{table: table})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func copyRow(table *tolerant.Table, from, to int) {
	for c := range table.Columns {
		table.Columns[c].Values[to] = table.Columns[c].Values[from]
	}
}

func TestDuplicates(t *testing.T) {
	table := ordersTable(500, 3)
	for k := range 5 {
		copyRow(table, 10*k, 400+k)
	}
	copyRow(table, 77, 300)
	table.Columns[1].Values[300] += 3
	e := found(t, duplicates, table)
	for row := range 500 {
		want := row >= 400 && row < 405 || row == 300
		if got := e.Rows[row] < 1e-4; got != want {
			t.Errorf("row %d: p %g, twin %v", row, e.Rows[row], want)
		}
	}
	if got := e.Why(300); got[:len("is the same as row 78 but for price")] != "is the same as row 78 but for price" {
		t.Error(got)
	}
	if got := e.Why(401); got != "is the same as row 11" {
		t.Error(got)
	}
}

func TestEqualRowsByRight(t *testing.T) {
	for _, shape := range cleanShapes {
		for seed := range many(3, 50) {
			for _, size := range [][2]int{{3, 2}, {20, 3}, {100, 5}, {1500, 4}, {1500, 10}} {
				if e := found(t, duplicates, cleanTable(shape, size[0], size[1], seed)); e.Rows != nil || len(e.Cells) > 0 {
					t.Errorf("%s, %v, seed %d: %v", shape, size, seed, e.Rows[:20])
				}
			}
		}
	}
}

func TestRepeatedKeys(t *testing.T) {
	var rows [][]string
	for i := range 200 {
		rows = append(rows, []string{fmt.Sprintf("A-%05d", 7000+3*i), fmt.Sprintf("C%03d", i*i%97), fmt.Sprint(i * i % 31)})
	}
	rows[150][0] = rows[20][0]
	table := tolerant.FromStrings([]string{"order", "customer", "x"}, rows, tolerant.Options{As: map[string]tolerant.Kind{"order": tolerant.Identifier, "customer": tolerant.Identifier}})
	e := found(t, duplicates, table)
	if len(e.Cells) != 1 || e.Cells[0].Row != 150 || e.Cells[0].Column != 0 {
		t.Errorf("%+v", e.Cells)
	}
}
