package jobs

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// twoOrders is a table whose dates tell their order nowhere: ordered with the day first, delivered with the month first, nine days later.
// The last row is the one before but for its stamp.
func twoOrders() string {
	var b strings.Builder
	b.WriteString("ordered,delivered,stamp,amount\n")
	for i := range 120 {
		fmt.Fprintf(&b, "%02d/%02d/2024,%02d/%02d/2024,%d,%d.%02d\n", 1+i%3, 1+i%12, 1+i%12, 10+i%3, 1000+i*i*7919%90001, 20+i*i*7717%8011, i*61%97)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	last := strings.Split(lines[57], ",")
	last[2] = "5"
	return b.String() + strings.Join(last, ",") + "\n"
}

// A column can be left out of a check and a fit, and said to hold dates in an order of its own; a batch is read likewise, and what is left out stays in the repaired file.
func TestColumnsLeftOutAndDatesInAnOrder(t *testing.T) {
	ask := inlier.Check{Reader: strings.NewReader(twoOrders()), Repair: true, Reading: inlier.Reading{As: map[string]string{"ordered": "dmy", "delivered": "MDY", "stamp": "ignored"}}}
	r, err := ask.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	held := func(r *inlier.CheckResult) {
		t.Helper()
		var as []string
		for _, c := range r.Columns {
			as = append(as, c.ReadAs)
		}
		if got := strings.Join(as, " "); got != "date date ignored number" {
			t.Errorf("columns are %s", got)
		}
		for _, row := range []int{0, 17, 57} {
			ordered, delivered := r.Table.Columns[0].Values[row], r.Table.Columns[1].Values[row]
			if days := (delivered - ordered) / 86400; days != 9 {
				t.Errorf("row %d: delivered %g days after it was ordered", row+1, days)
			}
		}
	}
	held(r)
	if len(r.WrongCells) > 0 || len(r.WrongRows) != 1 || r.WrongRows[0] != 121 {
		t.Errorf("wrong are rows %v and cells %v; row 121 is row 57 once more", r.WrongRows, r.WrongCells)
	}
	var out bytes.Buffer
	if err := r.WriteRepaired(&out); err != nil || out.String() != twoOrders() {
		t.Errorf("%v; the file is changed: %.300s", err, out.String())
	}
	var model bytes.Buffer
	if _, err := r.Model.WriteTo(&model); err != nil {
		t.Fatal(err)
	}
	again, err := check.Read(context.Background(), &model)
	if err != nil {
		t.Fatal(err)
	}
	batch, err := inlier.Check{Reader: strings.NewReader(twoOrders()), Learned: again}.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	held(batch)

	fit, err := inlier.Fit{Method: "pca-robust", Data: inlier.Data{Reader: strings.NewReader(twoOrders()), Tolerant: true, As: ask.As}}.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if names := fmt.Sprint(fit.Fitted().Value.Describe().ColumnNames); names != "[ordered delivered amount]" {
		t.Errorf("learned from %s", names)
	}
}

// Cells that are known to be dates stay so, whatever order is told; a target that is left out is one all the same.
func TestToldOrdersOfKnownDates(t *testing.T) {
	table := tolerant.FromStrings([]string{"when", "n"}, [][]string{{"2024-03-05", "1"}, {"2024-04-06", "2"}, {"13.12.2024", "3"}}, tolerant.Options{As: map[string]tolerant.Kind{"when": tolerant.DayFirst}})
	if c := table.Columns[0]; c.Kind != tolerant.Date || len(c.Misfits) > 0 {
		t.Errorf("%v with misfits %v", c.Kind, c.Misfits)
	}
	for _, text := range []string{"when=dmy", "when=ymd", "when=IGNORED"} {
		if _, kind, err := tolerant.ParseAs(text); err != nil || !strings.EqualFold("when="+kind.String(), text) {
			t.Errorf("%s: %v, %v", text, kind, err)
		}
	}
	for _, text := range []string{"when=", "when=empty", "when=ymdd"} {
		if _, kind, err := tolerant.ParseAs(text); err == nil || !strings.Contains(err.Error(), "ignored") {
			t.Errorf("%s: %v, %v", text, kind, err)
		}
	}
}

// A batch is judged without a column that is left out of it alone, and nothing is missed where the model was learned without the column.
func TestBatchesWithoutColumnsLeftOut(t *testing.T) {
	var with, without strings.Builder
	with.WriteString("net,tax,total\n")
	without.WriteString("net,total\n")
	for i := range 150 {
		net := 1000 + i*i*7919%90001
		tax := 100 + i*i*6007%7919
		fmt.Fprintf(&with, "%s,%s,%s\n", cents(net), cents(tax), cents(net+tax))
		fmt.Fprintf(&without, "%s,%s\n", cents(net), cents(net+tax))
	}
	check := func(text string, as map[string]string, learned *inlier.CheckResult) *inlier.CheckResult {
		t.Helper()
		ask := inlier.Check{Reader: strings.NewReader(text), Reading: inlier.Reading{As: as}}
		if learned != nil {
			ask.Learned = learned.Model
		}
		r, err := ask.Run(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	left := map[string]string{"tax": "ignored"}
	batch := check(with.String(), left, check(with.String(), nil, nil))
	for _, law := range batch.Relations {
		if strings.Contains(law.Text, "tax") {
			t.Errorf("%s is said to hold in %d rows", law.Text, law.Rows)
		}
	}
	if len(batch.WrongRows) > 0 {
		t.Errorf("rows %v are wrong", batch.WrongRows)
	}
	batch = check(without.String(), nil, check(with.String(), left, nil))
	if said := batch.Verdict + fmt.Sprint(batch.Remarks); strings.Contains(said, "not there") {
		t.Error(said)
	}
	if _, err := (inlier.Check{Reader: strings.NewReader("a,b\n1,2\n"), Learned: check(with.String(), left, nil).Model}).Run(context.Background(), nil); err == nil {
		t.Error("a table without any of the columns was judged")
	}
}
