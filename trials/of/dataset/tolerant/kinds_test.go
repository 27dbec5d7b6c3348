package tolerant

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

func TestDates(t *testing.T) {
	for _, c := range []struct {
		layout string
		cells  []string
		first  string // of the cells, as the time package reads it
	}{
		{"2006-01-02", []string{"2024-02-29", "2023-12-31"}, "2024-02-29T00:00:00Z"},
		{"2006-01-02T15:04:05Z07:00", []string{"2024-02-29T12:30:15Z", "2023-12-31T00:00:00Z"}, "2024-02-29T12:30:15Z"},
		{"2006-01-02 15:04:05.000-07:00", []string{"2024-02-29 12:30:15.250+02:00", "2023-12-31 23:00:00.000-05:00"}, "2024-02-29T10:30:15.25Z"},
		{"2006/01/02", []string{"2024/02/29", "2023/12/31"}, "2024-02-29T00:00:00Z"},
		{"20060102", []string{"20240229", "20231231", "20220101"}, "2024-02-29T00:00:00Z"},
		{"02.01.2006", []string{"29.02.2024", "31.12.2023"}, "2024-02-29T00:00:00Z"},
		{"02.01.06 15:04", []string{"01.02.24 08:05", "31.12.23 10:00"}, "2024-02-01T08:05:00Z"},
		{"01/02/2006", []string{"02/29/2024", "12/31/2023", "01/02/2023"}, "2024-02-29T00:00:00Z"},
		{"02/01/2006", []string{"29/02/2024", "31/12/2023", "01/02/2023"}, "2024-02-29T00:00:00Z"},
		{"1/2/2006 3:04 PM", []string{"2/29/2024 1:05 PM", "9/3/2023 9:05 AM"}, "2024-02-29T13:05:00Z"},
		{"2 Jan 2006", []string{"3 Feb 2024", "5 Mar 2023"}, "2024-02-03T00:00:00Z"},
		{"Jan 02, 2006", []string{"Feb 29, 2024", "Dec 31, 2023"}, "2024-02-29T00:00:00Z"},
		{"02-Jan-06", []string{"29-Feb-24", "31-Dec-23"}, "2024-02-29T00:00:00Z"},
		{"2. January 2006", []string{"1. März 2024", "2. Mai 2023", "3. Januar 2023"}, "2024-03-01T00:00:00Z"},
		{"Mon, 02 Jan 2006 15:04:05 MST", []string{"Thu, 29 Feb 2024 12:00:00 GMT", "Sun, 31 Dec 2023 12:00:00 GMT"}, "2024-02-29T12:00:00Z"},
		{"02/Jan/2006:15:04:05 -0700", []string{"29/Feb/2024:12:30:15 +0200", "31/Dec/2023:23:00:00 +0000"}, "2024-02-29T10:30:15Z"},
		{"15:04:05", []string{"12:30:15", "23:59:59"}, "1970-01-01T12:30:15Z"},
		{"2006-01", []string{"2024-02", "2023-12"}, "2024-02-01T00:00:00Z"},
		{"January 2006", []string{"February 2024", "December 2023"}, "2024-02-01T00:00:00Z"},
	} {
		got := column(t, tolerant.Options{}, c.cells...)
		want, err := time.Parse(time.RFC3339Nano, c.first)
		if err != nil {
			t.Fatal(err)
		}
		if got.Kind != tolerant.Date || len(got.Misfits) > 0 || math.Abs(got.Values[0]-float64(want.UnixNano())/1e9) > 1e-6 || got.Layout != c.layout {
			t.Errorf("%q: a %v column of %v, layout %q", c.cells, got.Kind, got.Values, got.Layout)
		}
		if back, err := time.Parse(got.Layout, c.cells[0]); err == nil && back.Year() > 0 && !back.Equal(want) { // where the time package knows the names
			t.Errorf("%q is %v by layout %q", c.cells[0], back, got.Layout)
		}
	}
}

