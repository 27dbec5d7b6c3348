package file

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	_ "image/gif"  // read by image.Decode
	_ "image/jpeg" // read by image.Decode
	_ "image/png"  // read by image.Decode
	"io"
	"strings"

	"github.com/inlier-ml/inlier/dataset"
)

// mend is the hint for a file that cannot be used.
const mend = "replace the file, or take it out of the folder"

// pictureHead is what the header of an image file tells.
type pictureHead struct {
	size        image.Point // as it is seen
	gray        bool        // without colour by its kind
	orientation int         // of the stored pixels, 1 to 8
	bytes       int64       // that the unpacked pixels take in memory
}

// loadImage reads an image file. accept sees the header before the image is unpacked,
// and the image is nil when it returns errHeadOnly; a fault inside a decoder becomes an
// error.
func loadImage(path string, opts *Options, accept func(pictureHead) error) (m image.Image, head pictureHead, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			m, err = nil, problem(path, "the image is damaged (%v)", fault).WithHint(mend)
		}
	}()
	info, err := opts.disk().stat(path)
	if err != nil {
		return nil, head, missingFile(path, err)
	}
	if info.IsDir() {
		return nil, head, problem(path, "this is a folder where an image is meant")
	}
	if !info.Mode().IsRegular() { // opening a pipe would wait for somebody to write
		return nil, head, problem(path, "this is not an ordinary file").WithHint(mend)
	}
	in, err := opts.disk().open(path)
	if err != nil {
		return nil, head, missingFile(path, err)
	}
	defer in.Close()
	look := func(h pictureHead) error {
		if head = h; h.size.X < 1 || h.size.Y < 1 {
			return errPNM(noPixels)
		}
		if most := opts.maxUnpacked(info.Size(), freePixels); h.bytes > most {
			return problem(path, "the image of %d x %d pixels takes %d bytes, more than a file of %d may unpack to (%d)", h.size.X, h.size.Y, h.bytes, info.Size(), most).WithHint(lift)
		}
		return accept(h)
	}
	stream, err := seekable(in)
	if err == nil {
		m, err = decodeImage(stream, info.Size(), look)
	}
	var own *dataset.InputError
	if err != nil && err != errHeadOnly && !errors.As(err, &own) {
		return nil, head, &dataset.InputError{File: path, Problem: describeImageError(err), Hint: mend, Err: err}
	}
	return m, head, err
}

// errHeadOnly ends the reading of an image after its header.
var errHeadOnly = errors.New("the header is enough")

// imageHead reads the header alone.
func imageHead(path string, opts *Options) (pictureHead, error) {
	_, head, err := loadImage(path, opts, func(pictureHead) error { return errHeadOnly })
	if err == errHeadOnly {
		err = nil
	}
	return head, err
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

// decodeImage reads an image of any known format from a file of so many bytes.
func decodeImage(in io.ReadSeeker, bytes int64, accept func(pictureHead) error) (image.Image, error) {
	var start [16]byte
	n, err := io.ReadFull(in, start[:])
	if n == 0 {
		return nil, errPNM("the image file is empty")
	}
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	if isPNM(start[:n]) {
		return decodePNM(in, bytes, accept)
	}
	config, format, err := image.DecodeConfig(in)
	if err != nil {
		return nil, err
	}
	size := image.Pt(config.Width, config.Height)
	head := pictureHead{size: size, gray: grayModel(config.ColorModel), orientation: 1}
	each := bytesPerPixel(config.ColorModel)
	switch format {
	case "jpeg":
		traits, err := readJPEGTraits(in)
		if err != nil {
			return nil, err
		}
		head.orientation = traits.orientation
		if traits.progressive { // all coefficients are kept until the end
			each = 8
		}
	case "png":
		if head.orientation, err = readPNGOrientation(in); err != nil {
			return nil, err
		}
	}
	if sideways(head.orientation) {
		head.size = image.Pt(size.Y, size.X)
	}
	head.bytes = each * int64(size.X) * int64(size.Y)
	if err := accept(head); err != nil {
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
	return opaquePalette(m), err
}

// bytesPerPixel is what a decoder takes for images of a kind.
func bytesPerPixel(model color.Model) int64 {
	switch model.(type) {
	case color.Palette: // which cannot be compared with the others
		return 1
	}
	switch model {
	case color.GrayModel:
		return 1
	case color.Gray16Model:
		return 2
	case color.YCbCrModel:
		return 3
	case color.NRGBA64Model, color.RGBA64Model:
		return 8
	}
	return 4
}
