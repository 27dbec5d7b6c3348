package report

import (
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Group puts charts that belong together into one picture, two side by side where there
// is room, each under its own title. A single chart is returned as it is.
func Group(title string, charts ...*Chart) *Chart {
	if len(charts) == 1 {
		return charts[0]
	}
	return &Chart{Title: title, body: group(charts)}
}

type group []*Chart

const groupHeading vg.Length = 8 // free space below the title of a chart

func (g group) natural() vg.Length { return 900 }

// columns is the number of charts side by side and their width.
func (g group) columns(width vg.Length) (int, vg.Length) {
	if width < narrowSheet || len(g) < 2 {
		return 1, width
	}
	return 2, (width - panelGap) / 2
}

// heading is the height of a chart's title.
func (g group) heading(c *Chart, width vg.Length) vg.Length {
	lines := wrap(panelText, clean(c.Title), width)
	if len(lines) == 0 {
		return 0
	}
	return vg.Length(len(lines))*panelText.height() + groupHeading
}

// row is the height of the charts from first on that stand side by side.
func (g group) row(first, columns int, width vg.Length) vg.Length {
	tall := vg.Length(0)
	for _, c := range g[first:min(first+columns, len(g))] {
		if c.body != nil {
			tall = max(tall, g.heading(c, width)+c.body.height(width))
		}
	}
	return tall
}

func (g group) height(width vg.Length) vg.Length {
	columns, w := g.columns(width)
	total := vg.Length(0)
	for i := 0; i < len(g); i += columns {
		if i > 0 {
			total += panelGap
		}
		total += g.row(i, columns, w)
	}
	return total
}

func (g group) draw(c draw.Canvas) {
	columns, w := g.columns(c.Max.X - c.Min.X)
	top := c.Max.Y
	for i := 0; i < len(g); i += columns {
		h := g.row(i, columns, w)
		for k, chart := range g[i:min(i+columns, len(g))] {
			left := c.Min.X + vg.Length(k)*(w+panelGap)
			cell := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
				Min: vg.Point{X: left, Y: top - h}, Max: vg.Point{X: left + w, Y: top},
			}}
			l := panelText
			l.y = draw.YTop
			for n, line := range wrap(panelText, clean(chart.Title), w) {
				l.write(c, vg.Point{X: left, Y: top - vg.Length(n)*panelText.height()}, line)
			}
			cell.Max.Y -= g.heading(chart, w)
			if chart.body != nil {
				// A chart that is lower than its neighbour stays at the top.
				if own := chart.body.height(w); cell.Max.Y-cell.Min.Y > own {
					cell.Min.Y = cell.Max.Y - own
				}
				chart.body.draw(cell)
			}
		}
		top -= h + panelGap
	}
}

func (g group) summary() string {
	var parts []string
	for _, c := range g {
		parts = append(parts, c.description())
	}
	return strings.Join(parts, ". ")
}
