package tolerant

import (
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// sound complains about what no table may be.
func sound(t *testing.T, table *tolerant.Table) {
	t.Helper()
	names := map[string]bool{}
	for j := range table.Columns {
		c := &table.Columns[j]
		if names[c.Name] {
			t.Errorf("the name %q stands twice", c.Name)
		}
		names[c.Name] = true
		if c.Missing < 0 || c.Missing+len(c.Misfits) > table.Rows || c.Sure < 0 || c.Sure > 1 || c.Kind == tolerant.Empty && c.Missing != table.Rows {
			t.Errorf("column %q: a %v of %d rows, %d missing, %d misfits, %v sure", c.Name, c.Kind, table.Rows, c.Missing, len(c.Misfits), c.Sure)
		}
		if aside := c.Kind == tolerant.Empty || c.Kind == tolerant.Identifier || c.Kind == tolerant.Text; aside != (c.Values == nil) && table.Rows > 0 {
			t.Errorf("column %q: a %v with values %v", c.Name, c.Kind, c.Values)
		}
		gaps := 0
		for i, v := range c.Values {
			switch {
			case v != v:
				gaps++
			case math.IsInf(v, 0):
				t.Errorf("column %q, row %d: %v", c.Name, i, v)
			case (c.Kind == tolerant.Category || c.Kind == tolerant.Boolean) && (v < 0 || int(v) >= len(c.Levels)):
				t.Errorf("column %q, row %d: level %v of %d", c.Name, i, v, len(c.Levels))
			}
		}
		if c.Values != nil && gaps != c.Missing+len(c.Misfits) {
			t.Errorf("column %q: %d gaps, %d missing, %d misfits", c.Name, gaps, c.Missing, len(c.Misfits))
		}
	}
	for i := range min(table.Rows, 5) {
		for j := range table.Columns {
			table.Text(i, j)
		}
		table.Place(i)
	}
}

// What is read does not depend on the number of workers.
func TestWorkersDoNotMatter(t *testing.T) {
	text := "id;day;city;x;y\n" + rowsOf(20000, func(i int) string {
		return []string{"", "A;03/04/2024;Rom;1,5;2", "B;05/04/2024;Bern;n/a;oops", "C;26/04/2024;Rom;-999;3", "D;01/04/2024;Oslo;7,25;4"}[1+i*i%4]
	})
	read := func(workers int) *tolerant.Table {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
		table := open(t, tolerant.Options{Input: strings.NewReader(text)}, "-")
		sound(t, table)
		for j := range table.Columns { // NaN is not equal to itself
			for i, v := range table.Columns[j].Values {
				if v != v {
					table.Columns[j].Values[i] = -12345
				}
			}
		}
		return table
	}
	if one, three := read(1), read(3); !reflect.DeepEqual(one, three) {
		t.Error("one worker reads otherwise than three")
	}
}
