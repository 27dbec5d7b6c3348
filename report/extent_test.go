package report

import (
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
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

// TestOutlierMapOfHardDistances: whatever a few distances are, every row is drawn and the
// bulk keeps its room.
func TestOutlierMapOfHardDistances(t *testing.T) {
	const n = 200
	r := rand.New(rand.NewPCG(5, 6))
	usual := func() []float64 {
		list := make([]float64, n)
		for i := range list {
			list[i] = math.Sqrt(sq(r) + sq(r) + sq(r))
		}
		return list
	}
	change := func(list []float64, share float64, value func() float64) []float64 {
		for i := range int(share * n) {
			list[i] = value()
		}
		return list
	}
	constant := func(v float64) func() float64 { return func() float64 { return v } }
	noise := func() float64 { return 1e-16 * (1 + r.Float64()) }
	for name, c := range map[string]struct {
		distances []float64
		bulk      bool // the bulk must fill a good part of the axis
	}{
		"all zero":       {change(usual(), 1, constant(0)), false},
		"half zero":      {change(usual(), 0.5, constant(0)), true},
		"half noise":     {change(usual(), 0.5, noise), true},
		"most noise":     {change(usual(), 0.8, noise), true},
		"all noise":      {change(usual(), 1, noise), false},
		"one huge":       {change(usual(), 0.006, constant(1e300)), true},
		"one infinite":   {change(usual(), 0.006, constant(math.Inf(1))), true},
		"many huge":      {change(usual(), 0.2, constant(1e300)), true},
		"constant":       {change(usual(), 1, constant(1.5)), false},
		"sentinels":      {change(usual(), 0.05, constant(1e9)), true},
		"huge and noise": {change(change(usual(), 0.3, noise), 0.01, constant(1e300)), true},
		"denormal":       {change(usual(), 0.1, constant(5e-324)), true},
		"far cluster":    {change(usual(), 0.2, constant(1e14)), false},
	} {
		for _, log := range []bool{true, false} {
			chart := OutlierMap("map", Distances{Score: usual(), Orthogonal: c.distances, ScoreCut: 3, OrthogonalCut: 3, Log: log})
			svg := svgOf(t, chart)
			_, text := elements(t, svg)
			if strings.Contains(text, "no data") || strings.Contains(string(svg), "NaN") {
				t.Errorf("%s, log %v: the map is empty", name, log)
			}
			y := chart.body.(*panels).list[0].fit().y
			for i, v := range c.distances {
				if u := y.unit(v); !(u >= 0 && u <= 1) {
					t.Fatalf("%s, log %v: row %d of distance %v is at %v", name, log, i+1, v, u)
				}
			}
			// The room of ordinary distances from 0.5 to 3.
			if room := y.unit(3) - y.unit(0.5); c.bulk && room < 0.04 {
				t.Errorf("%s, log %v: the bulk has %.4f of the axis from %v to %v", name, log, room, y.min, y.max)
			}
		}
	}
}

// TestZerosStandAtTheLowerEdge of logarithmic axes, and the picture says so.
func TestZerosStandAtTheLowerEdge(t *testing.T) {
	log := Axis{Log: true}
	c := Scatter("t", Axis{}, log, Series{X: []float64{1, 2, 3, 4}, Y: []float64{0, 1, 10, 100}})
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
	svg = svgOf(t, Lines("t", Axis{}, log, Series{Y: []float64{100, 1, 0, 0}, Mark: LineDots}))
	if got := len(dots(t, svg)); got != 4 {
		t.Errorf("%d of 4 points of a line are drawn", got)
	}
}

// TestRangesAreRobust: one value of 1e300 stands at the edge and does not set the scale.
func TestRangesAreRobust(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	x, y := make([]float64, 300), make([]float64, 300)
	for i := range x {
		x[i], y[i] = r.NormFloat64(), r.NormFloat64()
	}
	for _, far := range []float64{1e300, -1e300, math.Inf(1), -1e9} {
		y[17] = far
		for name, c := range map[string]*Chart{
			"scatter":   Scatter("t", Axis{}, Axis{}, Series{X: x, Y: y}),
			"curve":     Curve("t", Axis{}, Axis{}, Series{X: x, Y: y}, Series{X: []float64{-1, 1}, Y: []float64{0, 0}}),
			"residuals": ResidualPlots("t", Residuals{Fitted: x, Standardized: y, Observed: y, Distance: x}),
			"decision":  DecisionGraph("t", x, y, nil),
		} {
			for k, p := range c.body.(*panels).list {
				s := p.fit().y
				if room := s.unit(2) - s.unit(-2); room < 0.02 {
					t.Errorf("%s, panel %d, %v: the bulk has %.4f of the axis from %v to %v", name, k, far, room, s.min, s.max)
				}
			}
		}
		edges := binEdges([][]float64{y})
		if len(edges) < 5 || edges[len(edges)-1] > 100 || edges[0] < -100 {
			t.Errorf("bins from %v to %v with one %v", edges[0], edges[len(edges)-1], far)
		}
		box := Boxplot("t", Axis{}, Sample{Values: y}).body.(*panels).list[0].fit().y
		if box.max-box.min > 100 {
			t.Errorf("the box plot reaches from %v to %v", box.min, box.max)
		}
		grid := Grid{Values: [][]float64{y, x}}
		if low, high := grid.span(); high-low > 100 {
			t.Errorf("colours reach from %v to %v", low, high)
		}
	}
	// Few values are a list in which each one counts.
	s := Lines("t", Axis{}, Axis{}, Series{Y: []float64{1, 2, 3, 4, 5000}}).body.(*panels).list[0].fit().y
	if s.max < 5000 {
		t.Errorf("a short line is cut at %v", s.max)
	}
}

func TestRange(t *testing.T) {
	values := make([]float64, 100)
	for i := range values {
		values[i] = float64(i)
	}
	values[3], values[4], values[5] = 1e300, math.NaN(), math.Inf(-1)
	if low, high := Range(values[:50], values[50:]); low != 0 || high != 99 {
		t.Errorf("from %v to %v", low, high)
	}
	if low, high := Range(nil, []float64{math.NaN()}); low <= high {
		t.Errorf("nothing is from %v to %v", low, high)
	}
}
