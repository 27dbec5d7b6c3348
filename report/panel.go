package report

import (
	"strings"
	"sync"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A panel is one coordinate system: two axes and the layers drawn over them.
type panel struct {
	title  string
	x, y   Axis
	layers []layer
	square bool       // as high as wide
	equal  bool       // one unit is equally long on both axes
	key    *colourKey // colour bar at the right
	bare   bool       // no grid lines (heat maps)
	remark string     // what the picture leaves out
	lying  bool       // names down the side; those that are too long stand above their marks

	mu    sync.Mutex
	ready *fitted
}

var (
	tickText  = lettering{size: tickSize, colour: muted}
	axisText  = lettering{size: labelSize, colour: muted}
	panelText = lettering{size: headingSize, colour: ink, bold: true}
)

// fitted is both axes fitted to the layers.
type fitted struct {
	x, y   scale
	empty  bool
	remark bool // there may be something to say about what is not drawn as it is
	layers int  // how many there were
}

// scales fits both axes to the layers, once.
func (p *panel) scales() (x, y scale) {
	f := p.fit()
	return f.x, f.y
}

func (p *panel) fit() fitted {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ready != nil && p.ready.layers == len(p.layers) {
		return *p.ready
	}
	x, y := p.x, p.y
	var ex, ey extent
	for {
		ex = gather(x.Log, func(e *extent) {
			other := extent{log: y.Log}
			for _, l := range p.layers {
				l.extend(e, &other)
			}
		})
		ey = gather(y.Log, func(e *extent) {
			other := extent{log: x.Log}
			for _, l := range p.layers {
				l.extend(&other, e)
			}
		})
		// Nothing positive: a logarithmic axis would be empty.
		flatX, flatY := x.Log && !ex.any && ex.below, y.Log && !ey.any && ey.below
		if !flatX && !flatY {
			break
		}
		x.Log, y.Log = x.Log && !flatX, y.Log && !flatY
	}
	p.ready = &fitted{x: x.fit(ex), y: y.fit(ey), empty: !ex.any || !ey.any, layers: len(p.layers)}
	p.ready.remark = p.remark != "" || ex.below || ex.above || ey.below || ey.above
	for _, l := range p.layers {
		switch l := l.(type) {
		case points:
			p.ready.remark = p.ready.remark || len(l.x) > pointLimit/4
		case histogram:
			p.ready.remark = p.ready.remark || l.beyond > 0
		}
	}
	return *p.ready
}

// header is the height above the drawing area: panel title and label of the y
// axis, which stands upright there because turned text is hard to read.
func (p *panel) header(width vg.Length) vg.Length {
	h := vg.Length(8)
	if p.remarkApart(width) {
		h += remarkText.height()
	}
	if p.title != "" {
		h += panelText.height() + 3
	}
	switch {
	case p.yLabel() != "":
		h += axisText.height()
	case p.key != nil && p.key.label != "":
		h += 10
	}
	return h
}

var remarkText = lettering{size: 10.5, colour: muted, x: draw.XRight, y: draw.YTop}

// remarkApart tells whether a remark would not find room beside the label of the y axis
// and has a line of its own.
func (p *panel) remarkApart(width vg.Length) bool {
	const usual = 200 // points
	return p.fit().remark && p.yLabel() != "" && axisText.width(p.upright())+usual > width
}

// right is the width kept free beside the drawing area.
func (p *panel) right() vg.Length {
	if p.key != nil {
		return p.key.width()
	}
	return 14
}

// footer is the height of labels below the drawing area when tick labels need
// depth.
func (p *panel) footer(depth vg.Length) vg.Length {
	h := depth + 8
	if p.xLabel() != "" {
		h += axisText.height() + 3
	}
	return h
}

// squareHeight is the height of the panel when its drawing area is square.
func (p *panel) squareHeight(width vg.Length) vg.Length {
	x, _ := p.scales()
	side := max(width-p.margin(width, width)-p.right(), 60)
	_, _, depth := p.xTicks(x, side, p.margin(width, width))
	return min(p.header(width)+side+p.footer(depth), 520)
}

// inner is about the height of the drawing area. Ticks are chosen by it, so that
// the labels drawn are those the margin was made for.
func (p *panel) inner(width, height vg.Length) vg.Length { return height - p.header(width) - 40 }

// namesAbove tells whether the names of a lying chart stand above their marks, because
// beside them they would be cut.
func (p *panel) namesAbove(width vg.Length) bool {
	if !p.lying {
		return false
	}
	for _, name := range p.y.Names {
		if tickText.width(clean(name)) > mostMargin*width {
			return true
		}
	}
	return false
}

// mostMargin is the share of a panel that names beside it may take.
const mostMargin = 0.4

// margin is the width that the labels of the y axis need in a panel of the given
// size.
func (p *panel) margin(width, height vg.Length) vg.Length {
	if p.namesAbove(width) {
		return 1
	}
	_, y := p.scales()
	widest := vg.Length(0)
	for _, t := range p.yTicks(y, p.inner(width, height)) {
		widest = max(widest, tickText.width(t.label))
	}
	return min(widest, mostMargin*width) + 8
}

// draw draws the panel into c, the labels of the y axis in the given margin.
func (p *panel) draw(c draw.Canvas, margin vg.Length) {
	sx, sy := p.scales()
	top := c.Max.Y
	if p.title != "" {
		l := panelText
		l.y = draw.YTop
		l.write(c, vg.Point{X: c.Min.X, Y: top}, shorten(l, clean(p.title), c.Max.X-c.Min.X))
		top -= panelText.height() + 3
	}
	labelTop := top
	if p.yLabel() != "" {
		l := axisText
		l.y = draw.YTop
		l.write(c, vg.Point{X: c.Min.X, Y: top}, shorten(l, p.upright(), c.Max.X-c.Min.X))
		top -= axisText.height()
	}
	right := p.right()
	width := c.Max.X - c.Min.X - margin - right
	xTicks, turned, depth := p.xTicks(sx, width, margin)
	area := draw.Crop(c, margin, -right, p.footer(depth), 0)
	area.Max.Y = c.Max.Y - p.header(c.Max.X-c.Min.X)
	if p.square {
		shrinkToSquare(&area)
	}
	if p.equal {
		equalise(&sx, &sy, area)
	}
	if p.square || p.equal {
		xTicks, turned, _ = p.xTicks(sx, area.Max.X-area.Min.X, margin)
	}
	f := &frame{Canvas: area, x: sx, y: sy, namesAbove: p.namesAbove(c.Max.X - c.Min.X)}
	p.drawAxes(f, xTicks, p.yTicks(sy, p.inner(c.Max.X-c.Min.X, c.Max.Y-c.Min.Y)), turned, depth, margin)
	if p.fit().empty {
		l := lettering{size: labelSize, colour: muted, x: draw.XCenter, y: draw.YCenter}
		l.write(c, f.Center(), "no data")
		return
	}
	for _, l := range p.layers {
		l.draw(f)
	}
	if p.key != nil {
		p.key.draw(f)
	}
	p.drawRemarks(f, c, labelTop)
}

// drawRemarks says at the upper right what is not as it seems.
func (p *panel) drawRemarks(f *frame, c draw.Canvas, top vg.Length) {
	var parts []string
	if f.shown < f.total {
		parts = append(parts, fixed(float64(f.shown), 0)+" of "+fixed(float64(f.total), 0)+" points drawn")
	}
	if n := max(f.atEdge, f.linesAtEdge); n > 0 {
		parts = append(parts, fixed(float64(n), 0)+" beyond the axes, at the edge")
	}
	if f.leftOut > 0 {
		parts = append(parts, fixed(float64(f.leftOut), 0)+" beyond the axis, not counted")
	}
	if p.remark != "" {
		parts = append(parts, p.remark)
	}
	if len(parts) == 0 {
		return
	}
	room := c.Max.X - c.Min.X
	switch {
	case p.remarkApart(room):
		top -= axisText.height()
	case p.yLabel() != "":
		room -= axisText.width(p.upright()) + 10
	}
	text := strings.Join(parts, ", ")
	for len(parts) > 1 && remarkText.width(text) > room {
		parts = parts[1:]
		text = strings.Join(parts, ", ")
	}
	remarkText.write(c, vg.Point{X: f.Max.X, Y: top}, shorten(remarkText, text, room))
}

// turn is the angle of turned labels.
const turn = 0.7
