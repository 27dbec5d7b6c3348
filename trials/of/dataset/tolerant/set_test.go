package tolerant

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/parquet-go/parquet-go"
)

func TestSetOfNumbers(t *testing.T) {
	table := tolerant.FromStrings([]string{"day", "city", "x", "paid", "note"}, [][]string{
		{"1970-01-02", "Rom", "1.5", "yes", "a remark of some words"}, {"1970-01-03", "Bern", "n/a", "no", "another one of some words"},
		{"1970-01-03", "Rom", "3", "no", "a third one of some words"}, {"1970-01-04", "Bern", "4", "yes", "the last one of some words"}}, tolerant.Options{})
	for coding, want := range map[tolerant.Coding][]string{tolerant.LeaveOut: {"day", "x", "paid"}, tolerant.Ordinal: {"day", "city", "x", "paid"}, tolerant.OneHot: {"day", "city=Bern", "city=Rom", "x", "paid"}} {
		set, left := table.Set(coding)
		if !slices.Equal(set.Columns, want) || !slices.Contains(left, "note") || set.Check() != nil {
			t.Errorf("%v: columns %q without %q: %v", coding, set.Columns, left, set.Check())
			continue
		}
		if set.X.At(0, 0) != 1 || set.X.At(3, 0) != 3 || set.X.At(0, len(want)-1) != 1 || set.X.At(1, len(want)-2) == set.X.At(1, len(want)-2) {
			t.Errorf("%v: %v", coding, set.X.RawMatrix().Data)
		}
		if coding == tolerant.Ordinal && (set.X.At(0, 1) != 1 || set.X.At(1, 1) != 0) || coding == tolerant.OneHot && (set.X.At(0, 2) != 1 || set.X.At(0, 1) != 0) {
			t.Errorf("%v: %v", coding, set.X.RawMatrix().Data)
		}
	}
}

// Columns of times of Parquet files are dates.
func TestParquetTimes(t *testing.T) {
	type row struct {
		At  time.Time `parquet:"at,timestamp(microsecond)"`
		Day int32     `parquet:"day,date"`
		X   float64   `parquet:"x"`
	}
	at := time.Date(2024, 2, 29, 12, 30, 15, 250e6, time.UTC)
	path := filepath.Join(t.TempDir(), "times.parquet")
	if err := parquet.WriteFile(path, []row{{at, 19782, 1.5}, {at.Add(time.Hour), 19783, 2.5}}); err != nil {
		t.Fatal(err)
	}
	table := open(t, tolerant.Options{}, path)
	c := table.Columns
	if len(c) != 3 || c[0].Kind != tolerant.Date || c[1].Kind != tolerant.Date || c[2].Kind != tolerant.Number || c[0].Values[0] != float64(at.UnixMilli())/1000 || c[1].Values[1] != 19783*86400 {
		t.Fatalf("%+v", c)
	}
	if a, b := table.Text(0, 0), table.Text(0, 1); a != "2024-02-29 12:30:15.25" || b != "2024-02-29" {
		t.Errorf("%q and %q", a, b)
	}
}
