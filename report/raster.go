package report

import (
	"bytes"
	"fmt"
	"image"
	"math"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	xdraw "golang.org/x/image/draw"
)

// PNG renders the chart as a picture of the given width in pixels. Text and lines
// grow with the width: twice the pixels are the same picture, sharper.
func (c *Chart) PNG(widthPx int) ([]byte, error) {
	if widthPx < 50 || widthPx > 20000 {
		return nil, fmt.Errorf("report: width %d px: must be between 50 and 20000", widthPx)
	}
	// The library takes whole dots per inch only; choose the nearest and let the
	// layout absorb the difference, so that the width is exact.
	nominal := float64(c.lay(0, true).width)
	dpi := max(1, math.Round(float64(widthPx)/nominal*vg.Inch.Points()))
	width := vg.Length(float64(widthPx) * vg.Inch.Points() / dpi)
	l := c.lay(width, true)
	if c.Height > 0 {
		l.height = c.lay(0, true).height
	}
	if pixels := float64(widthPx) * float64(l.height/l.width) * float64(widthPx); pixels > 2e8 {
		return nil, fmt.Errorf("report: picture of %.0f million pixels is too large: ask for a smaller width", pixels/1e6)
	}
	canvas := vgimg.NewWith(vgimg.UseWH(l.width, l.height), vgimg.UseDPI(int(dpi)))
	l.draw(draw.NewCanvas(rasterCanvas{canvas, dpi / vg.Inch.Points()}, l.width, l.height))
	var out bytes.Buffer
	if _, err := (vgimg.PngCanvas{Canvas: canvas}).WriteTo(&out); err != nil {
		return nil, fmt.Errorf("report: writing PNG: %w", err)
	}
	return markedPNG(out.Bytes()), nil
}

// rasterCanvas keeps the pixels of small pictures (heat maps, faces) square and
// sharp instead of blurring them.
type rasterCanvas struct {
	vg.Canvas
	pixelsPerPoint float64
}

// FillString writes superscripts that the font lacks.
func (r rasterCanvas) FillString(face font.Face, at vg.Point, text string) {
	spell(face, at, text, r.Canvas.FillString)
}

func (r rasterCanvas) DrawImage(where vg.Rectangle, img image.Image) {
	size := where.Size()
	w := int(math.Round(float64(size.X) * r.pixelsPerPoint))
	h := int(math.Round(float64(size.Y) * r.pixelsPerPoint))
	r.Canvas.DrawImage(where, enlarged(img, w, h))
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
