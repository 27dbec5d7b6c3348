package report

import (
	"fmt"
	"image"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Grid is a table of numbers to be shown as colours: Values[row][column], the
// first row at the top.
type Grid struct {
	Values        [][]float64
	Rows, Columns []string // names; nil = numbers
	X, Y          Axis     // labels; ranges for surfaces
	Colors        Colormap
	Min, Max      float64  // ends of the colours when Min < Max; else those of the data
	Key           string   // what the colours mean, above the colour bar
	Print         string   // fmt verb to write the values into the cells, such as "%.2f"; "short" = as Short does; empty = not
	Blocks        []int    // first row and column of each block of a similarity matrix after the first: lines between them
	BlockNames    []string // of all blocks, the first as well; instead of numbers at the axes
	Down          bool     // the range of y runs downwards: the first row of a table stands on top
	Hatched       bool     // values that are not numbers are hatched, not only pale
	Contours      int      // about so many contour lines over a surface
}

// HeatMap draws a table of numbers as colours with a colour bar.
func HeatMap(title string, g Grid) *Chart {
	rows, columns := g.size()
	p := &panel{x: g.X, y: g.Y, bare: true}
	if g.Columns != nil {
		p.x.Names = g.Columns
	} else if !(g.X.Min < g.X.Max) {
		p.x.Min, p.x.Max, p.x.Whole = 0.5, float64(columns)+0.5, true
	}
	if g.Rows != nil {
		p.y.Names = g.Rows
		p.y.downwards = true
	} else if !(g.Y.Min < g.Y.Max) {
		p.y.Min, p.y.Max, p.y.Whole = 0.5, float64(rows)+0.5, true
		p.y.downwards = true
	}
	if len(g.BlockNames) > 0 && g.Rows == nil && g.Columns == nil {
		p.x.marks = g.blockMarks(columns)
		p.y.marks = g.blockMarks(rows)
	}
	p.y.downwards = p.y.downwards || g.Down
	low, high := g.span()
	p.layers = []layer{cells{grid: g, low: low, high: high}}
	if g.Contours > 0 {
		p.layers = append(p.layers, contours{grid: g, low: low, high: high, count: g.Contours})
	}
	p.key = &colourKey{colours: g.Colors, min: low, max: high, label: g.Key}
	b := &panels{kind: "heat map", list: []*panel{p}, aspect: 0.6}
	switch {
	case rows == columns:
		p.square = true
	case rows > 0 && g.Rows != nil:
		b.tall = vg.Length(max(min(rows, 40), 4))*25 + 100
	}
	return &Chart{Title: title, body: b}
}

// Confusion draws how often rows of each true class (down) were given each class
// (across); colours are shares of the true class.
func Confusion(title string, classes []string, counts [][]int) *Chart {
	shares := make([][]float64, len(counts))
	for i, row := range counts {
		total := 0
		for _, n := range row {
			total += n
		}
		shares[i] = make([]float64, len(row))
		for j, n := range row {
			shares[i][j] = 100 * float64(n) / float64(max(total, 1))
		}
	}
	g := Grid{Values: shares, Rows: classes, Columns: classes, Colors: Intensity, Max: 100, Key: "% of row",
		X: Axis{Label: "given class"}, Y: Axis{Label: "true class"}}
	chart := HeatMap(title, g)
	if b, ok := chart.body.(*panels); ok {
		b.kind = "confusion matrix"
		l := b.list[0].layers[0].(cells)
		l.print = func(i, j int) string { return fixed(float64(counts[i][j]), 0) }
		b.list[0].layers[0] = l
	}
	return chart
}

// blockMarks are the names of the blocks, each at the middle of its block.
func (g Grid) blockMarks(end int) []tick {
	list := []tick{}
	first := 0
	for k, name := range g.BlockNames {
		last := end
		if k < len(g.Blocks) {
			last = g.Blocks[k]
		}
		list = append(list, tick{float64(first+last)/2 + 0.5, clean(name)})
		first = last
	}
	return list
}

// size is the number of rows and of columns (of the longest row).
func (g Grid) size() (rows, columns int) {
	for _, row := range g.Values {
		columns = max(columns, len(row))
	}
	return len(g.Values), columns
}

// span is the range of the colours; the diverging map is centred on zero.
func (g Grid) span() (low, high float64) {
	if g.Min < g.Max {
		return g.Min, g.Max
	}
	e := rangeOf(g.Values...)
	low, high = e.min, e.max
	if g.Colors == Diverging {
		high = math.Max(math.Abs(low), math.Abs(high))
		low = -high
	}
	if !(low < high) {
		low, high = low-0.5, high+0.5
	}
	return low, high
}

// cells draws the colours.
type cells struct {
	grid      Grid
	low, high float64
	print     func(row, column int) string
}

func (c cells) extend(x, y *extent) {
	if rows, columns := c.grid.size(); rows > 0 && columns > 0 {
		x.add(0)
		y.add(0)
		x.add(float64(columns))
		y.add(float64(rows))
	}
}

func (c cells) draw(f *frame) {
	rows, columns := c.grid.size()
	if rows == 0 || columns == 0 {
		return
	}
	w, h := f.width()/vg.Length(columns), f.height()/vg.Length(rows)
	gap := vg.Length(0)
	if min(w, h) >= 14 {
		gap = 0.75
	}
	corner := func(row, column int) vg.Point {
		return vg.Point{X: f.Min.X + vg.Length(column)*w, Y: f.Max.Y - vg.Length(row)*h}
	}
	colour := func(row, column int) tone {
		if column >= len(c.grid.Values[row]) {
			return missing
		}
		return c.grid.Colors.onPaper(share(c.grid.Values[row][column], c.low, c.high))
	}
	if gap == 0 {
		img := image.NewRGBA(image.Rect(0, 0, columns, rows))
		for i := range rows {
			for j := range columns {
				img.Set(j, i, colour(i, j))
			}
		}
		f.DrawImage(f.Rectangle, shrunk(img))
		for i := range rows {
			for j := range columns {
				if c.grid.Hatched && h >= 2 && (j >= len(c.grid.Values[i]) || math.IsNaN(c.grid.Values[i][j])) {
					hatch(f, corner(i, j), corner(i+1, j+1))
				}
			}
		}
	} else {
		for i := range rows {
			for j := range columns {
				p, q := corner(i, j), corner(i+1, j+1)
				inner := box(vg.Point{X: p.X + gap, Y: p.Y - gap}, vg.Point{X: q.X - gap, Y: q.Y + gap})
				if colour(i, j).alpha < 255 {
					f.FillPolygon(grid.faded(90), inner) // a cell shows its place, however pale it is
				}
				f.FillPolygon(colour(i, j), inner)
				if c.grid.Hatched && (j >= len(c.grid.Values[i]) || math.IsNaN(c.grid.Values[i][j])) {
					hatch(f, p, q)
				}
				c.write(f, i, j, vg.Point{X: (p.X + q.X) / 2, Y: (p.Y + q.Y) / 2}, w, colour(i, j))
			}
		}
	}
	for _, b := range c.grid.Blocks {
		p, q := corner(b, b), corner(rows, columns)
		f.StrokeLine2(pen(paper, 1.5), p.X, f.Max.Y, p.X, q.Y)
		f.StrokeLine2(pen(paper, 1.5), f.Min.X, p.Y, q.X, p.Y)
	}
}

// hatch draws slanting lines into a cell, from its upper left corner p to its lower right one q.
func hatch(f *frame, p, q vg.Point) {
	w, h := q.X-p.X, p.Y-q.Y
	const gap = 5
	for at := vg.Length(gap); at < w+h; at += gap {
		from := vg.Point{X: p.X + min(at, w), Y: p.Y - max(0, at-w)}
		to := vg.Point{X: p.X + max(0, at-h), Y: p.Y - min(at, h)}
		f.StrokeLine2(pen(rule, 0.8), from.X, from.Y, to.X, to.Y)
	}
}

// write puts the value into its cell when it fits.
func (c cells) write(f *frame, row, column int, at vg.Point, width vg.Length, on tone) {
	text := ""
	switch {
	case column >= len(c.grid.Values[row]):
	case c.print != nil:
		text = c.print(row, column)
	case c.grid.Print == "short" && finite(c.grid.Values[row][column]):
		text = short(c.grid.Values[row][column])
	case c.grid.Print != "" && finite(c.grid.Values[row][column]):
		text = fmt.Sprintf(c.grid.Print, c.grid.Values[row][column])
		if strings.Trim(text, "-0.") == "" {
			text = strings.TrimPrefix(text, "-") // a rounded zero has no sign
		}
	}
	l := lettering{size: 11, colour: on.readable(), x: draw.XCenter, y: draw.YCenter}
	if on.name != "" || on.alpha < 150 { // on what is mostly paper
		l.colour = ink
	}
	if l.width(text) <= width-4 {
		l.write(f.Canvas, at, clean(text))
	}
}

// shrunk averages a picture of more than about half a million pixels down to that,
// which no screen shows anyway.
func shrunk(img *image.RGBA) image.Image {
	const side = 700
	size := img.Bounds().Size()
	if size.X <= side && size.Y <= side {
		return img
	}
	return averaged(img, min(size.X, side), min(size.Y, side))
}
