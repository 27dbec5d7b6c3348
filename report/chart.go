package report

import (
	"fmt"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Chart is a picture described by data. Make one with a constructor such as
// [Lines] or [OutlierMap]; the exported fields may be changed afterwards.
type Chart struct {
	Title string
	Note  string // one or two sentences below the picture; prose as in Section.Text
	Alt   string // what the picture shows, for readers who cannot see it; made from titles and labels when empty

	// Width and Height of the drawing in points; zero: what the kind of chart
	// looks best at, mostly 720 wide. Text keeps its size when the width changes.
	Width, Height float64

	body body
}

// body is what stands between the title and the note.
type body interface {
	height(width vg.Length) vg.Length
	draw(c draw.Canvas)
	summary() string
	natural() vg.Length // the width it looks best at
}

const (
	nominalWidth = 720
	edge         = 14 // free space around the drawing
)

// A layout is a chart made ready for one width.
type layout struct {
	chart         *Chart
	width, height vg.Length
	title, note   []string
	framed        bool // with title, note and edge, as a file of its own
}

var (
	titleText = lettering{size: titleSize, colour: ink, bold: true, y: draw.YTop}
	noteText  = lettering{size: labelSize, colour: muted, y: draw.YTop}
)

// lay computes the layout for a width in points (0 = the chart's own). An
// unframed layout leaves title and note to the page around it.
func (c *Chart) lay(width vg.Length, framed bool) layout {
	l := layout{chart: c, width: width, framed: framed}
	if width == 0 {
		l.width = nominalWidth
		if c.body != nil {
			l.width = c.body.natural()
		}
		if c.Width > 0 && finite(c.Width) {
			l.width = vg.Length(min(max(c.Width, 200), 4000))
		}
	}
	inner := l.width
	if framed {
		inner -= 2 * edge
		l.title = wrap(titleText, clean(c.Title), inner)
		l.note = wrap(noteText, plainProse(c.Note), inner)
		l.height += 2 * edge
		if n := len(l.title); n > 0 {
			l.height += vg.Length(n)*titleText.height() + 8
		}
		if n := len(l.note); n > 0 {
			l.height += vg.Length(n)*noteText.height() + 8
		}
	}
	content := vg.Length(80)
	if c.body != nil {
		content = c.body.height(inner)
	}
	if c.Height > 0 && finite(c.Height) && width == 0 {
		content = max(vg.Length(min(c.Height, 8000))-l.height, 80)
	}
	l.height += content
	return l
}

// draw draws the layout; paper first, so that stand-alone files read well
// everywhere.
func (l layout) draw(c draw.Canvas) {
	if l.framed {
		c.FillPolygon(paper, box(c.Min, c.Max))
		c = draw.Crop(c, edge, -edge, edge, -edge)
		for _, line := range l.title {
			titleText.write(c, vg.Point{X: c.Min.X, Y: c.Max.Y}, line)
			c.Max.Y -= titleText.height()
		}
		if len(l.title) > 0 {
			c.Max.Y -= 8
		}
		for i := len(l.note) - 1; i >= 0; i-- {
			c.Min.Y += noteText.height()
			noteText.write(c, vg.Point{X: c.Min.X, Y: c.Min.Y - 2}, l.note[i])
		}
		if len(l.note) > 0 {
			c.Min.Y += 8
		}
	}
	if l.chart.body != nil {
		l.chart.body.draw(c)
	}
}

// description is the text for readers who cannot see the picture.
func (c *Chart) description() string {
	if c.Alt != "" {
		return clean(c.Alt)
	}
	var parts []string
	if c.Title != "" {
		parts = append(parts, c.Title)
	}
	if c.body != nil {
		parts = append(parts, c.body.summary())
	}
	return clean(strings.Join(parts, ": "))
}

// panels is the body of most charts: a legend above a grid of panels.
type panels struct {
	kind    string // for the description: "line chart"
	list    []*panel
	columns int       // panels side by side on a wide sheet; 0 = 1
	aspect  float64   // height of a panel by its width; 0 = standard
	tall    vg.Length // height of a panel whatever its width, for lists; 0 = by aspect
	lines   int       // of a list whose names may stand above the marks, which needs more height
	legend  legend
}

const (
	panelGap    vg.Length = 22
	narrowSheet vg.Length = 480 // below it panels stand one above the other
)

// lie makes a chart with a list of names down its side.
func (b *panels) lie(p *panel, value Axis, names []string) {
	p.x, p.y = value, Axis{Names: names, downwards: true}
	p.lying = true
	b.lines = min(len(names), 200)
	b.tall = vg.Length(b.lines)*26 + 56
}

// shape is the number of columns and the size of one panel.
func (b *panels) shape(width vg.Length) (columns int, w, h vg.Length) {
	columns = max(b.columns, 1)
	if width < narrowSheet {
		columns = 1
	}
	columns = min(columns, max(len(b.list), 1))
	w = (width - vg.Length(columns-1)*panelGap) / vg.Length(columns)
	aspect := b.aspect
	if aspect == 0 {
		aspect = 0.56
	}
	h = min(max(w*vg.Length(aspect), 230), 560)
	switch {
	case b.tall > 0:
		h = b.tall
		if len(b.list) > 0 && b.list[0].namesAbove(w) {
			h += vg.Length(b.lines) * 18
		}
	case len(b.list) > 0 && b.list[0].square:
		h = 0
		for _, p := range b.list {
			h = max(h, p.squareHeight(w))
		}
	}
	return columns, w, h
}

// natural is narrower for a single square.
func (b *panels) natural() vg.Length {
	if len(b.list) == 1 && b.list[0].square {
		return 500
	}
	return nominalWidth
}

func (b *panels) rows(columns int) int { return (len(b.list) + columns - 1) / columns }

func (b *panels) height(width vg.Length) vg.Length {
	columns, _, h := b.shape(width)
	rows := b.rows(columns)
	return b.legend.height(width) + vg.Length(rows)*h + vg.Length(max(rows-1, 0))*panelGap
}

func (b *panels) draw(c draw.Canvas) {
	width := c.Max.X - c.Min.X
	columns, w, _ := b.shape(width)
	b.legend.draw(c)
	c.Max.Y -= b.legend.height(width)
	rows := max(b.rows(columns), 1)
	h := (c.Max.Y - c.Min.Y - vg.Length(rows-1)*panelGap) / vg.Length(rows)
	for column := range columns {
		// Panels above each other share the margin, so that their axes line up.
		margin := vg.Length(0)
		for i := column; i < len(b.list); i += columns {
			margin = max(margin, b.list[i].margin(w, h))
		}
		for i := column; i < len(b.list); i += columns {
			row := i / columns
			left := c.Min.X + vg.Length(column)*(w+panelGap)
			top := c.Max.Y - vg.Length(row)*(h+panelGap)
			b.list[i].draw(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
				Min: vg.Point{X: left, Y: top - h}, Max: vg.Point{X: left + w, Y: top},
			}}, margin)
		}
	}
}

func (b *panels) summary() string {
	s := b.kind
	for i, p := range b.list {
		if i > 0 {
			s += ";"
		}
		if p.title != "" {
			s += " " + p.title
		}
		if p.y.Label != "" && p.x.Label != "" {
			s += fmt.Sprintf(" of %s against %s", p.y.Label, p.x.Label)
		}
	}
	if len(b.legend) > 0 {
		names := make([]string, len(b.legend))
		for i, k := range b.legend {
			names[i] = k.name
		}
		s += "; shown: " + strings.Join(names, ", ")
	}
	return strings.TrimSpace(s)
}
