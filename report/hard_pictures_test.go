package report

import (
	"math"
	"strings"
	"testing"
)

// TestNotesOfPicturesHaveNoMarks: a note is prose; a picture shows its words, not the backslashes and stars around them.
func TestNotesOfPicturesHaveNoMarks(t *testing.T) {
	c := Lines("t", Axis{}, Axis{}, Series{Y: []float64{1, 2}})
	c.Note = `Rows of "` + Literal("low-risk (A) *x* <b> & [1].") + `" by **far** and ` + "`--set a=1`."
	_, text := elements(t, svgOf(t, c))
	if want := `Rows of "low-risk (A) *x* <b> & [1]." by far and --set a=1.`; !strings.Contains(text, want) {
		t.Errorf("the note reads %q, want %q", text, want)
	}
}

// TestHatchedHoles: rows of different lengths are hatched where they have nothing.
func TestHatchedHoles(t *testing.T) {
	c := HeatMap("t", Grid{Values: [][]float64{{1, 2, math.NaN()}, {}, {3}}, Hatched: true})
	if _, err := c.SVG(); err != nil {
		t.Error(err)
	}
}

// TestLogarithmicAxisOverAllNumbers: the margin beyond 1e300 does not overflow.
func TestLogarithmicAxisOverAllNumbers(t *testing.T) {
	v := []float64{1e-300, 1, 1e300}
	svg := svgOf(t, Scatter("t", Axis{Log: true}, Axis{Log: true}, Series{X: v, Y: v}))
	if list := dots(t, svg); len(list) != 3 || spreadOf(list, 0) < 400 || spreadOf(list, 1) < 200 {
		t.Errorf("points at %v", list)
	}
	if _, text := elements(t, svg); !strings.Contains(text, "10") {
		t.Error("the axes have no labels")
	}
}

// TestArabicFiguresAreNotTurned: in words from right to left numbers are written from left to right.
func TestArabicFiguresAreNotTurned(t *testing.T) {
	for text, want := range map[string]string{"عام ١٤٤٥": "١٤٤٥", "٣٫٥": "٣٫٥", "۱۴۰۳ سال": "۱۴۰۳", "٢ و ١٢": "١٢"} {
		var shown []rune
		for _, l := range visualOrder(text) {
			shown = append(shown, l.typed)
		}
		if !strings.Contains(string(shown), want) {
			t.Errorf("%s is drawn as %s from left to right", text, string(shown))
		}
	}
}

// TestWeightsOfNearlyEqualRowsShowTheDropped: where all other weights are 1 but for rounding, rows without a vote are
// counted in the histogram all the same.
func TestWeightsOfNearlyEqualRowsShowTheDropped(t *testing.T) {
	w := make([]float64, 80)
	for i := range w {
		w[i] = 1 - 1e-8*float64(i)
		if i%20 == 3 {
			w[i] = 1e-30
		}
	}
	for _, l := range Weights("t", w, 0.1).body.(*panels).list[1].layers {
		if h, ok := l.(histogram); ok && (h.beyond != 0 || h.counts[0] != 4 || h.counts[len(h.counts)-1] != 76) {
			t.Errorf("%d weights are left out of %v", h.beyond, h.counts)
		}
	}
	// Weights without a bound have bins of their own.
	if e := weightEdges([]float64{0.5, 3, 40, 7}); e[len(e)-1] < 40 {
		t.Errorf("bins up to %v", e[len(e)-1])
	}
}

// TestHistogramSaysWhatItLeavesOut: absurd values are in no bin, and not at the edge either.
func TestHistogramSaysWhatItLeavesOut(t *testing.T) {
	v := []float64{1e9, -1e300}
	for i := range 300 {
		v = append(v, math.Sin(float64(i)))
	}
	if _, text := elements(t, svgOf(t, Histogram("t", Axis{}, Sample{Values: v}))); !strings.Contains(text, "2 beyond the axis, not counted") {
		t.Errorf("the picture says %q", text)
	}
	c := Histogram("t", Axis{}, Sample{Values: v})
	c.Width = 220 // the remark has a line of its own where there is no room beside the label
	if _, text := elements(t, svgOf(t, c)); !strings.Contains(text, "2 beyond the axis, not counted") {
		t.Errorf("the small picture says %q", text)
	}
}

// TestNoiseAndOutliersShareALogarithmicAxis: rows that lie in a subspace but for rounding, and outliers at a distance
// of 1 from it, all have their places.
func TestNoiseAndOutliersShareALogarithmicAxis(t *testing.T) {
	var d Distances
	for i := range 80 {
		d.Score, d.Orthogonal = append(d.Score, 1+math.Mod(0.37*float64(i), 1)), append(d.Orthogonal, 1e-15*(1+math.Mod(0.61*float64(i), 1)))
	}
	d.Orthogonal[3], d.Orthogonal[23] = 2.9, 5
	d.OrthogonalCut, d.Log = 2e-12, true
	y := OutlierMap("t", d).body.(*panels).list[0].fit().y
	for _, v := range []float64{2.9, 5} {
		if y.outside(v) {
			t.Errorf("a distance of %v is beyond the axis from %v to %v", v, y.min, y.max)
		}
	}
}

// TestPlainTablesArePlainAllOver: title and notes too.
func TestPlainTablesArePlainAllOver(t *testing.T) {
	table := &Table{Title: "Größe ± 1", Columns: []Column{{Name: "a"}}, Rows: [][]any{{1}}, Notes: []string{"α ≤ 2"}}
	for _, r := range table.Text(TextOptions{ASCII: true}) {
		if r > 126 {
			t.Fatalf("%q is no ASCII: %s", r, table.Text(TextOptions{ASCII: true}))
		}
	}
}

// TestValuesOfTables: rows that differ look different, be the numbers whole or not.
func TestValuesOfTables(t *testing.T) {
	table := &Table{Columns: []Column{{Name: "id", Format: Value}}, Rows: [][]any{{1234567.0}, {1234568.0}, {20250131}, {math.NaN()}, {1.23456789}}}
	text := table.Text(TextOptions{})
	for _, want := range []string{"1234567", "1234568", "20250131", "-\n", "1.23457"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
