package report

import (
	"math"

	"gonum.org/v1/plot/vg"
)

// Stroke fills a box for every straight piece and a disc where two of them meet.
func (r *rasterCanvas) Stroke(path vg.Path) {
	half := r.top().width / 2
	if half <= 0 {
		return
	}
	r.placed = r.placed[:0]
	for _, line := range flattened(path) {
		for _, dash := range dashed(line, r.top().dashes) {
			r.stroke(dash, half)
		}
	}
	r.cover()
}

func (r *rasterCanvas) stroke(line []vg.Point, half vg.Length) {
	var before vg.Point // direction of the piece before
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		d := b.Sub(a)
		length := vg.Length(math.Hypot(float64(d.X), float64(d.Y)))
		if length == 0 {
			continue
		}
		d = d.Scale(1 / length)
		n := vg.Point{X: -d.Y * half, Y: d.X * half}
		r.step('m', a.Sub(n))
		r.step('l', b.Sub(n))
		r.step('l', b.Add(n))
		r.step('l', a.Add(n))
		if turn := before.X*d.X + before.Y*d.Y; before != (vg.Point{}) && turn < 0.98 {
			r.step('m', vg.Point{X: a.X + half, Y: a.Y})
			r.arc(a, half, 0, 2*math.Pi)
		}
		before = d
	}
	if n := len(line); n > 2 && line[0] == line[n-1] { // closed
		r.step('m', vg.Point{X: line[0].X + half, Y: line[0].Y})
		r.arc(line[0], half, 0, 2*math.Pi)
	}
}

// flattened is a path as polylines.
func flattened(path vg.Path) [][]vg.Point {
	var lines [][]vg.Point
	var line []vg.Point
	flush := func() {
		if len(line) > 1 {
			lines = append(lines, line)
		}
		line = nil
	}
	for _, c := range path {
		switch c.Type {
		case vg.MoveComp:
			flush()
			line = append(line, c.Pos)
		case vg.LineComp, vg.CurveComp:
			line = append(line, c.Pos)
		case vg.ArcComp:
			const sides = 48
			for i := range sides + 1 {
				sin, cos := math.Sincos(c.Start + c.Angle*float64(i)/sides)
				line = append(line, vg.Point{X: c.Pos.X + c.Radius*vg.Length(cos), Y: c.Pos.Y + c.Radius*vg.Length(sin)})
			}
		case vg.CloseComp:
			if len(line) > 0 {
				line = append(line, line[0])
			}
			flush()
		}
	}
	flush()
	return lines
}

// dashed cuts a polyline into dashes: lengths of ink and of gaps in turn.
func dashed(line []vg.Point, lengths []vg.Length) [][]vg.Point {
	total := vg.Length(0)
	for _, d := range lengths {
		total += max(d, 0)
	}
	if total <= 0 {
		return [][]vg.Point{line}
	}
	var list [][]vg.Point
	k, left := 0, lengths[0] // of the dash or gap being drawn
	part := []vg.Point{line[0]}
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		d := b.Sub(a)
		length := vg.Length(math.Hypot(float64(d.X), float64(d.Y)))
		done := vg.Length(0)
		for length-done > left {
			done += left
			p := a.Add(d.Scale(done / length))
			if k%2 == 0 {
				list = append(list, append(part, p))
			}
			k++
			left = lengths[k%len(lengths)]
			part = []vg.Point{p}
		}
		left -= length - done
		part = append(part, b)
	}
	if k%2 == 0 && len(part) > 1 {
		list = append(list, part)
	}
	return list
}
