package plot

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/inlier-ml/inlier/report"
)

// of is the error that is drawn.
func (p sweepPoint) of(measure string) float64 {
	switch measure {
	case "median":
		return float64(p.Median)
	case "squared":
		return float64(p.Squared)
	}
	return float64(p.Mean)
}

// axisNumber reads a value of an axis; ranks such as 10x10 count by their first number.
func axisNumber(text string) (float64, bool) {
	first, _, _ := strings.Cut(text, "x")
	v, err := strconv.ParseFloat(first, 64)
	return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}

var errorNames = map[string]string{"mean": "mean distance", "median": "median distance", "squared": "mean squared distance"}

func (s *sweepJob) drawing(data, what string) *Drawing {
	title := fmt.Sprintf("Error against %s on %s", s.axes[0].Name, data)
	if len(s.axes) == 2 {
		title = fmt.Sprintf("Error against %s and %s on %s", s.axes[0].Name, s.axes[1].Name, data)
	}
	text := strings.ToUpper(errorNames[s.measure][:1]) + errorNames[s.measure][1:] + " from the reconstruction, over " + what + "."
	out := &Drawing{Title: title, Lead: text, Table: s.table(), Result: map[string]any{"error": s.measure, "points": s.points, "best": s.best()}}
	if len(s.axes) == 1 {
		out.Sections = []Section{{text, s.lines(title)}}
		return out
	}
	per := len(s.axes[0].Values) * len(s.axes[1].Values)
	for k, m := range s.methods {
		g := report.Grid{Rows: s.axes[0].Values, Columns: s.axes[1].Values, X: report.Axis{Label: s.axes[1].Name}, Y: report.Axis{Label: s.axes[0].Name}, Print: "short", Key: errorNames[s.measure]}
		for i := range s.axes[0].Values {
			row := make([]float64, len(s.axes[1].Values))
			for j := range row {
				row[j] = s.points[k*per+i*len(row)+j].of(s.measure)
			}
			g.Values = append(g.Values, row)
		}
		heading := title
		if len(s.methods) > 1 {
			heading = m.Name
		}
		out.Sections = append(out.Sections, Section{text, report.HeatMap(heading, g)})
	}
	return out
}

// lines draws one line for each method over the only axis.
func (s *sweepJob) lines(title string) *report.Chart {
	values := s.axes[0].Values
	x := report.Axis{Label: s.axes[0].Name}
	var at []float64
	for _, v := range values {
		if f, ok := axisNumber(v); ok {
			at = append(at, f)
		}
	}
	if len(at) < len(values) { // words stand side by side
		x.Names, at = values, nil
		for i := range values {
			at = append(at, float64(i))
		}
	} else if low, high := slices.Min(at), slices.Max(at); low > 0 && high > 20*low {
		x.Log = true
	}
	var lines []report.Series
	for k, m := range s.methods {
		line := report.Series{Name: m.Name, X: at, Mark: report.LineDots}
		if x.Names != nil {
			line.Mark = report.Dots
		}
		for i := range values {
			line.Y = append(line.Y, s.points[k*len(values)+i].of(s.measure))
		}
		lines = append(lines, line)
	}
	return report.Lines(title, x, report.Axis{Label: errorNames[s.measure]}, lines...)
}

// best is the point of the lowest error.
func (s *sweepJob) best() sweepPoint {
	return slices.MinFunc(s.points, func(a, b sweepPoint) int {
		switch x, y := a.of(s.measure), b.of(s.measure); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
}

func (s *sweepJob) table() *report.Table {
	t := &report.Table{Columns: []report.Column{{Name: "method"}}}
	for _, axis := range s.axes {
		t.Columns = append(t.Columns, report.Column{Name: axis.Name})
	}
	for _, name := range []string{"mean", "median", "squared"} {
		t.Columns = append(t.Columns, report.Column{Name: name, Format: "%.4g", Best: report.Lowest})
	}
	t.Columns = append(t.Columns, report.Column{Name: "fit", Unit: "ms", Format: "%.1f"})
	for _, p := range s.points {
		cells := []any{p.Method}
		for _, axis := range s.axes {
			cells = append(cells, p.Values[axis.Name])
		}
		t.Rows = append(t.Rows, append(cells, float64(p.Mean), float64(p.Median), float64(p.Squared), 1000*float64(p.Seconds)))
	}
	return t
}
