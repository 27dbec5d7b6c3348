package report

import "gonum.org/v1/plot/vg"

// A Mark says how a series is drawn.
type Mark int

const (
	Auto     Mark = iota // what the chart usually does
	Line                 // joined by a line
	Dots                 // markers only
	LineDots             // both
	Stairs               // a line that keeps its value until the next point
)

// A Series is a named list of points.
type Series struct {
	Name string
	X, Y []float64 // X nil: 1, 2, 3, ...

	// Low and High are the ends of an interval around each Y (a standard error,
	// quartiles), drawn as a band, or as whiskers.
	Low, High []float64
	Whiskers  bool

	Mark   Mark
	Dashed bool
	Color  int      // 1, 2, ... chooses from the palette, so that a method keeps its colour from chart to chart; 0 = by position
	Labels []string // texts beside the points; empty ones are left out
}

// Lines draws series as lines: curves over a parameter, learning curves, errors
// against the number of components.
func Lines(title string, x, y Axis, series ...Series) *Chart {
	return &Chart{Title: title, body: xyPanels("line chart", x, y, series, Line)}
}

// xyPanels makes the single panel of line charts and scatter plots.
func xyPanels(kind string, x, y Axis, series []Series, usual Mark) *panels {
	p := &panel{x: x, y: y}
	b := &panels{kind: kind, list: []*panel{p}}
	var front []layer // lines first, then points, then labels
	var names []namedPoint
	for i, s := range series {
		if len(s.X) == 0 {
			s.X = counting(len(s.Y))
		}
		if s.Mark == Auto {
			s.Mark = usual
			if usual == Line && len(s.Y) <= 25 {
				s.Mark = LineDots
			}
		}
		back, points := s.layers(i)
		p.layers = append(p.layers, back...)
		front = append(front, points...)
		for k, name := range s.Labels {
			if name != "" && k < len(s.X) && k < len(s.Y) {
				names = append(names, namedPoint{s.X[k], s.Y[k], name})
			}
		}
		if s.Name != "" {
			b.legend = append(b.legend, s.swatch(i))
		}
	}
	p.layers = append(p.layers, front...)
	if len(names) > 0 {
		p.layers = append(p.layers, labels{list: names})
	}
	return b
}

func (s Series) tone(position int) tone {
	if s.Color > 0 {
		return seriesTone(s.Color - 1)
	}
	return seriesTone(position)
}

func (s Series) shape(position int) marker {
	if s.Color > 0 {
		return markerOf(s.Color - 1)
	}
	return markerOf(position)
}

func (s Series) dashes() []vg.Length {
	if s.Dashed {
		return []vg.Length{6, 4}
	}
	return nil
}

// layers are the marks of the series: those behind and the points in front.
func (s Series) layers(position int) (back, front []layer) {
	c := s.tone(position)
	if len(s.Low) > 0 && len(s.High) > 0 {
		if s.Whiskers {
			back = append(back, whiskers{s.X, s.Low, s.High, c})
		} else {
			back = append(back, band{s.X, s.Low, s.High, c})
		}
	}
	switch s.Mark {
	case Line, LineDots:
		back = append(back, polyline{x: s.X, y: s.Y, colour: c, dashes: s.dashes()})
	case Stairs:
		x, y := stairs(s.X, s.Y)
		back = append(back, polyline{x: x, y: y, colour: c, dashes: s.dashes()})
	}
	switch {
	case s.Mark == Dots:
		front = append(front, points{x: s.X, y: s.Y, shape: s.shape(position), colour: c.faded(200)})
	case s.Mark == LineDots || len(s.Y) == 1:
		front = append(front, points{x: s.X, y: s.Y, shape: s.shape(position), colour: c})
	}
	return back, front
}

func (s Series) swatch(position int) swatch {
	return swatch{
		name: s.Name, colour: s.tone(position), dashes: s.dashes(),
		line: s.Mark != Dots, dot: s.Mark == Dots || s.Mark == LineDots, shape: s.shape(position),
	}
}

// stairs holds every value until the next position.
func stairs(x, y []float64) (sx, sy []float64) {
	for i := range min(len(x), len(y)) {
		if i > 0 {
			sx, sy = append(sx, x[i]), append(sy, y[i-1])
		}
		sx, sy = append(sx, x[i]), append(sy, y[i])
	}
	return sx, sy
}

// counting is 1, 2, ..., n.
func counting(n int) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = float64(i + 1)
	}
	return list
}
