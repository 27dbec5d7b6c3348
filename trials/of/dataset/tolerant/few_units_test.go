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
	if c := &table.Columns[0]; c.Kind != tolerant.Number || !c.Above || c.Values[20] != 1.94 {
		t.Errorf("%v, unit %q above: %v, %g", c.Kind, c.Unit, c.Above, c.Values[20])
	}
}
