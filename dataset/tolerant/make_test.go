package tolerant

import (
	"testing"
)

// column makes a table of one column.
func column(t *testing.T, o Options, cells ...string) *Column {
	t.Helper()
	rows := make([][]string, len(cells))
	for i, c := range cells {
		rows[i] = []string{c}
	}
	return &FromStrings([]string{"c"}, rows, o).Columns[0]
}
