package tolerant

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// Further forms of dates: what the first cell is, and that the layout writes it back where nothing else is said.
func TestFormsOfDates(t *testing.T) {
	for _, c := range []struct {
		first string // as the time package writes it
		same  bool   // the layout writes the cell again
		cells []string
	}{
		{"2024-01-31T12:30:00Z", true, []string{"20240131T123000Z", "20240229T000000Z"}},
		{"2024-01-31T12:30:00Z", true, []string{"2024-01-31 - 12:30", "2024-02-29 - 00:00"}},
		{"2024-01-31T12:30:00Z", true, []string{"Wed Jan 31 12:30:00 2024", "Thu Feb  1 12:30:00 2024"}},
		{"2024-01-31T12:30:00Z", true, []string{"Wed Jan 31 12:30:00 UTC 2024", "Thu Feb  1 12:30:00 UTC 2024"}},
		{"2024-01-31T11:30:00Z", false, []string{"Wed Jan 31 2024 12:30:00 GMT+0100 (CET)", "Thu Feb 01 2024 12:30:00 GMT+0100 (CET)"}},
		{"2024-01-31T11:30:00Z", false, []string{"2024-01-31T12:30:00+01:00[Europe/Paris]", "2024-02-01T12:30:00+01:00[Europe/Paris]"}},
		{"2024-01-31T10:30:00Z", false, []string{"2024-01-31 12:30:00 UTC+2", "2024-02-01 12:30:00 UTC+2"}},
		{"2024-01-29T00:00:00Z", true, []string{"2024-W05", "2023-W52", "2020-W53", "2021-W01"}},
		{"2024-01-31T00:00:00Z", true, []string{"2024-W05-3", "2023-W52-1"}},
		{"2024-04-01T00:00:00Z", true, []string{"2024-Q2", "2023-Q4"}},
		{"2024-04-01T00:00:00Z", true, []string{"Q2 2024", "Q4 2023"}},
		{"2024-01-31T00:00:00Z", false, []string{"January 31st, 2024", "February 1st, 2024"}},
		{"2024-01-31T00:00:00Z", false, []string{"31 de enero de 2024", "1 de febrero de 2024"}},
		{"2024-01-31T00:00:00Z", true, []string{"2024年1月31日", "2024年2月1日"}},
		{"1970-01-01T14:30:00Z", true, []string{"14h30", "08h05"}},
		{"1970-01-01T14:30:00Z", true, []string{"14:30 Uhr", "08:05 Uhr"}},
		{"1970-01-02T01:00:00Z", true, []string{"25:00:00", "100:15:30", "12:00:00"}},
		{"2024-01-31T12:30:00.123Z", true, []string{"2024-01-31 12:30:00,123", "2024-02-01 12:30:00,456"}},
		{"2024-01-31T12:30:00Z", false, []string{"2024-01-31t12:30:00z", "2024-02-01t12:30:00z"}},
	} {
		got := column(t, Options{}, c.cells...)
		want, err := time.Parse(time.RFC3339Nano, c.first)
		if err != nil {
			t.Fatal(err)
		}
		if got.Kind != Date || len(got.Misfits) > 0 {
			t.Errorf("%q: a %v column, misfits %v", c.cells, got.Kind, got.Misfits)
			continue
		}
		if at := time.UnixMilli(int64(got.Values[0]*1000 + .5)).UTC(); !at.Equal(want) {
			t.Errorf("%q is %v", c.cells[0], at)
		}
		for i, cell := range c.cells {
			if back := FormatDate(got.Layout, got.Values[i]); c.same && back != cell {
				t.Errorf("%q is written as %q by layout %q", cell, back, got.Layout)
			}
		}
	}
	for _, none := range []string{"2024-W54", "2021-W53", "2024-W00", "2024-Q5", "Q0 2024", "2024W5", "12:60:00", "Feb 30 12:00:00 2024"} {
		if s, ok := parseStamp([]byte(none)); ok && s.exists() {
			t.Errorf("%q was taken for a date", none)
		}
	}
}

// 24-01-31 is a day of January 2024, not the 24th of January 2031, where the last numbers vary as days do.
func TestYearsOfTwoDigitsInFront(t *testing.T) {
	day := func(i int) time.Time { return time.Date(2023, 11, 5+3*i, 0, 0, 0, 0, time.UTC) }
	for _, layout := range []string{"06-01-02", "02-01-06", "01/02/06"} {
		c := column(t, Options{}, repeated(40, func(i int) string { return day(i).Format(layout) })...)
		if c.Layout != layout || len(c.Misfits) > 0 || c.Values[7] != float64(day(7).Unix()) {
			t.Errorf("%s: layout %q, misfits %v, %v", layout, c.Layout, c.Misfits, c.Remarks)
		}
	}
	if c := column(t, Options{}, "99-06-15", "01-07-03"); c.Kind != Date || c.Layout != "06-01-02" || c.Values[0] != 929404800 {
		t.Errorf("a %v column, layout %q, %v", c.Kind, c.Layout, c.Values)
	}
	if c := column(t, Options{DateOrder: "ymd"}, "24-01-02", "24-01-03"); c.Layout != "06-01-02" {
		t.Errorf("layout %q", c.Layout)
	}
}

// A time of 25 hours among times of day does not fit.
func TestTimesOfDayAreNoDurations(t *testing.T) {
	cells := repeated(40, func(i int) string { return fmt.Sprintf("%02d:30:00", i%24) })
	cells[9] = "25:30:00"
	if c := column(t, Options{}, cells...); c.Kind != Date || !slices.Equal(c.Misfits, []int{9}) {
		t.Errorf("a %v column, misfits %v", c.Kind, c.Misfits)
	}
}

func TestTruthsInSeveralLanguages(t *testing.T) {
	for _, words := range []string{"tak nie", "да нет", "ja nej", "✓ ✗", "是 否", "evet hayır", "kyllä ei", "Verdadeiro Falso"} {
		pair := strings.Fields(words)
		c := column(t, Options{}, repeated(20, func(i int) string { return pair[i%2] })...)
		if c.Kind != Boolean || c.Values[0] != 1 || c.Values[1] != 0 {
			t.Errorf("%s: a %v column of %v", words, c.Kind, c.Values)
		}
	}
}
