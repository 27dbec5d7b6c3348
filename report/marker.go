package report

import (
	"math"

	"gonum.org/v1/plot/vg"
)

// A marker is the shape of a point. Classes differ in shape as well as in
// colour.
type marker int

const (
	circle marker = iota
	square
	triangle
	diamond
	wedge // triangle pointing down
	cross
	markers // how many there are
)

// markerOf is the shape of the i-th class.
func markerOf(i int) marker { return marker(((i % int(markers)) + int(markers)) % int(markers)) }

// add appends the outline of the marker at p to the path. Shapes are scaled to
// look equally heavy at equal radius.
func (m marker) add(path *vg.Path, p vg.Point, radius vg.Length) {
	switch m {
	case circle:
		path.Move(vg.Point{X: p.X + radius, Y: p.Y})
		path.Arc(p, radius, 0, 2*math.Pi)
		path.Close()
	case square:
		polygon(path, p, radius*1.25, 4, math.Pi/4)
	case triangle:
		polygon(path, p, radius*1.4, 3, math.Pi/2)
	case diamond:
		polygon(path, p, radius*1.35, 4, 0)
	case wedge:
		polygon(path, p, radius*1.4, 3, -math.Pi/2)
	case cross:
		a, b := radius*1.25, radius*0.42 // half length and half width of the arms
		corners := [][2]vg.Length{{a, b}, {b, b}, {b, a}, {-b, a}, {-b, b}, {-a, b}, {-a, -b}, {-b, -b}, {-b, -a}, {b, -a}, {b, -b}, {a, -b}}
		const half = math.Sqrt2 / 2
		for i, q := range corners {
			v := vg.Point{X: p.X + (q[0]-q[1])*half, Y: p.Y + (q[0]+q[1])*half}
			if i == 0 {
				path.Move(v)
			} else {
				path.Line(v)
			}
		}
		path.Close()
	}
}

// polygon appends a regular polygon whose first corner is at the given angle.
func polygon(path *vg.Path, p vg.Point, radius vg.Length, corners int, angle float64) {
	for i := range corners {
		sin, cos := math.Sincos(angle + 2*math.Pi*float64(i)/float64(corners))
		v := vg.Point{X: p.X + radius*vg.Length(cos), Y: p.Y + radius*vg.Length(sin)}
		if i == 0 {
			path.Move(v)
		} else {
			path.Line(v)
		}
	}
	path.Close()
}
