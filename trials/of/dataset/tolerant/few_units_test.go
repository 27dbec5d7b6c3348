package tolerant_test

import (
	"fmt"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// A unit that stands beside a few numbers of a column, as in rows that are shifted, is not that of the others: they are not written with it.
func TestUnitOfFewCells(t *testing.T) {
	rows := make([][]string, 300)
	for i := range rows {
		rows[i] = []string{fmt.Sprintf("%d.%02d", 100+7*i%90, i%100)}
	}
	rows[20][0], rows[90][0] = "1.94%", "0.28%"
	table := tolerant.FromStrings([]string{"cost"}, rows, tolerant.Options{})
	if c := &table.Columns[0]; c.Kind != tolerant.Number || !c.Above || c.Unit != "" || c.Values[20] != 1.94 {
		t.Errorf("%v, unit %q above: %v, %g", c.Kind, c.Unit, c.Above, c.Values[20])
	}
}

// Nor is a mark between thousands that stands in a few: years are not written 1.996 because a price came into their column.
func TestGroupingOfFewCells(t *testing.T) {
	rows := make([][]string, 300)
	for i := range rows {
		rows[i] = []string{fmt.Sprint(1900 + 7*i%120), fmt.Sprintf("%d,%d", 10+i%80, i%10)}
	}
	rows[20][0], rows[90][0] = "2.600", "1.234.567"
	table := tolerant.FromStrings([]string{"built", "size"}, rows, tolerant.Options{})
	if c := &table.Columns[0]; c.Kind != tolerant.Number || c.Grouping != "" || c.Values[20] != 2600 {
		t.Errorf("%v, grouping %q, %g", c.Kind, c.Grouping, c.Values[20])
	}
}

// Capitals tell mega from milli: 5 mW among megawatts are no 5 MW.
func TestCapitalsOfUnits(t *testing.T) {
	rows := make([][]string, 100)
	for i := range rows {
		rows[i] = []string{fmt.Sprintf("%d MW", 100+7*i%90), fmt.Sprintf("%d l", 1+i%20)}
	}
	rows[20][0], rows[30][1] = "150 mW", "15 L"
	table := tolerant.FromStrings([]string{"power", "volume"}, rows, tolerant.Options{})
	if c := &table.Columns[0]; c.Unit != "MW" || len(c.Misfits) != 1 || c.Misfits[0] != 20 {
		t.Errorf("unit %q, misfits %v, %g", c.Unit, c.Misfits, c.Values[20])
	}
	if c := &table.Columns[1]; len(c.Misfits) > 0 || c.Values[30] != 15 {
		t.Errorf("misfits %v, %g", c.Misfits, c.Values[30])
	}
}
