package tolerant

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// save writes a file for a test.
func save(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func open(t *testing.T, o tolerant.Options, paths ...string) *tolerant.Table {
	t.Helper()
	table, err := tolerant.Open(t.Context(), paths, o)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

const american = `Order,Date,Price,Total,Share,Qty,Paid,Qty
A-17,01/15/2024,$82.74,"$1,234.50",12 %,2,yes,3
A-18,01/16/2024,n/a,$12.00,3 %,1,no,1
A-19,02/28/2024,$5.10,-$3.00,-,4,yes,7
A-20,12/31/2024,$7.00,"($1,000.00)",100 %,two,no,9
`

// The same in German writing, as Windows-1252.
const german = "Order;Date;Price;Total;Share;Qty;Paid;Qty\r\n" +
	"A-17;15.01.2024;82,74 \x80;1.234,50 \x80;12 %;2;ja;3\r\n" +
	"A-18;16.01.2024;n/a;12,00 \x80;3 %;1;nein;1\r\n" +
	"A-19;28.02.2024;5,10 \x80;-3,00 \x80;-;4;ja;7\r\n" +
	"A-20;31.12.2024;7,00 \x80;-1.000,00 \x80;100 %;zwei;nein;9\r\n"

func TestOrdersInTwoWritings(t *testing.T) {
	for name, text := range map[string]string{"$": american, "€": german} {
		table := open(t, tolerant.Options{}, save(t, "orders.csv", text))
		kinds := []tolerant.Kind{tolerant.Identifier, tolerant.Date, tolerant.Number, tolerant.Number, tolerant.Number, tolerant.Number, tolerant.Boolean, tolerant.Number}
		values := [][]float64{nil, {1705276800, 1705363200, 1709078400, 1735603200}, {82.74, nan, 5.1, 7}, {1234.5, 12, -3, -1000}, {12, 3, nan, 100}, {2, 1, 4, nan}, {1, 0, 1, 0}, {3, 1, 7, 9}}
		if table.Rows != 4 || len(table.Columns) != len(kinds) {
			t.Fatalf("%s: %d rows, %d columns", name, table.Rows, len(table.Columns))
		}
		for j, c := range table.Columns {
			if c.Kind != kinds[j] || !sameValues(c.Values, values[j]) {
				t.Errorf("%s: column %q is a %v with %v", name, c.Name, c.Kind, c.Values)
			}
		}
		if c := table.Columns[3]; c.Unit != name || c.Comma != (name == "€") {
			t.Errorf("%s: unit %q, comma %v", name, c.Unit, c.Comma)
		}
		if c := table.Columns[5]; !slices.Equal(c.Misfits, []int{3}) || table.Columns[7].Name != "Qty (2)" {
			t.Errorf("%s: misfits %v, last %q", name, c.Misfits, table.Columns[7].Name)
		}
		if _, line := table.Place(2); line != 4 || table.Text(0, 0) != "A-17" {
			t.Errorf("%s: row 3 stands in line %d and the first cell is %q", name, line, table.Text(0, 0))
		}
	}
}
