package check

import (
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

func copyRow(table *tolerant.Table, from, to int) {
	for c := range table.Columns {
		table.Columns[c].Values[to] = table.Columns[c].Values[from]
	}
}

func TestDuplicates(t *testing.T) {
	table := cleanTable("normal", 500, 9, 3)
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
	if got := e.Why(300); got[:len("is the same as row 78 but for x2")] != "is the same as row 78 but for x2" {
		t.Error(got)
	}
	if got := e.Why(401); got != "is the same as row 11" {
		t.Error(got)
	}
}
