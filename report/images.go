package report

import (
	"fmt"
	"image"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Gallery is a table of small pictures: eigenfaces, reconstructions, residuals.
type Gallery struct {
	// Cells[row][column] holds the pixels of one picture, row by row of the
	// picture, colours together; nil leaves the place empty.
	Cells [][][]float64
	// Shape is {height, width} for one value per pixel or {height, width, 3} for
	// red, green and blue. Beside colour pictures those with one value per pixel, such
	// as residuals, may stand as well.
	Shape []int

	RowNames, ColumnNames []string
	Captions              [][]string // a short text below each picture
	Wrap                  int        // with a single row of cells: so many pictures beside each other

	Colors    Colormap   // for one value per pixel; the zero value means Grey here
	RowColors []Colormap // by row, where rows differ (a residual row under pictures)
	Shared    bool       // one scale for all pictures of a row instead of each its own
	Min, Max  float64    // the scale when Min < Max

	Ranges [][2]float64 // scale by row, where rows differ; used where the first is less than the second
}

// Images draws a gallery. A picture whose size does not match the shape shows as a
// crossed-out place.
func Images(title string, g Gallery) *Chart {
	if g.Wrap > 0 && len(g.Cells) == 1 {
		g = g.wrapped()
	}
	return &Chart{Title: title, body: &pictures{g}}
}

// wrapped breaks a single row of pictures into several.
func (g Gallery) wrapped() Gallery {
	cells, captions := g.Cells[0], []string(nil)
	if len(g.Captions) > 0 {
		captions = g.Captions[0]
	}
	g.Cells, g.Captions = nil, nil
	for start := 0; start < len(cells); start += g.Wrap {
		g.Cells = append(g.Cells, cells[start:min(start+g.Wrap, len(cells))])
		if captions != nil {
			g.Captions = append(g.Captions, captions[min(start, len(captions)):min(start+g.Wrap, len(captions))])
		}
	}
	return g
}

// pictures is the body of an image chart.
type pictures struct{ Gallery }

var (
	captionText = lettering{size: 10.5, colour: muted, x: draw.XCenter, y: draw.YTop}
	columnText  = lettering{size: labelSize, colour: ink, x: draw.XCenter, y: draw.YBottom}
	rowText     = lettering{size: labelSize, colour: ink, x: draw.XRight, y: draw.YCenter}
)

const pictureGap vg.Length = 6

// plan is the geometry of the gallery at a width.
type plan struct {
	gutter, header, w, h vg.Length
	columns              int
}

// caption is the height below the pictures of a row that its captions need.
func (p *pictures) caption(row int, width vg.Length) vg.Length {
	if row >= len(p.Captions) {
		return 0
	}
	lines := 0
	for _, text := range p.Captions[row] {
		lines = max(lines, len(captionLines(text, width)))
	}
	if lines == 0 {
		return 0
	}
	return vg.Length(lines)*captionText.height() + 3
}

// captionLines breaks a caption into at most two lines below a picture.
func captionLines(text string, width vg.Length) []string {
	lines := wrap(captionText, clean(text), width+pictureGap-2)
	return lines[:min(len(lines), 2)]
}

func (p *pictures) plan(width vg.Length) plan {
	var l plan
	for _, row := range p.Cells {
		l.columns = max(l.columns, len(row))
	}
	l.columns = max(l.columns, 1)
	for _, name := range p.RowNames {
		l.gutter = max(l.gutter, rowText.width(clean(name))+8)
	}
	l.gutter = min(l.gutter, width/4)
	if len(p.ColumnNames) > 0 {
		l.header = columnText.height() + 2
	}
	l.w = (width - l.gutter - vg.Length(l.columns-1)*pictureGap) / vg.Length(l.columns)
	l.w = max(min(l.w, 150), 4)
	l.h = l.w
	if height, w, _, ok := p.dims(); ok {
		l.h = l.w * vg.Length(height) / vg.Length(w)
		if l.h > 260 {
			l.w, l.h = l.w*260/l.h, 260
		}
	}
	return l
}

// dims reads the shape.
func (p *pictures) dims() (height, width, channels int, ok bool) {
	switch {
	case len(p.Shape) == 2:
		height, width, channels = p.Shape[0], p.Shape[1], 1
	case len(p.Shape) == 3 && (p.Shape[2] == 1 || p.Shape[2] == 3):
		height, width, channels = p.Shape[0], p.Shape[1], p.Shape[2]
	}
	return height, width, channels, height > 0 && width > 0 && height <= 1<<14 && width <= 1<<14
}

// natural is narrower when there are few pictures.
func (p *pictures) natural() vg.Length {
	l := p.plan(nominalWidth)
	return max(min(l.gutter+vg.Length(l.columns)*(l.w+pictureGap)+2*edge, nominalWidth), 300)
}

func (p *pictures) height(width vg.Length) vg.Length {
	l := p.plan(width)
	n := max(len(p.Cells), 1)
	h := l.header + vg.Length(n)*l.h + vg.Length(n-1)*pictureGap
	for i := range n {
		h += p.caption(i, l.w)
	}
	return h
}

func (p *pictures) draw(c draw.Canvas) {
	l := p.plan(c.Max.X - c.Min.X)
	left, top := c.Min.X+l.gutter, c.Max.Y-l.header
	for j, name := range p.ColumnNames {
		if j < l.columns {
			x := left + vg.Length(j)*(l.w+pictureGap) + l.w/2
			columnText.write(c, vg.Point{X: x, Y: top + 5}, shorten(columnText, clean(name), l.w+pictureGap-2))
		}
	}
	y := top
	for i, row := range p.Cells {
		if i < len(p.RowNames) {
			rowText.write(c, vg.Point{X: left - 8, Y: y - l.h/2}, shorten(rowText, clean(p.RowNames[i]), l.gutter-8))
		}
		low, high := p.rowSpan(i)
		for j, pixels := range row {
			if pixels == nil {
				continue
			}
			x := left + vg.Length(j)*(l.w+pictureGap)
			where := vg.Rectangle{Min: vg.Point{X: x, Y: y - l.h}, Max: vg.Point{X: x + l.w, Y: y}}
			p.drawPicture(c, where, pixels, p.colours(i), low, high)
			if i < len(p.Captions) && j < len(p.Captions[i]) {
				for k, line := range captionLines(p.Captions[i][j], l.w) {
					captionText.write(c, vg.Point{X: x + l.w/2, Y: y - l.h - 4 - vg.Length(k)*captionText.height()}, line)
				}
			}
		}
		y -= l.h + p.caption(i, l.w) + pictureGap
	}
}

func (p *pictures) colours(row int) Colormap {
	if row < len(p.RowColors) {
		return p.RowColors[row]
	}
	if p.Colors == Sequential {
		return Grey
	}
	return p.Colors
}

// rowSpan is the common scale of a row, or NaN when each picture has its own.
func (p *pictures) rowSpan(row int) (low, high float64) {
	if row < len(p.Ranges) && p.Ranges[row][0] < p.Ranges[row][1] {
		return p.Ranges[row][0], p.Ranges[row][1]
	}
	if p.Min < p.Max {
		return p.Min, p.Max
	}
	if !p.Shared {
		return math.NaN(), math.NaN()
	}
	e := rangeOf(p.Cells[row]...)
	return e.min, e.max
}

func (p *pictures) drawPicture(c draw.Canvas, where vg.Rectangle, pixels []float64, colours Colormap, low, high float64) {
	height, width, channels, ok := p.dims()
	if len(pixels) == height*width {
		channels = 1
	}
	if !ok || len(pixels) != height*width*channels {
		// The picture is not what the shape says: show a crossed-out place.
		style := pen(rule, hairline)
		c.StrokeLine2(style, where.Min.X, where.Min.Y, where.Max.X, where.Max.Y)
		c.StrokeLine2(style, where.Min.X, where.Max.Y, where.Max.X, where.Min.Y)
		return
	}
	if math.IsNaN(low) {
		e := rangeOf(pixels)
		low, high = e.min, e.max
	}
	if colours == Diverging {
		high = math.Max(math.Abs(low), math.Abs(high))
		low = -high
	}
	c.DrawImage(where, picture(pixels, height, width, channels, colours, low, high))
}

// picture turns numbers into pixels.
func picture(pixels []float64, height, width, channels int, colours Colormap, low, high float64) image.Image {
	level := func(v float64) uint8 {
		u := share(v, low, high)
		if math.IsNaN(u) {
			return 0
		}
		return uint8(math.Round(255 * u))
	}
	if channels == 1 && colours == Grey {
		img := image.NewGray(image.Rect(0, 0, width, height))
		for i, v := range pixels {
			img.Pix[i] = level(v)
		}
		return img
	}
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for i := range height * width {
		if channels == 3 {
			img.Pix[4*i], img.Pix[4*i+1], img.Pix[4*i+2] = level(pixels[3*i]), level(pixels[3*i+1]), level(pixels[3*i+2])
		} else {
			t := colours.at(share(pixels[i], low, high))
			img.Pix[4*i], img.Pix[4*i+1], img.Pix[4*i+2] = t.r, t.g, t.b
		}
		img.Pix[4*i+3] = 255
	}
	return img
}

func (p *pictures) summary() string {
	n := 0
	for _, row := range p.Cells {
		n += len(row)
	}
	s := fmt.Sprintf("%d pictures", n)
	for i, name := range p.RowNames {
		if i == 0 {
			s += " in rows: "
		} else {
			s += ", "
		}
		s += name
	}
	return s
}
