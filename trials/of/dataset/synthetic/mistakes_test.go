package synthetic

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/dataset/synthetic"
)

// What a sheet writes is read back by a reader of delimited text.
func TestSheetIsDelimitedText(t *testing.T) {
	c := synthetic.DefaultOrders()
	c.N, c.Writing = 200, "europe"
	sheet := generate(t, &c, 2).Sheet
	var text bytes.Buffer
	n, err := sheet.WriteTo(&text)
	if err != nil || n != int64(text.Len()) {
		t.Fatalf("%d of %d bytes, %v", n, text.Len(), err)
	}
	in := csv.NewReader(strings.NewReader(strings.TrimPrefix(text.String(), "\ufeff")))
	in.Comma = ';'
	rows, err := in.ReadAll()
	if err != nil || len(rows) != 201 || len(rows[7]) != len(sheet.Columns) {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, row := range sheet.Rows {
		if strings.Join(row, "|") != strings.Join(rows[i+1], "|") {
			t.Fatalf("row %d: %q became %q", i+1, row, rows[i+1])
		}
	}
}
