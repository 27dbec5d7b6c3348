package dataset

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	_ "image/gif"  // read by image.Decode
	_ "image/jpeg" // read by image.Decode
	_ "image/png"  // read by image.Decode
	"io"
	"os"
	"strings"

	"golang.org/x/image/draw"
)

// mostPixels bounds one image.
const mostPixels = 1 << 27

// mend is the hint for a file that cannot be used.
const mend = "replace the file, or take it out of the folder"

// loadImage reads an image file. accept sees the size in its header before the image is
// unpacked; a fault inside a decoder becomes an error.
func loadImage(path string, accept func(size image.Point) error) (m image.Image, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			m, err = nil, problem(path, "the image is damaged (%v)", fault).hint(mend)
		}
	}()
	in, err := os.Open(path)
	if err != nil {
		return nil, missingFile(path, err)
	}
	defer in.Close()
	if info, err := in.Stat(); err == nil && info.IsDir() {
		return nil, problem(path, "this is a folder where an image is meant")
	}
	m, err = decodeImage(in, accept)
	var own *InputError
	if err != nil && !errors.As(err, &own) {
		return nil, &InputError{File: path, Problem: describeImageError(err), Hint: mend, Err: err}
	}
	return m, err
}

// describeImageError says it in one way for all formats.
func describeImageError(err error) string {
	var anymap errPNM
	switch {
	case errors.As(err, &anymap):
		return anymap.Error()
	case errors.Is(err, image.ErrFormat):
		return "this is not a PGM, PPM, PNG, JPEG or GIF image"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the image is cut off"
	}
	text := err.Error()
	for _, sign := range []string{"unexpected EOF", "not enough", "short Huffman"} { // which the decoders do not wrap
		if strings.Contains(text, sign) {
			return "the image is cut off"
		}
	}
	if strings.Contains(text, "non-positive dimension") {
		return noPixels
	}
	return "the image is damaged: " + text
}

const noPixels = "the image has no pixels"

// decodeImage reads an image of any known format.
func decodeImage(in io.ReadSeeker, accept func(size image.Point) error) (image.Image, error) {
	var head [16]byte
	n, err := io.ReadFull(in, head[:])
	if n == 0 {
		return nil, errPNM("the image file is empty")
	}
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	if isPNM(head[:n]) {
		return decodePNM(in, accept)
	}
	config, _, err := image.DecodeConfig(in)
	if err != nil {
		return nil, err
	}
	size := image.Pt(config.Width, config.Height)
	if err := checkSize(size, accept); err != nil {
		return nil, err
	}
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	m, _, err := image.Decode(in)
	if err == nil && m.Bounds().Size() != size { // the first frame of a GIF need not fill it
		got := m.Bounds().Size()
		return nil, errPNM(fmt.Sprintf("the picture covers %d x %d of the %d x %d pixels", got.X, got.Y, size.X, size.Y))
	}
	return m, err
}

// checkSize bounds an image before anything is allocated for it.
func checkSize(size image.Point, accept func(size image.Point) error) error {
	if size.X < 1 || size.Y < 1 {
		return errPNM(noPixels)
	}
	if size.X > mostPixels/size.Y {
		return errPNM(fmt.Sprintf("%d x %d pixels are more than the allowed %d", size.X, size.Y, mostPixels))
	}
	if accept == nil {
		return nil
	}
	return accept(size)
}

// isGray tells whether an image has no colour by its kind: grey, or a palette of greys.
func isGray(m image.Image) bool {
	switch m := m.(type) {
	case *image.Gray, *image.Gray16:
		return true
	case *image.Paletted:
		for _, c := range m.Palette {
			if r, g, b, _ := c.RGBA(); r != g || g != b {
				return false
			}
		}
		return true
	}
	return false
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
// grey value of a colour is 0.299 red + 0.587 green + 0.114 blue; transparency is
// ignored.
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
			i += pixel(dst[i:], float64(c.R)/257, float64(c.G)/257, float64(c.B)/257, gray)
		}
	}
}

// fourBytes does it for images of four bytes per pixel.
func fourBytes(dst []float64, pix []byte, stride int, box image.Rectangle, gray bool) {
	i := 0
	for y := range box.Dy() {
		row := pix[y*stride : y*stride+4*box.Dx()]
		for x := 0; x < len(row); x += 4 {
			i += pixel(dst[i:], float64(row[x]), float64(row[x+1]), float64(row[x+2]), gray)
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
