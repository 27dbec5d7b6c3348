package report

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A swatch explains one series in the legend.
type swatch struct {
	name   string
	colour tone
	line   bool
	dashes []vg.Length
	dot    bool
	shape  marker
	filled bool // a box: bars, histograms, bands
}

var legendText = lettering{size: labelSize, colour: ink, y: draw.YCenter}

const (
	legendHeight vg.Length = 20
	legendGap    vg.Length = 16
)

// width of the picture: lines need room to show their dashes.
func (s swatch) width() vg.Length {
	if s.line {
		return 24
	}
	return 12
}

// legend is a row of swatches above the panels, broken into as many rows as the
// width demands; it never hides data.
type legend []swatch

// place is where a swatch starts.
type legendPlace struct {
	x    vg.Length
	row  int
	name string
}

func (l legend) places(width vg.Length) (list []legendPlace, rows int) {
	x := vg.Length(0)
	for _, s := range l {
		name := shorten(legendText, clean(s.name), width-s.width()-5)
		w := s.width() + 5 + legendText.width(name)
		if x > 0 && x+w > width {
			x = 0
			rows++
		}
		list = append(list, legendPlace{x, rows, name})
		x += w + legendGap
	}
	if len(list) > 0 {
		rows++
	}
	return list, rows
}

func (l legend) height(width vg.Length) vg.Length {
	_, rows := l.places(width)
	if rows == 0 {
		return 0
	}
	return vg.Length(rows)*legendHeight + 8
}

func (l legend) draw(c draw.Canvas) {
	list, _ := l.places(c.Max.X - c.Min.X)
	for i, s := range l {
		at := vg.Point{X: c.Min.X + list[i].x, Y: c.Max.Y - (vg.Length(list[i].row)+0.5)*legendHeight}
		s.draw(c, at)
		legendText.write(c, vg.Point{X: at.X + s.width() + 5, Y: at.Y}, list[i].name)
	}
}

func (s swatch) draw(c draw.Canvas, at vg.Point) {
	middle := vg.Point{X: at.X + s.width()/2, Y: at.Y}
	if s.filled {
		c.FillPolygon(s.colour, box(vg.Point{X: middle.X - 6, Y: at.Y - 5}, vg.Point{X: middle.X + 6, Y: at.Y + 5}))
	}
	if s.line {
		c.StrokeLine2(pen(s.colour, lineWidth, s.dashes...), at.X, at.Y, at.X+s.width(), at.Y)
	}
	if s.dot {
		var path vg.Path
		s.shape.add(&path, middle, dotRadius*1.15)
		c.SetColor(s.colour)
		c.Fill(path)
	}
}