func TestOrderOfDates(t *testing.T) {
	unclear := column(t, tolerant.Options{}, "03/04/2024", "05/04/2024", "07/04/2024", "09/04/2024")
	if !strings.Contains(strings.Join(unclear.Remarks, ""), "two ways") {
		t.Errorf("remarks %q", unclear.Remarks)
	}
	if unclear.Values[1]-unclear.Values[0] != 61*86400 && unclear.Values[1]-unclear.Values[0] != 2*86400 {
		t.Errorf("values %v", unclear.Values)
	}
	forced := column(t, tolerant.Options{DateOrder: "dmy"}, "03/04/2024", "05/04/2024")
	if forced.Values[1]-forced.Values[0] != 2*86400 || len(forced.Remarks) > 0 {
		t.Errorf("%v %q", forced.Values, forced.Remarks)
	}
	// The days only become better in order when they stand first.
	byOrder := column(t, tolerant.Options{}, "01/02/2024", "12/02/2024", "02/03/2024", "11/03/2024")
	if byOrder.Layout != "02/01/2006" {
		t.Errorf("layout %q", byOrder.Layout)
	}
	mixed := column(t, tolerant.Options{}, "13/01/2024", "14/01/2024", "15/02/2024", "02/28/2024")
	if !slices.Equal(mixed.Misfits, []int{3}) || !strings.Contains(strings.Join(mixed.Remarks, ""), "other way round") {
		t.Errorf("misfits %v, remarks %q", mixed.Misfits, mixed.Remarks)
	}
	// One cell far down decides for all.
	cells := slices.Repeat([]string{"03/04/2024"}, 20000)
	cells[12345] = "25/04/2024"
	if late := column(t, tolerant.Options{}, cells...); late.Layout != "02/01/2006" || len(late.Misfits) > 0 {
		t.Errorf("layout %q, misfits %v", late.Layout, late.Misfits)
	}
}

func repeated(n int, cell func(i int) string) []string {
	cells := make([]string, n)
	for i := range cells {
		cells[i] = cell(i)
	}
	return cells
}

func TestKinds(t *testing.T) {
	for name, c := range map[string]struct {
		want  tolerant.Kind
		cells []string
	}{
		"cities":           {tolerant.Category, repeated(40, func(i int) string { return []string{"Rom", "Paris", "Bern"}[i%3] })},
		"sizes":            {tolerant.Category, repeated(40, func(i int) string { return []string{"S", "38", "M", "40"}[i%4] })},
		"truths":           {tolerant.Boolean, repeated(40, func(i int) string { return []string{"yes", "No", "Y", "n/a"}[i%4] })},
		"sexes":            {tolerant.Category, repeated(40, func(i int) string { return []string{"m", "f"}[i%2] })},
		"numbers 0 and 1":  {tolerant.Number, repeated(40, func(i int) string { return []string{"0", "1"}[i%2] })},
		"counts":           {tolerant.Identifier, repeated(40, func(i int) string { return fmt.Sprint(1000 + i) })},
		"years":            {tolerant.Number, repeated(40, func(i int) string { return fmt.Sprint(1980 + i) })},
		"measures":         {tolerant.Number, repeated(40, func(i int) string { return fmt.Sprint(1000 + i*i) })},
		"codes":            {tolerant.Identifier, repeated(40, func(i int) string { return fmt.Sprintf("K-%03d", i*7) })},
		"codes that recur": {tolerant.Identifier, repeated(400, func(i int) string { return fmt.Sprintf("K-%03d", i*7%150) })},
		"sentences":        {tolerant.Text, repeated(40, func(i int) string { return fmt.Sprintf("this is remark number %d of many", i) })},
		"seventeen":        {tolerant.Identifier, repeated(40, func(i int) string { return fmt.Sprintf("1234567890123%04d", i*i) })},
		"one word":         {tolerant.Category, repeated(40, func(int) string { return "x" })},
		"phones":           {tolerant.Identifier, repeated(40, func(i int) string { return fmt.Sprintf("+49170%07d", i*i*i*17+1) })},
		"milliseconds":     {tolerant.Number, repeated(40, func(i int) string { return fmt.Sprint(1700000000000 + int64(i*i)*1000) })},
		"addresses":        {tolerant.Identifier, repeated(40, func(i int) string { return fmt.Sprintf("192.168.%d.%d", i, i*5) })},
	} {
		if got := column(t, tolerant.Options{}, c.cells...); got.Kind != c.want || len(got.Misfits) > 0 {
			t.Errorf("%s: %v, misfits %v, remarks %q", name, got.Kind, got.Misfits, got.Remarks)
		}
	}
	numbers := repeated(40, func(i int) string { return fmt.Sprint(i % 4) })
	for kind, want := range map[tolerant.Kind]string{tolerant.Category: "0 1 2 3", tolerant.Number: "", tolerant.Text: "", tolerant.Identifier: ""} {
		got := column(t, tolerant.Options{As: map[string]tolerant.Kind{"c": kind}}, numbers...)
		if got.Kind != kind || strings.Join(got.Levels, " ") != want || (got.Values == nil) != (kind == tolerant.Text || kind == tolerant.Identifier) {
			t.Errorf("as %v: %v with levels %q", kind, got.Kind, got.Levels)
		}
	}
}

