package tolerant

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// 24-01-31 is a day of January 2024, not the 24th of January 2031, where the last numbers vary as days do.
func TestYearsOfTwoDigitsInFront(t *testing.T) {
	day := func(i int) time.Time { return time.Date(2023, 11, 5+3*i, 0, 0, 0, 0, time.UTC) }
	for _, layout := range []string{"06-01-02", "02-01-06", "01/02/06"} {
		c := column(t, tolerant.Options{}, repeated(40, func(i int) string { return day(i).Format(layout) })...)
		if c.Layout != layout || len(c.Misfits) > 0 || c.Values[7] != float64(day(7).Unix()) {
			t.Errorf("%s: layout %q, misfits %v, %v", layout, c.Layout, c.Misfits, c.Remarks)
		}
	}
	if c := column(t, tolerant.Options{}, "99-06-15", "01-07-03"); c.Kind != tolerant.Date || c.Layout != "06-01-02" || c.Values[0] != 929404800 {
		t.Errorf("a %v column, layout %q, %v", c.Kind, c.Layout, c.Values)
	}
	if c := column(t, tolerant.Options{DateOrder: "ymd"}, "24-01-02", "24-01-03"); c.Layout != "06-01-02" {
		t.Errorf("layout %q", c.Layout)
	}
}

// A time of 25 hours among times of day does not fit.
func TestTimesOfDayAreNoDurations(t *testing.T) {
	cells := repeated(40, func(i int) string { return fmt.Sprintf("%02d:30:00", i%24) })
	cells[9] = "25:30:00"
	if c := column(t, tolerant.Options{}, cells...); c.Kind != tolerant.Date || !slices.Equal(c.Misfits, []int{9}) {
		t.Errorf("a %v column, misfits %v", c.Kind, c.Misfits)
	}
}

func TestTruthsInSeveralLanguages(t *testing.T) {
	for _, words := range []string{"tak nie", "да нет", "ja nej", "✓ ✗", "是 否", "evet hayır", "kyllä ei", "Verdadeiro Falso"} {
		pair := strings.Fields(words)
		c := column(t, tolerant.Options{}, repeated(20, func(i int) string { return pair[i%2] })...)
		if c.Kind != tolerant.Boolean || c.Values[0] != 1 || c.Values[1] != 0 {
			t.Errorf("%s: a %v column of %v", words, c.Kind, c.Values)
		}
	}
}

// Columns of one table that can be read in two ways are read in the same, also where some cells of one, newest first, are written in another form.
func TestDatesOfOneTableAreReadAlike(t *testing.T) {
	var rows [][]string
	for i := range 400 {
		in := time.Date(2024, 3, 8, 6, -23*i, 0, 0, time.UTC)
		written := in.Add(10 * time.Minute).Format("01/02/2006 03:04 PM")
		if i%9 == 0 {
			written = in.Add(10 * time.Minute).Format("2006-01-02 15:04")
		}
		rows = append(rows, []string{in.Format("01/02/2006 03:04 PM"), written})
	}
	got := tolerant.FromStrings([]string{"in", "out"}, rows, tolerant.Options{})
	for i := range rows {
		if stay := got.Columns[1].Values[i] - got.Columns[0].Values[i]; stay != 600 {
			t.Fatalf("row %d, %v: %g seconds", i, rows[i], stay)
		}
	}
}

// Amounts of time are read below an hour, in whole hours and beyond a day as well.
func TestHoursAndMinutes(t *testing.T) {
	for _, texts := range [][]string{{"1h30m", "2h05m", "45m", "2h", "1h5m", "3h10m", "4h00m"}, {"10h30m", "26h05m", "45m", "48h", "1h5m", "30h10m", "4h00m"}} {
		rows := make([][]string, len(texts))
		for i, text := range texts {
			rows[i] = []string{text}
		}
		c := tolerant.FromStrings([]string{"lasted"}, rows, tolerant.Options{}).Columns[0]
		if c.Kind != tolerant.Date || !c.Lap() || len(c.Misfits) > 0 {
			t.Fatalf("%v: %s, %v do not fit", texts, c.Kind, c.Misfits)
		}
		for i, text := range texts {
			if d, err := time.ParseDuration(text); err != nil || c.Values[i] != d.Seconds() {
				t.Errorf("%s: %g seconds", text, c.Values[i])
			}
		}
		if text := tolerant.FormatDate(c.Layout, 93900); text != "26h05m" {
			t.Errorf("26h05m is written %s", text)
		}
	}
}
