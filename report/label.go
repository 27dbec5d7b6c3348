package report

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A named point is a point of the data with a text beside it.
type namedPoint struct {
	x, y float64
	name string
}

// labels writes names beside points, the most important first. A name that finds
// no free place is left out.
type labels struct {
	list   []namedPoint
	radius vg.Length // of the marker the text must clear
}

func (l labels) extend(x, y *extent) {}

func (l labels) draw(f *frame) {
	style := lettering{size: 10.5, colour: ink, y: draw.YCenter}
	radius := max(l.radius, dotRadius)
	// Markers of the named points themselves must stay visible.
	var marks []vg.Rectangle
	for _, n := range l.list {
		if p, ok := f.inside(n.x, n.y); ok {
			r := radius * 0.8
			marks = append(marks, vg.Rectangle{Min: vg.Point{X: p.X - r, Y: p.Y - r}, Max: vg.Point{X: p.X + r, Y: p.Y + r}})
		}
	}
	for _, n := range l.list {
		p, ok := f.inside(n.x, n.y)
		if !ok {
			continue
		}
		text := clean(n.name)
		w := style.width(text)
		d, up := radius+2.5, radius+style.size/2+1
		for _, offset := range []vg.Point{
			{X: d}, {X: -d - w}, {X: -w / 2, Y: up}, {X: -w / 2, Y: -up},
			{X: d * 0.7, Y: up * 0.8}, {X: d * 0.7, Y: -up * 0.8},
			{X: -d*0.7 - w, Y: up * 0.8}, {X: -d*0.7 - w, Y: -up * 0.8},
		} {
			at := p.Add(offset)
			place := vg.Rectangle{
				Min: vg.Point{X: at.X, Y: at.Y - style.size*0.4},
				Max: vg.Point{X: at.X + w, Y: at.Y + style.size*0.4},
			}
			if !f.free(place, marks) || f.crowded(place) {
				continue
			}
			f.taken = append(f.taken, place)
			style.write(f.Canvas, at, text)
			break
		}
	}
}

// label writes a text at a fixed place and remembers the place as taken.
func (f *frame) label(style lettering, at vg.Point, text string) {
	w, h := style.width(text), style.size*0.8
	left := at.X + vg.Length(style.x)*w
	bottom := at.Y
	switch style.y {
	case draw.YTop:
		bottom -= h
	case draw.YCenter:
		bottom -= h / 2
	}
	place := vg.Rectangle{Min: vg.Point{X: left, Y: bottom}, Max: vg.Point{X: left + w, Y: bottom + h}}
	if !f.free(place, nil) {
		return
	}
	f.taken = append(f.taken, place)
	style.write(f.Canvas, at, text)
}

// free reports whether the place is inside the panel and touches neither labels
// nor marks.
func (f *frame) free(place vg.Rectangle, marks []vg.Rectangle) bool {
	if place.Min.X < f.Min.X-1 || place.Max.X > f.Max.X+12 || place.Min.Y < f.Min.Y-1 || place.Max.Y > f.Max.Y+6 {
		return false
	}
	for _, r := range f.taken {
		if overlap(place, r) {
			return false
		}
	}
	for _, r := range marks {
		if overlap(place, r) {
			return false
		}
	}
	return true
}

func overlap(a, b vg.Rectangle) bool {
	return a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y
}
