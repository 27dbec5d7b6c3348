package check

import (
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// Dates are shown as the column writes them.
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
		{"3:04 PM", 15*3600 + 2*60, "3:02 PM"},
		{"02.01.2006", noon - 3600, "01.06.2024"},
		{"20060102", noon - 12*3600, "20240601"},
		{"2006-01-02 15:04", noon, "2024-06-01 12:00"},
		{"20060102150405", noon, "20240601120000"},
		{"", noon, "2024-06-01 12:00:00"},
	} {
		if got := amount(&tolerant.Column{Kind: tolerant.Date, Layout: c.layout}, c.value); got != c.want {
			t.Errorf("%q, %v: %q, want %q", c.layout, c.value, got, c.want)
		}
	}
}

func TestAmountsInTheWritingOfTheirColumn(t *testing.T) {
	german := tolerant.Column{Kind: tolerant.Number, Unit: "€", Comma: true, Grouping: ".", Decimals: 2}
	for v, want := range map[float64]string{3200: "3.200 €", -1234567.5: "-1.234.567,50 €", 48.25: "48,25 €", 999: "999 €"} {
		if got := amount(&german, v); got != want {
			t.Errorf("%g is %q", v, got)
		}
	}
	cents := tolerant.Column{Kind: tolerant.Number, Unit: "$", Grouping: ",", Decimals: 2}
	if got := amount(&tolerant.Column{Kind: tolerant.Number, Decimals: 14}, 59.85); got != "59.85" {
		t.Errorf("among numbers with all their digits: %s", got)
	}
	if got := amount(&cents, 5402.7); got != "$5,402.70" {
		t.Errorf("%q", got)
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
	days := tolerant.FromStrings([]string{"day"}, [][]string{{"01/01/2023"}, {"01/31/2023"}, {"02/03/2023"}}, tolerant.Options{})
	if got := asWritten(days, 0, 0); got != "01/01/2023" {
		t.Errorf("%q", got)
	}
}

// What the sentence suggests is the day that stands in the list of cells, however wide its range.
func TestSuggestedDatesAreNotRoundedInSeconds(t *testing.T) {
	const day = 86400
	column := tolerant.Column{Name: "hired", Kind: tolerant.Date, Layout: "01/02/2006"}
	cell := Cell{Expected: 16075 * day, Low: (16075 - 4000) * day, High: (16075 + 4000) * day}
	if got, want := whyCell(&column, "07/14/1911", &cell), "hired is 07/14/1911, the rest of the row suggests about 01/05/2014 (01/23/2003 to 12/18/2024)"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	timed := tolerant.Column{Kind: tolerant.Date, Layout: "2006-01-02 15:04"}
	if got := amount(&timed, 16075*day+13*3600+56*60+40); got != "2014-01-05 13:57" {
		t.Error(got)
	}
}
