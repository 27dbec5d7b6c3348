package tolerant

import (
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/internal/fixture"
)

// describeColumns is what columns were taken for, in a line each.
func describeColumns(table *Table) string {
	var b strings.Builder
	for _, c := range table.Columns {
		b.WriteString(c.Name + " " + c.Kind.String() + "\n")
	}
	return b.String()
}

func remarksOf(table *Table) string {
	var all []string
	for _, r := range table.Remarks {
		all = append(all, r.Text)
	}
	return strings.Join(all, " ")
}

// testdata/orders.xlsx was written by github.com/xuri/excelize v2.11: an empty sheet, one with a title, a blank row, dates and
// times by style, an error, rich texts and formulas without values, and a third.
func TestWorkbook(t *testing.T) {
	table := open(t, Options{}, fixture.Path(t, "orders.xlsx"))
	want := "Order id\nDate date\nShipped date\nPrice number\nShare number\nPaid boolean\nNote category\nSum empty\nComment text\n"
	if got := describeColumns(table); got != want || table.Rows != 6 {
		t.Fatalf("%d rows of\n%s", table.Rows, got)
	}
	c := table.Columns
	if c[1].Values[0] != 1706400000 || c[2].Values[1] != 1709476200 || c[3].Values[1] != 1234.5+1.0/7 || c[3].Missing != 1 || c[6].Levels[0] != "see page" || table.Text(2, 0) != "A<3>" {
		t.Errorf("%v %v %v %v %q", c[1].Values, c[2].Values, c[3].Values, c[6].Levels, table.Text(2, 0))
	}
	if table.Text(3, 8) != "late & lost" {
		t.Errorf("comment %q", table.Text(3, 8))
	}
	if _, line := table.Place(0); line != 4 {
		t.Errorf("the first row stands in row %d", line)
	}
	for _, part := range []string{`"Orders of 2024"`, `6 formulas have no value`, `Sheet "Orders" was read; the workbook has also Sheet1, Other & more.`} {
		if !strings.Contains(remarksOf(table), part) {
			t.Errorf("remarks lack %s: %s", part, remarksOf(table))
		}
	}
	if other := open(t, Options{Sheet: "3", Header: "no"}, fixture.Path(t, "orders.xlsx")); other.Rows != 1 || len(other.Columns) != 1 {
		t.Errorf("the third sheet: %d rows, %d columns", other.Rows, len(other.Columns))
	}
}

const small = "name;size\nanna;1,5\nben;2,25\nanna;3\nben;4\n"

// Days that workbooks count from 1899-12-30, or 1904-01-01, by Python: datetime.date(1899, 12, 30) + datetime.timedelta(110000).
func TestDaysOfWorkbooks(t *testing.T) {
	b := &workbook{since: daysSince1970(1899, 12, 30)}
	for text, want := range map[string]string{"45322": "2024-01-31", "2958465": "9999-12-31", "45322.5": "2024-01-31 12:00:00", "110000": "2201-03-02"} {
		if got := b.day(text, dateOnly); got != want {
			t.Errorf("%s is %s", text, got)
		}
	}
	if got := (&workbook{since: daysSince1970(1904, 1, 1)}).day("43860", dateOnly); got != "2024-01-31" {
		t.Errorf("since 1904: %s", got)
	}
}
