package report

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

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
