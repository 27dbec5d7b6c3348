package report

import "gonum.org/v1/plot/vg"

// contours draws lines of equal value over a surface by marching squares: each
// mesh of four neighbouring values is cut where the level lies between corners.
type contours struct {
	grid      Grid
	low, high float64
	count     int
}

func (c contours) extend(x, y *extent) {}

func (c contours) draw(f *frame) {
	rows, columns := c.grid.size()
	if rows < 2 || columns < 2 {
		return
	}
	w, h := f.width()/vg.Length(columns), f.height()/vg.Length(rows)
	// Values belong to the middle of their cells.
	place := func(row, column float64) vg.Point {
		return vg.Point{X: f.Min.X + vg.Length(column+0.5)*w, Y: f.Max.Y - vg.Length(row+0.5)*h}
	}
	for _, t := range linearTicks(c.low, c.high, c.count, false) {
		if edge := 0.01 * (c.high - c.low); t.at < c.low+edge || t.at > c.high-edge {
			continue // on a plain the line would follow rounding errors
		}
		var path vg.Path
		for i := range rows - 1 {
			for j := range columns - 1 {
				if len(c.grid.Values[i]) < columns || len(c.grid.Values[i+1]) < columns {
					continue
				}
				for _, s := range crossings(c.grid.Values, i, j, t.at) {
					path.Move(place(s[0], s[1]))
					path.Line(place(s[2], s[3]))
				}
			}
		}
		if len(path) > 0 {
			f.SetLineStyle(pen(tone{"", 0xFF, 0xFF, 0xFF, 150}, 0.9))
			f.Stroke(path)
		}
	}
}

// crossings are the segments (row, column, row, column) in which the surface over
// one mesh meets the level.
func crossings(z [][]float64, i, j int, level float64) [][4]float64 {
	corners := [4]float64{z[i][j], z[i][j+1], z[i+1][j+1], z[i+1][j]} // clockwise
	at := [4][2]float64{{float64(i), float64(j)}, {float64(i), float64(j + 1)}, {float64(i + 1), float64(j + 1)}, {float64(i + 1), float64(j)}}
	var cuts [][2]float64
	for k := range 4 {
		a, b := corners[k], corners[(k+1)%4]
		if !finite(a) || !finite(b) {
			return nil
		}
		if (a < level) == (b < level) {
			continue
		}
		u := (level - a) / (b - a)
		p, q := at[k], at[(k+1)%4]
		cuts = append(cuts, [2]float64{p[0] + u*(q[0]-p[0]), p[1] + u*(q[1]-p[1])})
	}
	switch len(cuts) {
	case 2:
		return [][4]float64{{cuts[0][0], cuts[0][1], cuts[1][0], cuts[1][1]}}
	case 4: // a saddle: the value in the middle says which corners belong together
		middle := (corners[0] + corners[1] + corners[2] + corners[3]) / 4
		if (middle < level) == (corners[0] < level) {
			return [][4]float64{{cuts[0][0], cuts[0][1], cuts[1][0], cuts[1][1]}, {cuts[2][0], cuts[2][1], cuts[3][0], cuts[3][1]}}
		}
		return [][4]float64{{cuts[3][0], cuts[3][1], cuts[0][0], cuts[0][1]}, {cuts[1][0], cuts[1][1], cuts[2][0], cuts[2][1]}}
	}
	return nil
}
