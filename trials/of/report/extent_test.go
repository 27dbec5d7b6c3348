package report

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/report"
)

// dots are the places of the round points of a picture.
func dots(t *testing.T, svg []byte) [][2]float64 {
	t.Helper()
	var list [][2]float64
	for _, m := range regexp.MustCompile(`M([0-9.]+) ([0-9.]+)h0`).FindAllStringSubmatch(string(svg), -1) {
		x, errX := strconv.ParseFloat(m[1], 64)
		y, errY := strconv.ParseFloat(m[2], 64)
		if errX != nil || errY != nil {
			t.Fatal(errX, errY)
		}
		list = append(list, [2]float64{x, y})
	}
	return list
}

// spreadOf is the distance between the lowest and the highest of coordinates.
func spreadOf(list [][2]float64, k int) float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range list {
		low, high = math.Min(low, p[k]), math.Max(high, p[k])
	}
	return high - low
}

// TestZerosStandAtTheLowerEdge of logarithmic axes, and the picture says so.
func TestZerosStandAtTheLowerEdge(t *testing.T) {
	log := report.Axis{Log: true}
	c := report.Scatter("t", report.Axis{}, log, report.Series{X: []float64{1, 2, 3, 4}, Y: []float64{0, 1, 10, 100}})
	svg := svgOf(t, c)
	list := dots(t, svg)
	if len(list) != 4 || spreadOf(list, 1) < 150 {
		t.Fatalf("points at %v", list)
	}
	if !(list[0][1] > list[1][1]+5) {
		t.Errorf("the zero is not below the smallest value: %v", list)
	}
	if _, text := elements(t, svg); !strings.Contains(text, "1 beyond the axes, at the edge") {
		t.Errorf("the picture does not say what stands at its edge: %q", text)
	}
	// A line that falls to zero reaches the edge instead of ending.
	svg = svgOf(t, report.Lines("t", report.Axis{}, log, report.Series{Y: []float64{100, 1, 0, 0}, Mark: report.LineDots}))
	if got := len(dots(t, svg)); got != 4 {
		t.Errorf("%d of 4 points of a line are drawn", got)
	}
}

func TestRange(t *testing.T) {
	values := make([]float64, 100)
	for i := range values {
		values[i] = float64(i)
	}
	values[3], values[4], values[5] = 1e300, math.NaN(), math.Inf(-1)
	if low, high := report.Range(values[:50], values[50:]); low != 0 || high != 99 {
		t.Errorf("from %v to %v", low, high)
	}
	if low, high := report.Range(nil, []float64{math.NaN()}); low <= high {
		t.Errorf("nothing is from %v to %v", low, high)
	}
}
