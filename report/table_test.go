package report

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The best is the best of the numbers, not of the digits that are shown.
func TestBestComparesTrueValues(t *testing.T) {
	table := &Table{Columns: []Column{{Name: "m"}, {Name: "score", Best: Highest}, {Name: "error", Best: Lowest, Format: "%.1f"}}}
	table.Add("a", 12346.0, 0.1+0.2).Add("b", 12349.0, 0.3).Add("c", math.NaN(), 0.31)
	got := table.best()
	want := map[[2]int]bool{{1, 1}: true, {0, 2}: true, {1, 2}: true} // rounding errors of sums do not count
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	text := table.Text(TextOptions{})
	if !strings.Contains(text, "12346 ") || !strings.Contains(text, "12349*") {
		t.Errorf("the digits that tell them apart are not shown:\n%s", text)
	}
}
