package check

import (
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// Dates are shown as finely as the column writes them.
func TestDatesAreShownAsTheColumnHasThem(t *testing.T) {
	const noon = 19875*86400 + 12*3600 // of 2024-06-01
	for _, c := range []struct {
		layout string
		value  float64
		want   string
	}{
		{"15:04", 15*3600 + 2*60, "15:02"},
		{"15:04", 15*3600 + 2*60 + 40, "15:03"},
		{"15:04:05", 15*3600 + 2*60 + 40, "15:02:40"},
		{"3:04 PM", 15*3600 + 2*60, "15:02"},
		{"02.01.2006", noon - 3600, "2024-06-01"},
		{"20060102", noon - 12*3600, "2024-06-01"},
		{"2006-01-02 15:04", noon, "2024-06-01 12:00:00"},
		{"20060102150405", noon, "2024-06-01 12:00:00"},
		{"", noon, "2024-06-01 12:00:00"},
	} {
		if got := amount(&tolerant.Column{Kind: tolerant.Date, Layout: c.layout}, c.value); got != c.want {
			t.Errorf("%q, %v: %q, want %q", c.layout, c.value, got, c.want)
		}
	}
}

func TestAmountsInTheWritingOfTheirColumn(t *testing.T) {
	german := tolerant.Column{Kind: tolerant.Number, Unit: "€", Comma: true, Grouping: ".", Decimals: 2}
	for v, want := range map[float64]string{3200: "3.200 €", -1234567.5: "-1.234.567,5 €", 48.25: "48,25 €", 999: "999 €"} {
		if got := amount(&german, v); got != want {
			t.Errorf("%g is %q", v, got)
		}
	}
	american := tolerant.Column{Kind: tolerant.Number, Unit: "$", Grouping: ","}
	if got := amount(&american, 12345.5); got != "$12,345.5" {
		t.Errorf("%q", got)
	}
	if got := amount(&american, -1542.5); got != "-$1,542.5" {
		t.Errorf("%q", got)
	}
	for v, want := range map[float64]float64{1542.8168383: 1542.82, 0.0123456: 0.0123456, 5402.7: 5402.7} {
		if got := inDecimals(&german, v); got != want {
			t.Errorf("%g is %g in cents", v, got)
		}
	}
	fine := tolerant.Column{Kind: tolerant.Number, Decimals: 5}
	if got := amount(&fine, 1e12); got != "1000000000000" {
		t.Errorf("%q", got)
	}
	table := tolerant.FromStrings([]string{"Betrag"}, [][]string{{"3.200,00"}, {"12,50"}, {"7,25"}}, tolerant.Options{})
	if got := asWritten(table, 0, 0); got != "3.200,00" {
		t.Errorf("%q", got)
	}
}

// What the sentence suggests is the day that stands in the list of cells, however wide its range.
func TestSuggestedDatesAreNotRoundedInSeconds(t *testing.T) {
	const day = 86400
	column := tolerant.Column{Name: "hired", Kind: tolerant.Date, Layout: "01/02/2006"}
	cell := Cell{Expected: 16075 * day, Low: (16075 - 4000) * day, High: (16075 + 4000) * day}
	if got, want := whyCell(&column, "1911-07-14", &cell), "hired is 1911-07-14, the rest of the row suggests about 2014-01-05 (2003-01-23 to 2024-12-18)"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	timed := tolerant.Column{Kind: tolerant.Date, Layout: "2006-01-02 15:04"}
	if got := amount(&timed, 16075*day+13*3600+56*60+40); got != "2014-01-05 13:57:00" {
		t.Error(got)
	}
}
