package report

// Curve draws learned functions over the data they were learned from: rows as
// pale points, the functions as lines on top.
func Curve(title string, x, y Axis, data Series, functions ...Series) *Chart {
	data.Mark = Dots
	if data.Color == 0 {
		data.Color = 7
	}
	for i := range functions {
		if functions[i].Color == 0 {
			functions[i].Color = i + 1
		}
		if functions[i].Mark == Auto {
			functions[i].Mark = Line
		}
	}
	chart := Lines(title, x, y, append([]Series{data}, functions...)...)
	b := chart.body.(*panels)
	b.kind = "function curve"
	// Lines are drawn before points; here the data belongs below.
	p := b.list[0]
	var front, back []layer
	for _, l := range p.layers {
		if dots, ok := l.(points); ok {
			dots.shape, dots.colour = circle, dots.colour.faded(110)
			back = append(back, dots)
		} else {
			front = append(front, l)
		}
	}
	p.layers = append(back, front...)
	for i := range b.legend {
		if b.legend[i].dot {
			b.legend[i].shape = circle
		}
	}
	return chart
}
