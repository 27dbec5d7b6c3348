package report

import (
	"math"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/report"
)

// TestNotesOfPicturesHaveNoMarks: a note is prose; a picture shows its words, not the backslashes and stars around them.
func TestNotesOfPicturesHaveNoMarks(t *testing.T) {
	c := report.Lines("t", report.Axis{}, report.Axis{}, report.Series{Y: []float64{1, 2}})
	c.Note = `Rows of "` + report.Literal("low-risk (A) *x* <b> & [1].") + `" by **far** and ` + "`--set a=1`."
	_, text := elements(t, svgOf(t, c))
	if want := `Rows of "low-risk (A) *x* <b> & [1]." by far and --set a=1.`; !strings.Contains(text, want) {
		t.Errorf("the note reads %q, want %q", text, want)
	}
}

// TestHatchedHoles: rows of different lengths are hatched where they have nothing.
func TestHatchedHoles(t *testing.T) {
	c := report.HeatMap("t", report.Grid{Values: [][]float64{{1, 2, math.NaN()}, {}, {3}}, Hatched: true})
	if _, err := c.SVG(); err != nil {
		t.Error(err)
	}
}

// TestLogarithmicAxisOverAllNumbers: the margin beyond 1e300 does not overflow.
func TestLogarithmicAxisOverAllNumbers(t *testing.T) {
	v := []float64{1e-300, 1, 1e300}
	svg := svgOf(t, report.Scatter("t", report.Axis{Log: true}, report.Axis{Log: true}, report.Series{X: v, Y: v}))
	if list := dots(t, svg); len(list) != 3 || spreadOf(list, 0) < 400 || spreadOf(list, 1) < 200 {
		t.Errorf("points at %v", list)
	}
	if _, text := elements(t, svg); !strings.Contains(text, "10") {
		t.Error("the axes have no labels")
	}
}

// TestHistogramSaysWhatItLeavesOut: absurd values are in no bin, and not at the edge either.
func TestHistogramSaysWhatItLeavesOut(t *testing.T) {
	v := []float64{1e9, -1e300}
	for i := range 300 {
		v = append(v, math.Sin(float64(i)))
	}
	if _, text := elements(t, svgOf(t, report.Histogram("t", report.Axis{}, report.Sample{Values: v}))); !strings.Contains(text, "2 beyond the axis, not counted") {
		t.Errorf("the picture says %q", text)
	}
	c := report.Histogram("t", report.Axis{}, report.Sample{Values: v})
	c.Width = 220 // the remark has a line of its own where there is no room beside the label
	if _, text := elements(t, svgOf(t, c)); !strings.Contains(text, "2 beyond the axis, not counted") {
		t.Errorf("the small picture says %q", text)
	}
}

// TestPlainTablesArePlainAllOver: title and notes too.
func TestPlainTablesArePlainAllOver(t *testing.T) {
	table := &report.Table{Title: "Größe ± 1", Columns: []report.Column{{Name: "a"}}, Rows: [][]any{{1}}, Notes: []string{"α ≤ 2"}}
	for _, r := range table.Text(report.TextOptions{ASCII: true}) {
		if r > 126 {
			t.Fatalf("%q is no ASCII: %s", r, table.Text(report.TextOptions{ASCII: true}))
		}
	}
}

// TestValuesOfTables: rows that differ look different, be the numbers whole or not.
func TestValuesOfTables(t *testing.T) {
	table := &report.Table{Columns: []report.Column{{Name: "id", Format: report.Value}}, Rows: [][]any{{1234567.0}, {1234568.0}, {20250131}, {math.NaN()}, {1.23456789}}}
	text := table.Text(report.TextOptions{})
	for _, want := range []string{"1234567", "1234568", "20250131", "-\n", "1.23457"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
