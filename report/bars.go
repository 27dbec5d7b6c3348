package report

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A BarSeries is one value per group.
type BarSeries struct {
	Name      string
	Values    []float64
	Low, High []float64 // ends of the whiskers; nil = none
	Color     int       // as in Series
}

// Bars draws groups of bars, one bar per series in each group. A single series
// with long names lies on its side, so that the names can be read.
func Bars(title string, value Axis, groups []string, series ...BarSeries) *Chart {
	value.Zero = true
	lying := len(series) == 1 && (len(groups) > 12 || longNames(groups))
	p := &panel{}
	b := &panels{kind: "bar chart", list: []*panel{p}, aspect: 0.52}
	if lying {
		b.lie(p, value, groups)
	} else {
		p.x, p.y = Axis{Names: groups}, value
	}
	for i, s := range series {
		c := Series{Color: s.Color}.tone(i)
		p.layers = append(p.layers, bars{
			values: s.Values, low: s.Low, high: s.High, colour: c,
			index: i, of: len(series), lying: lying,
		})
		if s.Name != "" && len(series) > 1 {
			b.legend = append(b.legend, swatch{name: s.Name, colour: c, filled: true})
		}
	}
	return &Chart{Title: title, body: b}
}

func longNames(names []string) bool {
	total := 0
	for _, n := range names {
		total += len(n) + 3
	}
	return total > 80
}

// barAlpha lets grid lines shine through bars.
const barAlpha = 240

// bars draws one series of a bar chart.
type bars struct {
	values, low, high []float64
	colour            tone
	index, of         int // which bar of how many in a group
	lying             bool
}

func (b bars) extend(x, y *extent) {
	value, category := y, x
	if b.lying {
		value, category = x, y
	}
	value.addAll(b.values)
	value.addAll(b.low)
	value.addAll(b.high)
	if len(b.values) > 0 {
		category.add(0)
		category.add(float64(len(b.values) - 1))
	}
}

func (b bars) draw(f *frame) {
	from, to := f.slot()
	width := (to - from) / float64(b.of)
	start := from + float64(b.index)*width
	at := func(category, value float64) (vg.Point, bool) {
		if b.lying {
			return f.at(value, category)
		}
		return f.at(category, value)
	}
	base := 0.0
	if s := f.y; !b.lying && s.log {
		base = s.min
	} else if s := f.x; b.lying && s.log {
		base = s.min
	}
	for i, v := range b.values {
		left := float64(i) + start
		p, okP := at(left+width*0.04, base)
		q, okQ := at(left+width*0.96, v)
		if !okP || !okQ {
			continue
		}
		f.fill(b.colour.faded(barAlpha), box(p, q))
		if i < len(b.low) && i < len(b.high) {
			b.whisker(f, at, left+width/2, b.low[i], b.high[i])
		}
		if b.lying && len(b.low) == 0 && b.of == 1 {
			b.number(f, p, q, v)
		}
	}
}

// number writes the value behind the end of a lying bar, or into the bar where there is
// no room behind it.
func (b bars) number(f *frame, start, end vg.Point, v float64) {
	l := lettering{size: 10.5, colour: muted, y: draw.YCenter}
	text, middle := short(v), (start.Y+end.Y)/2
	w := l.width(text) + 4
	negative := v < 0
	outside := end.X+w <= f.Max.X+12
	if negative {
		outside = end.X-w >= f.Min.X
	}
	if long := max(start.X-end.X, end.X-start.X); !outside && long < w+4 { // neither: on the other side of zero
		negative, end.X = !negative, start.X
		outside = true
	}
	at := vg.Point{X: end.X + 4, Y: middle}
	if negative == outside {
		l.x, at.X = draw.XRight, end.X-4
	}
	if !outside {
		l.colour = b.colour.onTop()
	}
	l.write(f.Canvas, at, text)
}

func (b bars) whisker(f *frame, at func(c, v float64) (vg.Point, bool), middle, low, high float64) {
	p, okP := at(middle, low)
	q, okQ := at(middle, high)
	if !okP || !okQ {
		return
	}
	cap := vg.Point{X: 3.5}
	if b.lying {
		cap = vg.Point{Y: 3.5}
	}
	style := pen(ink, 1.2)
	f.stroke(style, []vg.Point{p, q})
	f.stroke(style, []vg.Point{p.Sub(cap), p.Add(cap)})
	f.stroke(style, []vg.Point{q.Sub(cap), q.Add(cap)})
}
