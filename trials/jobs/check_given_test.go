package jobs

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// A cell that cannot be read is repaired by what a law of the table gives, a sum by its terms and a balance by the row before.
func TestRepairsGiveWhatLawsSay(t *testing.T) {
	var invoices, statement [][]string
	balance := 100000
	for i := range 120 {
		net := 1000 + (i*7919)%9000
		vat := net * 19 / 100
		amount := (i*6007)%9001 - 4000
		balance += amount
		invoices = append(invoices, []string{cents(net), cents(vat), cents(net + vat)})
		statement = append(statement, []string{fmt.Sprintf("2024-%02d-%02d", 1+i/28, 1+i%28), cents(amount), cents(balance)})
	}
	want := map[string]string{"total": invoices[30][2], "net": invoices[60][0], "balance": statement[50][2], "amount": statement[80][1]}
	invoices[30][2], invoices[60][0] = "see note", "o.k."
	statement[50][2], statement[80][1] = "??? Eur", "unreadable"
	got := map[string]string{}
	for _, table := range []*tolerant.Table{
		tolerant.FromStrings([]string{"net", "vat", "total"}, invoices, tolerant.Options{}),
		tolerant.FromStrings([]string{"date", "amount", "balance"}, statement, tolerant.Options{}),
	} {
		r, err := inlier.Check{Table: table, Repair: true}.Run(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range r.Changes() {
			got[c.Column] += c.Is
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("repaired to %v, want %v", got, want)
	}
}

func cents(n int) string {
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	return fmt.Sprintf("%s%d.%02d", sign, n/100, n%100)
}

// 99 stands apart from amounts below 30, and is one of them where the running sum says so.
func TestMarksThatSumsBearOut(t *testing.T) {
	var rows [][]string
	stock := 500
	for i := range 200 {
		in := 1 + (i*7919)%29
		if i%50 == 20 {
			in = 99
		}
		stock += in
		rows = append(rows, []string{fmt.Sprintf("2024-%02d-%02d", 1+i/28, 1+i%28), fmt.Sprint(in), fmt.Sprint(stock)})
	}
	r, err := inlier.Check{Table: tolerant.FromStrings([]string{"date", "in", "stock"}, rows, tolerant.Options{})}.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.WrongRows) > 0 || r.Columns[1].Missing > 0 || !strings.Contains(strings.Join(r.Columns[1].Remarks, " "), "bears it out") {
		t.Errorf("wrong are %v, %d missing, %q", r.WrongRows, r.Columns[1].Missing, r.Columns[1].Remarks)
	}
}
