package tolerant

import (
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
		{"2024-01-31T00:00:00Z", true, []string{"31JAN2024", "05FEB2024"}},
		{"2024-01-31T00:00:00Z", true, []string{"31Jan24", "05Feb24"}},
		{"2024-01-31T12:30:00Z", true, []string{"31JAN2024:12:30:00", "01FEB2024:00:00:00"}},
		{"1970-01-01T00:03:45.51Z", true, []string{"3:45.51", "0:57.08", "72:30.50"}},
		{"1970-01-01T00:00:59.84Z", false, []string{"59,84", "1:00,12", "58,10", "57,33"}},
		{"1970-01-01T00:00:59.84Z", false, []string{"59.84", "1:00.12", "58.10", "57.33"}},
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
	for _, none := range []string{"2024-W54", "2021-W53", "2024-W00", "2024-Q5", "Q0 2024", "2024W5", "12:60:00", "Feb 30 12:00:00 2024", "12MAR", "3:61.50", "12ABC2024"} {
		if s, ok := parseStamp([]byte(none)); ok && s.exists() {
			t.Errorf("%q was taken for a date", none)
		}
	}
}
