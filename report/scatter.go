package report

// Scatter draws classes of points with a colour and a shape each. A series with
// Mark Line draws a line into the same picture: a fitted direction, a boundary.
func Scatter(title string, x, y Axis, classes ...Series) *Chart {
	return &Chart{Title: title, body: xyPanels("scatter plot", x, y, classes, Dots)}
}

// EqualUnits makes one unit equally long on both axes, so that angles and
// circles in the data look like angles and circles. It returns the chart.
func (c *Chart) EqualUnits() *Chart {
	if b, ok := c.body.(*panels); ok {
		for _, p := range b.list {
			p.equal = true
		}
		b.aspect = 0.75
	}
	return c
}
