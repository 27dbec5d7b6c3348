package report

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A frame is the drawing area of a panel with the map from data to paper.
type frame struct {
	draw.Canvas
	x, y scale

	namesAbove   bool           // of the groups, above their marks
	shown, total int            // points drawn and points given, where thinned
	atEdge       int            // points drawn at the edge, because they lie beyond
	linesAtEdge  int            // the same of points joined by lines
	leftOut      int            // values beyond the bins of a histogram
	taken        []vg.Rectangle // places occupied by labels
	marked       map[cell]bool  // where points are, for labels to stay clear of crowds
}

// A cell is a small square of the drawing area.
type cell struct{ x, y int }

const cellSize = 4

func cellOf(p vg.Point) cell { return cell{int(p.X / cellSize), int(p.Y / cellSize)} }

// crowded reports whether the place covers more than a stray point.
func (f *frame) crowded(place vg.Rectangle) bool {
	low, high := cellOf(place.Min), cellOf(place.Max)
	n := 0
	for x := low.x; x <= high.x; x++ {
		for y := low.y; y <= high.y; y++ {
			if f.marked[cell{x, y}] {
				n++
			}
		}
	}
	return n > 1
}

// A layer is one kind of mark in a panel.
type layer interface {
	// extend widens the extents to what the layer wants to show.
	extend(x, y *extent)
	draw(f *frame)
}

// at is the place of a data point; ok is false when it cannot be drawn.
func (f *frame) at(x, y float64) (p vg.Point, ok bool) {
	u, v := f.x.unit(x), f.y.unit(y)
	// Far outside is as good as infinite, and keeps coordinates printable.
	if math.IsNaN(u) || math.IsNaN(v) || math.Abs(u) > 1e6 || math.Abs(v) > 1e6 {
		return vg.Point{}, false
	}
	return vg.Point{X: f.X(u), Y: f.Y(v)}, true
}

// inside is like at, but only for points within the frame.
func (f *frame) inside(x, y float64) (vg.Point, bool) {
	p, ok := f.at(x, y)
	return p, ok && f.Contains(p)
}

// outside counts the points that stand at the edge instead of at their place.
func (f *frame) outside(x, y []float64) int {
	n := 0
	for i := range min(len(x), len(y)) {
		if !math.IsNaN(x[i]) && !math.IsNaN(y[i]) && (f.x.outside(x[i]) || f.y.outside(y[i])) {
			n++
		}
	}
	return n
}

// slot is the share of the room of a group (from -0.5 to 0.5) that its marks may fill.
func (f *frame) slot() (from, to float64) {
	if f.namesAbove {
		return -0.04, 0.44
	}
	return -0.37, 0.37
}

// width and height of the drawing area.
func (f *frame) width() vg.Length  { return f.Max.X - f.Min.X }
func (f *frame) height() vg.Length { return f.Max.Y - f.Min.Y }

// stroke draws a clipped polyline.
func (f *frame) stroke(style draw.LineStyle, line []vg.Point) {
	f.StrokeLines(style, f.ClipLinesXY(line)...)
}

// fill draws a clipped polygon.
func (f *frame) fill(c tone, polygon []vg.Point) {
	f.FillPolygon(c, f.ClipPolygonXY(polygon))
}

// box is the polygon of a rectangle given by two corners.
func box(a, b vg.Point) []vg.Point {
	return []vg.Point{a, {X: b.X, Y: a.Y}, b, {X: a.X, Y: b.Y}}
}

// pen makes a line style.
func pen(c tone, width vg.Length, dashes ...vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: c, Width: width, Dashes: dashes}
}
