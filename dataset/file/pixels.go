package file

import (
	"image"
	"image/color"
	"math"

	"golang.org/x/image/draw"
)

// grayModel tells whether images of a kind have no colour: grey, or a palette of greys.
func grayModel(model color.Model) bool {
	if palette, ok := model.(color.Palette); ok {
		for _, c := range palette {
			if r, g, b, _ := c.RGBA(); r != g || g != b {
				return false
			}
		}
		return true
	}
	return model == color.GrayModel || model == color.Gray16Model
}

// isGray tells whether an image has no colour by its kind.
func isGray(m image.Image) bool { return grayModel(m.ColorModel()) }

// opaquePalette shows the transparent colours of a palette on white paper, as pixels does
// for those of other images.
func opaquePalette(m image.Image) image.Image {
	p, ok := m.(*image.Paletted)
	if !ok || p.Opaque() {
		return m
	}
	out := *p
	out.Palette = make(color.Palette, len(p.Palette))
	for i, c := range p.Palette {
		n := color.NRGBA64Model.Convert(c).(color.NRGBA64)
		a := float64(n.A) / 0xffff
		white := func(v uint16) uint16 { return uint16(math.Round(0xffff - a*(0xffff-float64(v)))) }
		out.Palette[i] = color.NRGBA64{R: white(n.R), G: white(n.G), B: white(n.B), A: 0xffff}
	}
	return &out
}

// resize scales an image with a filter that averages over what a new pixel covers.
// Values keep 16 bits, so that averages are not rounded to whole numbers.
func resize(m image.Image, width, height int) image.Image {
	box := image.Rect(0, 0, width, height)
	if isGray(m) {
		out := image.NewGray16(box)
		draw.BiLinear.Scale(out, box, m, m.Bounds(), draw.Src, nil)
		return out
	}
	out := image.NewNRGBA64(box)
	draw.BiLinear.Scale(out, box, m, m.Bounds(), draw.Src, nil)
	return out
}

// pixels writes the values 0..255 of an image, row by row, one or three per pixel. The
// grey value of a colour is 0.299 red + 0.587 green + 0.114 blue; what is transparent is
// shown on white.
func pixels(dst []float64, m image.Image, gray bool) {
	box := m.Bounds()
	// At would be slow for the common kinds, and would round transparent colours.
	switch m := m.(type) {
	case *image.Gray:
		if gray {
			for y := range box.Dy() {
				for x, v := range m.Pix[y*m.Stride : y*m.Stride+box.Dx()] {
					dst[y*box.Dx()+x] = float64(v)
				}
			}
			return
		}
	case *image.NRGBA:
		fourBytes(dst, m.Pix, m.Stride, box, gray)
		return
	case *image.RGBA:
		if m.Opaque() {
			fourBytes(dst, m.Pix, m.Stride, box, gray)
			return
		}
	}
	i := 0
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			c := color.NRGBA64Model.Convert(m.At(x, y)).(color.NRGBA64)
			r, g, b := float64(c.R)/257, float64(c.G)/257, float64(c.B)/257
			if c.A != 0xffff {
				a := float64(c.A) / 0xffff
				r, g, b = 255-a*(255-r), 255-a*(255-g), 255-a*(255-b)
			}
			i += pixel(dst[i:], r, g, b, gray)
		}
	}
}

// fourBytes does it for images of four bytes per pixel.
func fourBytes(dst []float64, pix []byte, stride int, box image.Rectangle, gray bool) {
	i := 0
	for y := range box.Dy() {
		row := pix[y*stride : y*stride+4*box.Dx()]
		for x := 0; x < len(row); x += 4 {
			r, g, b := float64(row[x]), float64(row[x+1]), float64(row[x+2])
			if row[x+3] != 0xff {
				a := float64(row[x+3]) / 0xff
				r, g, b = 255-a*(255-r), 255-a*(255-g), 255-a*(255-b)
			}
			i += pixel(dst[i:], r, g, b, gray)
		}
	}
}

// pixel writes one pixel and returns how many values it takes.
func pixel(dst []float64, r, g, b float64, gray bool) int {
	switch {
	case !gray:
		dst[0], dst[1], dst[2] = r, g, b
		return 3
	case r == g && g == b:
		dst[0] = r // exactly
	default:
		dst[0] = 0.299*r + 0.587*g + 0.114*b
	}
	return 1
}
