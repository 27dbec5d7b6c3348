package tolerant

import (
	"testing"
)

func open(t *testing.T, o Options, paths ...string) *Table {
	t.Helper()
	table, err := Open(t.Context(), paths, o)
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
