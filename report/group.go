package report

import (
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Group puts charts that belong together into one picture, each under its own title.
// Where there is room two stand side by side, except those that have several panels
// themselves. A single chart is returned as it is.
func Group(title string, charts ...*Chart) *Chart {
	if len(charts) == 1 {
		return charts[0]
	}
	return &Chart{Title: title, body: group(charts)}
}

type group []*Chart

const groupHeading vg.Length = 8 // free space below the title of a chart

func (g group) natural() vg.Length { return 900 }

// groupRow is one or two charts side by side, each of the given width.
type groupRow struct {
	charts        []*Chart
	width, height vg.Length
}

// rows lays the charts out.
func (g group) rows(width vg.Length) []groupRow {
	half := (width - panelGap) / 2
	var rows []groupRow
	for i := 0; i < len(g); i++ {
		row := groupRow{charts: g[i : i+1], width: width}
		if width >= narrowSheet && !g[i].wide() {
			row.width = half
			if i+1 < len(g) && !g[i+1].wide() {
				row.charts = g[i : i+2]
				i++
			}
		}
		for _, c := range row.charts {
			if c.body != nil {
				row.height = max(row.height, c.heading(row.width)+c.body.height(row.width))
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// wide tells whether a chart has panels side by side itself.
func (c *Chart) wide() bool {
	b, ok := c.body.(*panels)
	return !ok || b.columns > 1 && len(b.list) > 1
}

// heading is the height of the chart's title.
func (c *Chart) heading(width vg.Length) vg.Length {
	lines := wrap(panelText, clean(c.Title), width)
	if len(lines) == 0 {
		return 0
	}
	return vg.Length(len(lines))*panelText.height() + groupHeading
}

func (g group) height(width vg.Length) vg.Length {
	total := vg.Length(0)
	for i, row := range g.rows(width) {
		if i > 0 {
			total += panelGap
		}
		total += row.height
	}
	return total
}

func (g group) draw(c draw.Canvas) {
	top := c.Max.Y
	for _, row := range g.rows(c.Max.X - c.Min.X) {
		for k, chart := range row.charts {
			left := c.Min.X + vg.Length(k)*(row.width+panelGap)
			l := panelText
			l.y = draw.YTop
			for n, line := range wrap(panelText, clean(chart.Title), row.width) {
				l.write(c, vg.Point{X: left, Y: top - vg.Length(n)*panelText.height()}, line)
			}
			if chart.body == nil {
				continue
			}
			// A chart that is lower than its neighbour stays at the top.
			below := top - chart.heading(row.width)
			chart.body.draw(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
				Min: vg.Point{X: left, Y: below - chart.body.height(row.width)}, Max: vg.Point{X: left + row.width, Y: below},
			}})
		}
		top -= row.height + panelGap
	}
}

func (g group) summary() string {
	var parts []string
	for _, c := range g {
		parts = append(parts, c.description())
	}
	return strings.Join(parts, ". ")
}
