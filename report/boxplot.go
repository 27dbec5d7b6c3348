package report

import (
	"math"
	"sort"

	"gonum.org/v1/plot/vg"
)

// Boxplot draws each sample as a box from the lower to the upper quartile with
// the median in it, whiskers to the last value within 1.5 box lengths, and the
// values beyond as points. With long names it lies on its side, so that they can be read.
func Boxplot(title string, y Axis, samples ...Sample) *Chart {
	names := make([]string, len(samples))
	p := &panel{y: y}
	for i, s := range samples {
		names[i] = s.Name
		p.layers = append(p.layers, newBoxes(i, s.Values, Series{Color: s.Color}.tone(i)))
	}
	b := &panels{kind: "box plot", list: []*panel{p}, aspect: 0.55}
	if longNames(names) || len(names) > 12 {
		b.lie(p, y, names)
		for i, l := range p.layers {
			l := l.(boxes)
			l.lying = true
			p.layers[i] = l
		}
	} else {
		p.x = Axis{Names: names}
	}
	return &Chart{Title: title, body: b}
}

// boxes is the box of one sample.
type boxes struct {
	at                       float64
	low, q1, median, q3, top float64
	beyond                   []float64
	values                   []float64 // all, sorted
	colour                   tone
	any                      bool
	lying                    bool
}

func newBoxes(position int, values []float64, c tone) boxes {
	var sorted []float64
	for _, v := range values {
		if finite(v) {
			sorted = append(sorted, v)
		}
	}
	b := boxes{at: float64(position), colour: c, any: len(sorted) > 0}
	if !b.any {
		return b
	}
	sort.Float64s(sorted)
	b.values = sorted
	b.q1, b.median, b.q3 = quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75)
	reach := 1.5 * (b.q3 - b.q1)
	b.low, b.top = b.q1, b.q3
	for _, v := range sorted {
		if v < b.q1-reach || v > b.q3+reach {
			b.beyond = append(b.beyond, v)
			continue
		}
		b.low, b.top = math.Min(b.low, v), math.Max(b.top, v)
	}
	return b
}

func (b boxes) extend(x, y *extent) {
	if b.lying {
		x, y = y, x
	}
	x.add(b.at)
	y.addAll(b.values)
}

func (b boxes) draw(f *frame) {
	if !b.any {
		return
	}
	from, to := f.slot()
	middle, half := b.at+(from+to)/2, 0.38*(to-from)
	at := func(group, value float64) (vg.Point, bool) {
		if b.lying {
			return f.at(value, group)
		}
		return f.at(group, value)
	}
	line := func(width vg.Length, x0, y0, x1, y1 float64) {
		p, okP := at(x0, y0)
		q, okQ := at(x1, y1)
		if okP && okQ {
			f.stroke(pen(b.colour, width), []vg.Point{p, q})
		}
	}
	line(1.4, middle, b.q3, middle, b.top)
	line(1.4, middle, b.q1, middle, b.low)
	line(1.4, middle-half/2, b.top, middle+half/2, b.top)
	line(1.4, middle-half/2, b.low, middle+half/2, b.low)
	p, okP := at(middle-half, b.q1)
	q, okQ := at(middle+half, b.q3)
	if okP && okQ {
		f.fill(b.colour.faded(60), box(p, q))
		corners := box(p, q)
		f.stroke(pen(b.colour, 1.4), append(corners, corners[0]))
	}
	line(2.6, middle-half, b.median, middle+half, b.median)
	x := make([]float64, len(b.beyond))
	for i := range x {
		x[i] = middle
	}
	marks := points{x: x, y: b.beyond, colour: b.colour.faded(170), radius: 2.4}
	if b.lying {
		marks.x, marks.y = marks.y, marks.x
	}
	marks.draw(f)
}
