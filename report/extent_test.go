package report

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

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

func sq(r *rand.Rand) float64 { v := r.NormFloat64(); return v * v }
