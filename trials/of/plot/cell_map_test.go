package plot

import (
	"math"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/plot"
)

// Of a large table evenly spaced rows and columns are drawn, and it is said; named rows are those.
func TestCellMapSaysWhatItShows(t *testing.T) {
	names := make([]string, 120)
	for j := range names {
		names[j] = "c"
	}
	for _, c := range []struct {
		rows, columns int
		named         string
		shown         int
		text          string
	}{{1000, 120, "", 100, " 100 of 1000 rows are shown, evenly spaced. 50 of 120 columns are shown, evenly spaced."}, {30, 5, "", 30, ""}, {1000, 5, "7,900-901", 3, ""}} {
		cells := plot.Cells{Title: "t", Rows: c.rows, Columns: names[:c.columns]}
		var asked []int
		d, err := cells.Draw(c.named, func(rows, columns []int) ([][]float64, error) {
			asked = rows
			off := make([][]float64, len(rows))
			for i := range off {
				off[i] = make([]float64, len(columns))
				off[i][0], off[i][1] = math.NaN(), 1e300
			}
			return off, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if text := d.Sections[0].Text; len(asked) != c.shown || !strings.HasSuffix(text, "hatched is missing."+c.text) {
			t.Errorf("%d rows of %d: %s", len(asked), c.rows, text)
		}
		if c.named == "" && (asked[0] > c.rows/100 || asked[len(asked)-1] < c.rows-1-c.rows/100) {
			t.Errorf("rows %d to %d of %d", asked[0], asked[len(asked)-1], c.rows)
		}
		if svg, err := d.Encode("svg", ""); err != nil || len(svg) == 0 {
			t.Error(err)
		}
	}
	if _, err := (&plot.Cells{Rows: 5, Columns: names[:2]}).Draw("9", nil); err == nil {
		t.Error("a row that is not there was drawn")
	}
}
