package report

import (
	"math"
	"strings"
	"testing"
)

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
