package report

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"math"

	xdraw "golang.org/x/image/draw"
	"golang.org/x/image/vector"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// PNG renders the chart as a picture of the given width in pixels. Text and lines
// grow with the width: twice the pixels are the same picture, sharper.
func (c *Chart) PNG(widthPx int) ([]byte, error) {
	if widthPx < 50 || widthPx > 20000 {
		return nil, fmt.Errorf("report: width %d px: must be between 50 and 20000", widthPx)
	}
	l := c.lay(0, true)
	scale := float64(widthPx) / float64(l.width)
	height := math.Ceil(float64(l.height)*scale - 1e-6)
	if pixels := float64(widthPx) * height; pixels > 2e8 {
		return nil, fmt.Errorf("report: picture of %.0f million pixels is too large: ask for a smaller width", pixels/1e6)
	}
	canvas := &rasterCanvas{
		sheet: newSheet(l.height), scale: scale,
		image: image.NewRGBA(image.Rect(0, 0, widthPx, int(height))),
	}
	l.draw(draw.NewCanvas(canvas, l.width, l.height))
	var out bytes.Buffer
	if err := png.Encode(&out, canvas.image); err != nil {
		return nil, fmt.Errorf("report: writing PNG: %w", err)
	}
	return markedPNG(out.Bytes()), nil
}

// rasterCanvas draws into pixels. Every shape is filled at once: its outlines all turn the
// same way, so that their union is covered once however much they overlap, and the time is
// that of the edges and of the pixels within bounds.
type rasterCanvas struct {
	sheet
	image  *image.RGBA
	scale  float64 // pixels per point
	shape  vector.Rasterizer
	placed []rasterStep // of the shape being filled
}

// A rasterStep is a part of an outline in pixels.
type rasterStep struct {
	kind byte // m, l, q, c
	at   [3][2]float32
}

// pixel is the place of a point in pixels.
func (r *rasterCanvas) pixel(p vg.Point) [2]float32 {
	x, y := r.place(p)
	return [2]float32{float32(x * r.scale), float32(y * r.scale)}
}

func (r *rasterCanvas) step(kind byte, points ...vg.Point) {
	s := rasterStep{kind: kind}
	for i, p := range points {
		s.at[i] = r.pixel(p)
	}
	r.placed = append(r.placed, s)
}

func (r *rasterCanvas) Fill(path vg.Path) {
	r.placed = r.placed[:0]
	for _, c := range path {
		switch c.Type {
		case vg.MoveComp:
			r.step('m', c.Pos)
		case vg.LineComp:
			r.step('l', c.Pos)
		case vg.ArcComp:
			r.arc(c.Pos, c.Radius, c.Start, c.Angle)
		case vg.CurveComp:
			if len(c.Control) == 2 {
				r.step('c', c.Control[0], c.Control[1], c.Pos)
			} else {
				r.step('q', c.Control[0], c.Pos)
			}
		}
	}
	r.cover()
}

// arc appends a part of a circle as curves of at most a quarter each.
func (r *rasterCanvas) arc(middle vg.Point, radius vg.Length, start, angle float64) {
	pieces := max(1, int(math.Ceil(math.Abs(angle)/(math.Pi/2)-1e-9)))
	part := angle / float64(pieces)
	handle := vg.Length(4. / 3 * math.Tan(part/4))
	for i := range pieces {
		sinA, cosA := math.Sincos(start + part*float64(i))
		sinB, cosB := math.Sincos(start + part*float64(i+1))
		a := vg.Point{X: vg.Length(cosA), Y: vg.Length(sinA)}
		b := vg.Point{X: vg.Length(cosB), Y: vg.Length(sinB)}
		r.step('c',
			middle.Add(vg.Point{X: a.X - handle*a.Y, Y: a.Y + handle*a.X}.Scale(radius)),
			middle.Add(vg.Point{X: b.X + handle*b.Y, Y: b.Y - handle*b.X}.Scale(radius)),
			middle.Add(b.Scale(radius)))
	}
}

// cover fills what the steps enclose.
func (r *rasterCanvas) cover() {
	low := [2]float32{math.MaxFloat32, math.MaxFloat32}
	high := [2]float32{-math.MaxFloat32, -math.MaxFloat32}
	for _, s := range r.placed {
		n := 1
		switch s.kind {
		case 'q':
			n = 2
		case 'c':
			n = 3
		}
		for _, p := range s.at[:n] {
			for k := range 2 {
				low[k], high[k] = min(low[k], p[k]), max(high[k], p[k])
			}
		}
	}
	size := r.image.Rect.Max
	bound := func(v float32, limit int) int { return int(min(max(v, 0), float32(limit))) }
	box := image.Rect(bound(low[0], size.X), bound(low[1], size.Y), bound(high[0]+1, size.X), bound(high[1]+1, size.Y))
	if len(r.placed) == 0 || box.Empty() {
		return
	}
	r.shape.Reset(box.Dx(), box.Dy())
	x, y := float32(box.Min.X), float32(box.Min.Y)
	open := false
	for _, s := range r.placed {
		a := s.at
		switch s.kind {
		case 'm':
			if open {
				r.shape.ClosePath()
			}
			open = true
			r.shape.MoveTo(a[0][0]-x, a[0][1]-y)
		case 'l':
			r.shape.LineTo(a[0][0]-x, a[0][1]-y)
		case 'q':
			r.shape.QuadTo(a[0][0]-x, a[0][1]-y, a[1][0]-x, a[1][1]-y)
		case 'c':
			r.shape.CubeTo(a[0][0]-x, a[0][1]-y, a[1][0]-x, a[1][1]-y, a[2][0]-x, a[2][1]-y)
		}
	}
	r.shape.ClosePath()
	r.shape.Draw(r.image, box, image.NewUniform(plain(r.top().colour)), image.Point{})
}

// FillString writes the outlines of the letters.
func (r *rasterCanvas) FillString(face font.Face, at vg.Point, text string) {
	for _, p := range pieces(face, text) {
		r.Fill(p.outline(at))
		at.X += p.width
	}
}

// DrawImage keeps the pixels of small pictures (heat maps, faces) square and sharp
// instead of blurring them.
func (r *rasterCanvas) DrawImage(where vg.Rectangle, img image.Image) {
	a, b := r.pixel(vg.Point{X: where.Min.X, Y: where.Max.Y}), r.pixel(vg.Point{X: where.Max.X, Y: where.Min.Y})
	round := func(v float32) int { return int(math.Round(float64(v))) }
	to := image.Rect(round(a[0]), round(a[1]), round(b[0]), round(b[1]))
	xdraw.NearestNeighbor.Scale(r.image, to, img, img.Bounds(), xdraw.Over, nil)
}

// enlarged repeats pixels until the picture has w x h of them.
func enlarged(img image.Image, w, h int) image.Image {
	if w <= 0 || h <= 0 {
		return img
	}
	big := image.NewRGBA(image.Rect(0, 0, w, h))
	xdraw.NearestNeighbor.Scale(big, big.Bounds(), img, img.Bounds(), xdraw.Src, nil)
	return big
}

// averaged shrinks a picture to w x h pixels by averaging.
func averaged(img image.Image, w, h int) image.Image {
	small := image.NewRGBA(image.Rect(0, 0, w, h))
	xdraw.BiLinear.Scale(small, small.Bounds(), img, img.Bounds(), xdraw.Src, nil)
	return small
}
