package report

import (
	"math"
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
		if l, ok := l.(points); ok && len(l.x) > pointLimit/4 {
			p.ready.remark = true
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

// upright is the label of the y axis as it stands above the panel; the arrow says
// which axis is meant.
func (p *panel) upright() string {
	if len(p.y.Names) > 0 {
		return p.yLabel()
	}
	return "↑ " + p.yLabel()
}

// xLabel and yLabel are the labels of the axes with the offset of their ticks.
func (p *panel) xLabel() string { x, _ := p.scales(); return x.labelled(p.x) }
func (p *panel) yLabel() string { _, y := p.scales(); return y.labelled(p.y) }

// yTicks chooses the ticks of the y axis for an area of the given height.
func (p *panel) yTicks(s scale, height vg.Length) []tick {
	list := s.ticks(p.y, max(int(height/48), 3))
	if len(p.y.Names) > 0 {
		if room := height / vg.Length(len(p.y.Names)); room < tickText.height() {
			stride := int(math.Ceil(float64(tickText.height() / room)))
			var kept []tick
			for i := 0; i < len(list); i += stride {
				kept = append(kept, list[i])
			}
			list = kept
		}
	}
	return list
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

// xTicks chooses the ticks of the x axis, whether their labels must be turned,
// and the height they need. Turned labels reach to the left as far as the margin allows.
func (p *panel) xTicks(s scale, width, margin vg.Length) (list []tick, turned bool, depth vg.Length) {
	list = s.ticks(p.x, max(int(width/76), 3))
	level := fitting(list, tickText, s, width)
	if len(p.x.Names) == 0 || len(level) == len(list) {
		return level, false, tickText.size
	}
	// Names: turn them before leaving any out.
	room := width / vg.Length(len(list))
	stride := max(1, int(math.Ceil(float64(tickText.height()*1.2/room))))
	var kept []tick
	for i := 0; i < len(list); i += stride {
		t := list[i]
		room := (margin + vg.Length(s.unit(t.at))*width) / vg.Length(math.Cos(turn))
		t.label = shorten(tickText, t.label, min(room, 150))
		kept = append(kept, t)
		depth = max(depth, tickText.width(t.label)*vg.Length(math.Sin(turn))+tickText.size*0.8)
	}
	return kept, true, depth
}

// turn is the angle of turned labels.
const turn = 0.7

func (p *panel) drawAxes(f *frame, xTicks, yTicks []tick, turned bool, depth, margin vg.Length) {
	if !p.bare {
		for _, t := range yTicks {
			if y := f.Y(f.y.unit(t.at)); len(p.y.Names) == 0 && f.ContainsY(y) {
				f.StrokeLine2(pen(grid, hairline), f.Min.X, y, f.Max.X, y)
			}
		}
		for _, t := range xTicks {
			if x := f.X(f.x.unit(t.at)); len(p.x.Names) == 0 && f.ContainsX(x) {
				f.StrokeLine2(pen(grid, hairline), x, f.Min.Y, x, f.Max.Y)
			}
		}
		f.StrokeLine2(pen(rule, hairline), f.Min.X, f.Min.Y, f.Max.X, f.Min.Y)
	}
	l := tickText
	l.x, l.y = draw.XRight, draw.YCenter
	if f.namesAbove {
		l.x, l.y, l.colour = draw.XLeft, draw.YCenter, ink
	}
	for _, t := range yTicks {
		if f.namesAbove {
			if y := f.Y(f.y.unit(t.at - 0.28)); f.ContainsY(y) {
				l.write(f.Canvas, vg.Point{X: f.Min.X, Y: y}, shorten(l, t.label, f.width()))
			}
			continue
		}
		if y := f.Y(f.y.unit(t.at)); f.ContainsY(y) {
			l.write(f.Canvas, vg.Point{X: f.Min.X - 7, Y: y}, p.yName(t.label, margin-8))
		}
	}
	l.x, l.y, l.colour = draw.XCenter, draw.YTop, tickText.colour
	if turned {
		l.x, l.turn = draw.XRight, turn
		l.y = draw.YCenter
	}
	for _, t := range xTicks {
		if x := f.X(f.x.unit(t.at)); f.ContainsX(x) {
			l.write(f.Canvas, vg.Point{X: x, Y: f.Min.Y - 7}, t.label)
		}
	}
	if name := f.x.labelled(p.x); name != "" {
		a := axisText
		a.x, a.y = draw.XCenter, draw.YTop
		y := f.Min.Y - 7 - depth - 6
		label := shorten(a, name, f.Max.X)
		half := a.width(label) / 2
		x := min(max(f.Center().X, half), f.Max.X+10-half)
		a.write(f.Canvas, vg.Point{X: x, Y: y}, label)
	}
}

// yName is the label of a tick; names are cut to the margin, numbers never.
func (p *panel) yName(label string, room vg.Length) string {
	if len(p.y.Names) == 0 {
		return label
	}
	return shorten(tickText, label, room+1)
}

// shrinkToSquare makes the area square, keeping its left upper corner.
func shrinkToSquare(c *draw.Canvas) {
	w, h := c.Max.X-c.Min.X, c.Max.Y-c.Min.Y
	if w > h {
		c.Max.X = c.Min.X + h
	} else {
		c.Min.Y = c.Max.Y - w
	}
}

// equalise widens one of the scales so that a unit has the same length on both.
func equalise(x, y *scale, area draw.Canvas) {
	if x.log || y.log {
		return
	}
	w, h := float64(area.Max.X-area.Min.X), float64(area.Max.Y-area.Min.Y)
	ux, uy := (x.max-x.min)/w, (y.max-y.min)/h
	widen := func(s *scale, to float64) {
		middle := s.min/2 + s.max/2
		s.min, s.max = middle-to/2, middle+to/2
	}
	if ux < uy {
		widen(x, uy*w)
	} else {
		widen(y, ux*h)
	}
}
