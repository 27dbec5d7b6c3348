package inlier

import (
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// An expected time is written as the nearest one that its column can write, as the sentence says it.
func TestExpectedDatesAreTheNearest(t *testing.T) {
	const evening = 19875*86400 + 20*3600 + 31*60 + 40.7 // of 2024-06-01
	for layout, want := range map[string]string{
		"02.01.2006":              "02.06.2024",
		"2006-01-02 15:04":        "2024-06-01 20:32",
		"2006-01-02 15:04:05":     "2024-06-01 20:31:41",
		"2006-01-02T15:04:05.000": "2024-06-01T20:31:40.700",
		"02/01/2006 15":           "01/06/2024 21",
	} {
		if got := written(&tolerant.Column{Kind: tolerant.Date, Layout: layout}, evening); got != want {
			t.Errorf("%s: %s, want %s", layout, got, want)
		}
	}
}

// What is expected stands in the writing of the cell that it replaces, with its signs and units, and can be read again.
func TestRepairedCells(t *testing.T) {
	r := &CheckResult{Table: tolerant.FromColumns(1, []tolerant.Column{{Kind: tolerant.Number, Decimals: 2, Values: []float64{1}}})}
	for _, c := range []struct {
		was      string
		expected float64
		want     string
	}{
		{".987", 0.41, ".41"}, {"-.5", -0.25, "-.25"}, {".5", 12, "12.00"}, {"5.", 7.25, "7.25"}, {"+97.6", -19, "-19.00"}, {"+97.6", 19, "+19.00"},
		{"–5.00", 3, "3.00"}, {"12.5 m2", 3, "3.00 m2"}, {"$-23.40", 23.4, "$23.40"}, {"(7.50)", -8, "-8.00"}, {"Rs.500", 20, "Rs.20.00"}, {"<0.1", 2, "2.00"}, {"", 2, "2.00"},
	} {
		if got := r.rewritten(&check.Cell{Expected: c.expected}, c.was); got != c.want {
			t.Errorf("%q with %g: %q, want %q", c.was, c.expected, got, c.want)
		}
	}
}

// Where some numbers of a column have more decimals than most, what a law gives has as many as it needs, and a guess as many as its range tells.
func TestExpectedDecimals(t *testing.T) {
	column := tolerant.Column{Kind: tolerant.Number}
	for i := range 100 {
		column.Values = append(column.Values, []float64{400, 300, 250, 72.5, 468.75}[i%5])
	}
	r := &CheckResult{Table: tolerant.FromColumns(100, []tolerant.Column{column})}
	for _, c := range []struct {
		expected, within float64
		want             string
	}{{468.75, 0.005, "468.75"}, {72.5, 0.005, "72.5"}, {80, 0.005, "80"}, {401.3712, 30, "401"}, {1.4321, 0.05, "1.43"}} {
		cells := []check.Cell{{Expected: c.expected, Low: c.expected - c.within, High: c.expected + c.within}}
		r.finest = []int{finestDecimals(&r.Table.Columns[0])}
		if got := r.rewritten(&cells[0], "4000"); got != c.want {
			t.Errorf("%g within %g: %s, want %s", c.expected, c.within, got, c.want)
		}
	}
}

// A repair writes no number that its column cannot have, and none where the row tells nothing of where in the column it would be.
func TestRepairedCellsOfCounts(t *testing.T) {
	r := &CheckResult{Table: tolerant.FromColumns(3, []tolerant.Column{{Kind: tolerant.Number, Values: []float64{1, 4, 100}}}), finest: []int{0}}
	for want, c := range map[string]*check.Cell{"0": {Row: 2, Expected: 0.2948}, "1": {Row: 2, Expected: 0.7}, "": {Row: 2, Expected: 5, Vague: true}} {
		if got := r.rewritten(c, "100"); got != want {
			t.Errorf("%g: %q, want %q", c.Expected, got, want)
		}
	}
}
