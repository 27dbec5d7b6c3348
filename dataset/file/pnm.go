package file

import (
	"bufio"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
)

// Portable anymaps: P2 and P5 are grey (text and bytes), P3 and P6 are colour. Values
// go from 0 to a largest value that the header gives; they are scaled to 0..255, or to
// 0..65535 for files with 16 bits.

func isPNM(head []byte) bool {
	if len(head) < 3 || head[0] != 'P' {
		return false
	}
	switch head[1] {
	case '2', '3', '5', '6':
		return head[2] == ' ' || head[2] == '\t' || head[2] == '\n' || head[2] == '\r' || head[2] == '#'
	}
	return false
}

type pnmHeader struct {
	kind                   byte
	width, height, largest int
}

// errPNM is what is wrong with an anymap.
type errPNM string

func (e errPNM) Error() string { return string(e) }

func readPNMHeader(in *bufio.Reader) (h pnmHeader, err error) {
	var magic [2]byte
	if _, err := io.ReadFull(in, magic[:]); err != nil || !isPNM([]byte{magic[0], magic[1], ' '}) {
		return h, errPNM("this is not a PGM or PPM image")
	}
	h.kind = magic[1]
	for _, field := range []struct {
		to   *int
		name string
		most int
	}{{&h.width, "width", 1 << 20}, {&h.height, "height", 1 << 20}, {&h.largest, "largest value", 65535}} {
		if *field.to, err = pnmNumber(in, true); err != nil {
			return h, err
		}
		if *field.to > field.most {
			return h, errPNM(fmt.Sprintf("the image's %s is %d, which is more than the allowed %d", field.name, *field.to, field.most))
		}
	}
	if h.largest < 1 {
		return h, errPNM("the image's largest value is 0")
	}
	return h, nil
}

// pnmNumber reads a decimal number and the one blank after it; the header may hold
// comments.
func pnmNumber(in *bufio.Reader, comments bool) (int, error) {
	value, digits := 0, 0
	for {
		c, err := in.ReadByte()
		switch {
		case err == io.EOF && digits > 0:
			return value, nil
		case err == io.EOF:
			return 0, errPNM("the image is cut off")
		case err != nil:
			return 0, err
		case c >= '0' && c <= '9':
			if value = value*10 + int(c-'0'); value > 1<<30 {
				return 0, errPNM("a number in the image is too large")
			}
			digits++
		case c == '#' && comments:
			for c != '\n' {
				if c, err = in.ReadByte(); err != nil {
					return 0, errPNM("the image is cut off")
				}
			}
			if digits > 0 {
				return value, nil
			}
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f':
			if digits > 0 {
				return value, nil
			}
		default:
			return 0, errPNM(fmt.Sprintf("%q stands where a number is meant", c))
		}
	}
}

// decodePNM reads an anymap whose size is accepted.
func decodePNM(r io.Reader, bytes int64, accept func(pictureHead) error) (image.Image, error) {
	in := bufio.NewReader(r)
	h, err := readPNMHeader(in)
	if err != nil {
		return nil, err
	}
	channels, each := 1, int64(3) // bytes: 16 bits while it is read, and the image
	if h.kind == '3' || h.kind == '6' {
		channels, each = 3, 10
	}
	if h.largest > 255 {
		each = 4 * int64(channels) // or more
	}
	count := int64(h.width) * int64(h.height)
	head := pictureHead{size: image.Pt(h.width, h.height), gray: channels == 1, orientation: 1, bytes: each * count}
	cut := count*int64(channels) > bytes // each value takes a byte at least
	if cut {
		head.bytes = 0 // nothing will be unpacked
	}
	if err := accept(head); err != nil && !(cut && err == errHeadOnly) {
		return nil, err
	}
	if cut {
		return nil, errPNM("the image is cut off")
	}
	var sample func() (int, error)
	switch {
	case h.kind == '2' || h.kind == '3':
		sample = func() (int, error) { return pnmNumber(in, false) }
	case h.largest < 256:
		sample = func() (int, error) { c, err := in.ReadByte(); return int(c), err }
	default:
		sample = func() (int, error) {
			high, err := in.ReadByte()
			if err != nil {
				return 0, err
			}
			low, err := in.ReadByte()
			return int(high)<<8 | int(low), err
		}
	}
	// Rows are read before the whole image is allocated, so that a cut file costs no
	// more than it holds.
	values := make([]uint16, 0, min(h.width*h.height*channels, 1<<16))
	top := 255
	if h.largest > 255 {
		top = 65535
	}
	for range h.width * h.height * channels {
		v, err := sample()
		if err != nil {
			if errors.Is(err, io.EOF) {
				return nil, errPNM("the image is cut off")
			}
			return nil, err
		}
		if v > h.largest {
			return nil, errPNM(fmt.Sprintf("value %d is larger than the largest value %d", v, h.largest))
		}
		values = append(values, uint16((v*top+h.largest/2)/h.largest))
	}
	return pnmImage(h, channels, top, values), nil
}

func pnmImage(h pnmHeader, channels, top int, values []uint16) image.Image {
	box := image.Rect(0, 0, h.width, h.height)
	switch {
	case channels == 1 && top == 255:
		m := image.NewGray(box)
		for i, v := range values {
			m.Pix[i] = byte(v)
		}
		return m
	case channels == 1:
		m := image.NewGray16(box)
		for i, v := range values {
			m.Pix[2*i], m.Pix[2*i+1] = byte(v>>8), byte(v)
		}
		return m
	case top == 255:
		m := image.NewNRGBA(box)
		for i := range h.width * h.height {
			m.Pix[4*i], m.Pix[4*i+1], m.Pix[4*i+2], m.Pix[4*i+3] = byte(values[3*i]), byte(values[3*i+1]), byte(values[3*i+2]), 255
		}
		return m
	}
	m := image.NewNRGBA64(box)
	for i := range h.width * h.height {
		m.SetNRGBA64(i%h.width, i/h.width, color.NRGBA64{R: values[3*i], G: values[3*i+1], B: values[3*i+2], A: 65535})
	}
	return m
}
