package report

import (
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/report"
)

func TestCellsAreWrittenForReading(t *testing.T) {
	g := report.Grid{Values: [][]float64{{-0.001, 1234.5}}, Rows: []string{"r"}, Columns: []string{"a", "b"}, Colors: report.Diverging}
	for verb, want := range map[string][2]string{"%.1f": {"0.0", "1234.5"}, "short": {"−0.001", "1,234"}} {
		g.Print = verb
		_, text := elements(t, svgOf(t, report.HeatMap("h", g)))
		for _, w := range want {
			if !strings.Contains(text, "\n"+w+"\n") {
				t.Errorf("%s writes no cell %q in %q", verb, w, text)
			}
		}
		if strings.Contains(text, "-0.0\n") {
			t.Errorf("%s writes a negative zero", verb)
		}
	}
}