func TestSentinels(t *testing.T) {
	measured := func(mark string) []string {
		return repeated(200, func(i int) string {
			if i%40 == 3 {
				return mark
			}
			return fmt.Sprintf("%.2f", 20+3*math.Sin(float64(i)))
		})
	}
	for mark, want := range map[string][]float64{"-999": {-999}, "9999": {9999}, "-1": {-1}, "-99.9": {-99.9}, "99999": {99999}, "0": nil, "25": nil, "777": {777}, "123": nil} {
		got := column(t, tolerant.Options{}, measured(mark)...)
		if !slices.Equal(got.Sentinels, want) || got.Missing != 5*len(want) {
			t.Errorf("%s: sentinels %v, %d missing", mark, got.Sentinels, got.Missing)
		}
	}
	if got := column(t, tolerant.Options{NoSentinels: true}, measured("-999")...); got.Sentinels != nil || got.Missing != 0 {
		t.Errorf("sentinels %v in spite of the wish", got.Sentinels)
	}
	if got := column(t, tolerant.Options{Sentinels: []float64{25}}, measured("25")...); !slices.Equal(got.Sentinels, []float64{25}) {
		t.Errorf("sentinels %v", got.Sentinels)
	}
	if got := column(t, tolerant.Options{Missing: []string{"Nix"}}, "1", "nix", "2"); got.Missing != 1 || len(got.Misfits) > 0 {
		t.Errorf("%d missing, misfits %v", got.Missing, got.Misfits)
	}
	lognormal := repeated(1000, func(i int) string { return fmt.Sprintf("%.0f", math.Exp(3+2*math.Sin(float64(i*i)))) })
	if got := column(t, tolerant.Options{}, lognormal...); got.Sentinels != nil {
		t.Errorf("sentinels %v among skewed counts", got.Sentinels)
	}
}

// Rows that end with a delimiter have the names of the header, from the first on; those of R's row names
// have them from the second on.
func TestRowsThatEndWithADelimiter(t *testing.T) {
	for text, want := range map[string]string{
		"a,b,c\n1,2.5,3,\n2,3.5,4,\n3,1.5,9,\n":         "1",
		"a,b,c\nx,1,2.5,3\ny,2,3.5,4\nz,3,1.5,9\n":      "1",
		"a,b,c\nx,1,2.5,3\ny,2,3.5,\nz,3,1.5,\n":        "1",
		"a,b,c,\n1,2.5,3,\n2,3.5,4,\n3,1.5,9,\n":        "1",
		"a;b;c\r\n1;2,5;3;\r\n2;3,5;4;\r\n3;1,5;9;\r\n": "1",
	} {
		table, err := tolerant.Open(t.Context(), []string{"-"}, tolerant.Options{Input: strings.NewReader(text)})
		if err != nil {
			t.Fatal(err)
		}
		for j := range table.Columns {
			if table.Columns[j].Name == "a" && table.Text(0, j) != want {
				t.Errorf("%q: the first cell of a is %q", text, table.Text(0, j))
			}
		}
	}
}
