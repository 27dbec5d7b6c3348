package jobs

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// accounts are rows of a statement: days from a first one on, amounts, and the balance from where it was.
func accounts(n, day, days, balance, seed int) (rows [][]string) {
	for i := range n {
		net := 1000 + ((i+seed)*7919)%9000
		amount := ((i+seed)*6007)%9001 - 4000
		balance += amount
		when := time.Date(2024, 1, 1+day+((i+seed)*37)%days, 0, 0, 0, 0, time.UTC)
		rows = append(rows, []string{when.Format(time.DateOnly), cents(net), cents(net * 19 / 100), cents(net + net*19/100), cents(amount), cents(balance), fmt.Sprintf("X-%d", i)})
	}
	return rows
}

// A batch is not wrong, and not far out, because its days are later, its balance has grown or it lacks columns; it is named by a column
// that the model does not know, and laws of lacking columns are not listed.
func TestBatchesThatDiffer(t *testing.T) {
	names := []string{"date", "net", "vat", "total", "amount", "balance"}
	read := func(rows [][]string, names []string) *tolerant.Table {
		return tolerant.FromStrings(names, rows, tolerant.Options{})
	}
	first, err := inlier.Check{Table: read(accounts(300, 0, 90, 100000, 0), names)}.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	model := filepath.Join(t.TempDir(), "model.npz")
	if err := first.Model.Save(model); err != nil {
		t.Fatal(err)
	}
	lacking := accounts(60, 60, 30, 200000, 3)
	for i, row := range lacking {
		lacking[i] = []string{row[0], row[1], row[3], row[5]}
	}
	for name, table := range map[string]*tolerant.Table{
		"grown": read(accounts(60, 90, 30, 90000000, 1), append(names, "ref")),
		"small": read(accounts(4, 310, 20, 1400000, 2), append(names, "ref")),
		"lacks": read(lacking, []string{"date", "net", "total", "balance"}),
	} {
		id := ""
		if name != "lacks" {
			id = "ref"
		}
		r, err := inlier.Check{Table: table, Against: model, ID: id}.Run(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.WrongRows) > 0 || len(r.Extreme) > 0 {
			t.Errorf("%s: wrong are %v, far %v", name, r.WrongRows, r.Extreme)
			for _, row := range append(r.WrongRows, r.Extreme...)[:1] {
				t.Log(r.Why(row - 1))
			}
		}
		var out strings.Builder
		if err := r.WriteRows(&out); err != nil {
			t.Fatal(err)
		}
		if id != "" && !strings.Contains(out.String(), "\n2,X-1,") {
			t.Errorf("%s: rows are not named: %.80q", name, out.String())
		}
		for _, law := range r.Relations {
			if law.Rows == 0 && name != "small" {
				t.Errorf("%s: %q is listed with no rows", name, law.Text)
			}
		}
	}
}
