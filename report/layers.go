package report

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// points draws a marker for every row.
type points struct {
	x, y   []float64
	shape  marker
	colour tone
	radius vg.Length // 0 = standard
}

func (l points) extend(x, y *extent) {
	for i := range min(len(l.x), len(l.y)) {
		extendPair(x, y, l.x[i], l.y[i])
	}
}

// extendPair widens both extents when the point can be drawn, be it at the edge.
func extendPair(x, y *extent, a, b float64) {
	if !math.IsNaN(a) && !math.IsNaN(b) {
		x.add(a)
		y.add(b)
	}
}

func (l points) draw(f *frame) {
	var places []vg.Point
	for i := range min(len(l.x), len(l.y)) {
		if p, ok := f.inside(l.x[i], l.y[i]); ok {
			places = append(places, p)
		}
	}
	kept := thinPoints(places, f.pointLimit())
	f.total += len(places)
	f.atEdge += f.outside(l.x, l.y)
	f.shown += len(kept)
	radius := l.radius
	if radius == 0 {
		radius = dotRadius
	}
	switch {
	case len(kept) > 1500:
		radius *= 0.5
	case len(kept) > 400:
		radius *= 0.7
	}
	if f.marked == nil {
		f.marked = map[cell]bool{}
	}
	for _, i := range kept {
		f.marked[cellOf(places[i])] = true
	}
	var path vg.Path
	for _, i := range kept {
		l.shape.add(&path, places[i], radius)
	}
	if len(path) > 0 {
		f.SetColor(l.colour)
		f.Fill(path)
	}
}

// polyline joins points in order; values that cannot be drawn leave a gap.
type polyline struct {
	x, y   []float64
	colour tone
	width  vg.Length
	dashes []vg.Length
}

func (l polyline) extend(x, y *extent) { points{x: l.x, y: l.y}.extend(x, y) }

func (l polyline) draw(f *frame) {
	style := pen(l.colour, l.width, l.dashes...)
	if l.width == 0 {
		style.Width = lineWidth
	}
	var run []vg.Point
	flush := func() {
		if len(run) > 1 {
			f.stroke(style, thinLine(run, lineLimit))
		}
		run = nil
	}
	f.linesAtEdge += f.outside(l.x, l.y)
	for i := range min(len(l.x), len(l.y)) {
		if p, ok := f.at(l.x[i], l.y[i]); ok {
			run = append(run, p)
		} else {
			flush()
		}
	}
	flush()
}

// band fills the space between two curves.
type band struct {
	x, low, high []float64
	colour       tone
}

func (l band) extend(x, y *extent) {
	for i := range min(len(l.x), len(l.low), len(l.high)) {
		extendPair(x, y, l.x[i], l.low[i])
		extendPair(x, y, l.x[i], l.high[i])
	}
}

func (l band) draw(f *frame) {
	var upper, lower []vg.Point
	flush := func() {
		if len(upper) > 1 {
			upper, lower = thinLine(upper, lineLimit), thinLine(lower, lineLimit)
			for i := len(lower) - 1; i >= 0; i-- {
				upper = append(upper, lower[i])
			}
			f.fill(l.colour.faded(44), upper)
		}
		upper, lower = nil, nil
	}
	for i := range min(len(l.x), len(l.low), len(l.high)) {
		a, okA := f.at(l.x[i], l.low[i])
		b, okB := f.at(l.x[i], l.high[i])
		if !okA || !okB {
			flush()
			continue
		}
		lower, upper = append(lower, a), append(upper, b)
	}
	flush()
}

// whiskers draws a vertical bar with caps for every interval.
type whiskers struct {
	x, low, high []float64
	colour       tone
}

func (l whiskers) extend(x, y *extent) { band{x: l.x, low: l.low, high: l.high}.extend(x, y) }

func (l whiskers) draw(f *frame) {
	style := pen(l.colour, 1.2)
	const cap = 3.5
	for i := range min(len(l.x), len(l.low), len(l.high), lineLimit) {
		a, okA := f.at(l.x[i], l.low[i])
		b, okB := f.at(l.x[i], l.high[i])
		if !okA || !okB {
			continue
		}
		f.stroke(style, []vg.Point{a, b})
		f.stroke(style, []vg.Point{{X: a.X - cap, Y: a.Y}, {X: a.X + cap, Y: a.Y}})
		f.stroke(style, []vg.Point{{X: b.X - cap, Y: b.Y}, {X: b.X + cap, Y: b.Y}})
	}
}

// guide is a straight reference line across the panel: x = at, y = at, or the
// line from one data point to another. Its label stands at its end.
type guide struct {
	vertical, horizontal bool
	at                   float64
	from, to             [2]float64 // when neither vertical nor horizontal
	label                string
	colour               tone
	solid                bool
	passive              bool // does not widen the axes
	early                bool // horizontal: label at the left
	cutoff               bool // the data are measured by it
}

func (l guide) extend(x, y *extent) {
	if l.cutoff && l.vertical {
		x.cutoff = l.at
	}
	if l.cutoff && l.horizontal {
		y.cutoff = l.at
	}
	switch {
	case l.passive:
	case l.vertical:
		x.add(l.at)
	case l.horizontal:
		y.add(l.at)
	default:
		extendPair(x, y, l.from[0], l.from[1])
		extendPair(x, y, l.to[0], l.to[1])
	}
}

func (l guide) draw(f *frame) {
	c := l.colour
	if c == (tone{}) {
		c = muted
	}
	style := pen(c, 1.2, 4, 3)
	if l.solid {
		style.Dashes = nil
	}
	text := lettering{size: 10.5, colour: muted, y: draw.YBottom}
	switch {
	case l.vertical:
		u := f.x.position(l.at)
		if !(u >= 0 && u <= 1) {
			return
		}
		x := f.X(u)
		f.StrokeLine2(style, x, f.Min.Y, x, f.Max.Y)
		f.taken = append(f.taken, vg.Rectangle{Min: vg.Point{X: x - 1, Y: f.Min.Y}, Max: vg.Point{X: x + 1, Y: f.Max.Y}})
		if l.label != "" {
			// Beside the line, on the side with more room.
			text.y = draw.YTop
			at := vg.Point{X: x + 4, Y: f.Max.Y - 2}
			if u > 0.6 {
				text.x, at.X = draw.XRight, x-4
			}
			f.label(text, at, clean(l.label))
		}
	case l.horizontal:
		u := f.y.position(l.at)
		if !(u >= 0 && u <= 1) {
			return
		}
		y := f.Y(u)
		f.StrokeLine2(style, f.Min.X, y, f.Max.X, y)
		f.taken = append(f.taken, vg.Rectangle{Min: vg.Point{X: f.Min.X, Y: y - 1}, Max: vg.Point{X: f.Max.X, Y: y + 1}})
		if at := (vg.Point{X: f.Max.X - 2, Y: y + 4}); l.label != "" {
			text.x = draw.XRight
			if l.early {
				text.x, at.X = draw.XLeft, f.Min.X+4
			}
			f.label(text, at, clean(l.label))
		}
	default:
		a, okA := f.at(l.from[0], l.from[1])
		b, okB := f.at(l.to[0], l.to[1])
		if okA && okB {
			f.stroke(style, []vg.Point{a, b})
		}
	}
}
