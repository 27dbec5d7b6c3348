package npy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

const (
	magic         = "\x93NUMPY"
	maxHeader     = 1 << 20 // bytes; NumPy's own headers are below 10 kB
	maxDimensions = 64      // NumPy 2 allows 64
)

// Header says what an array looks like.
type Header struct {
	Type Type
	// Fortran tells that the first index runs fastest in the file.
	Fortran bool
	// Shape holds the length of every dimension; empty for a single number.
	Shape []int
}

// Len is the number of entries. ReadHeader has made sure that it does not overflow.
func (h Header) Len() int {
	n := 1
	for _, d := range h.Shape {
		n *= d
	}
	return n
}

// Bytes is the number of bytes that the entries take in the file.
func (h Header) Bytes() int64 { return int64(h.Len()) * int64(h.Type.Size) }

// check refuses shapes whose number of entries does not fit into an int64, nor their bytes
// when they are kept as 64-bit numbers: what was read can be written again.
func (h Header) check() error {
	if len(h.Shape) > maxDimensions {
		return bad("%d dimensions are more than %d", len(h.Shape), maxDimensions)
	}
	product := uint64(max(h.Type.Size, 8))
	empty := false
	for _, d := range h.Shape {
		if d < 0 {
			return bad("shape %v has a negative length", h.Shape)
		}
		if d == 0 {
			empty = true
			continue
		}
		high, low := bits.Mul64(product, uint64(d))
		if high != 0 || low > math.MaxInt64 {
			return bad("shape %v is too large for any file", h.Shape)
		}
		product = low
	}
	if empty {
		return nil
	}
	if h.Type.Size == 0 && product > maxHeader {
		return bad("%d entries of no size are refused", product)
	}
	return nil
}

// ReadHeader reads the magic bytes and the header and leaves r at the first entry. It
// returns the number of bytes read.
func ReadHeader(r io.Reader) (Header, int64, error) {
	var start [12]byte
	if _, err := io.ReadFull(r, start[:8]); err != nil {
		return Header{}, 0, short(err, "the file ends before the NPY header")
	}
	if string(start[:6]) != magic {
		return Header{}, 0, bad("this is not an NPY file")
	}
	length, read := 0, int64(10)
	switch version := start[6]; version {
	case 1:
		if _, err := io.ReadFull(r, start[8:10]); err != nil {
			return Header{}, 0, short(err, "the file ends inside the NPY header")
		}
		length = int(binary.LittleEndian.Uint16(start[8:]))
	case 2, 3:
		if _, err := io.ReadFull(r, start[8:12]); err != nil {
			return Header{}, 0, short(err, "the file ends inside the NPY header")
		}
		claimed := binary.LittleEndian.Uint32(start[8:])
		if claimed > maxHeader {
			return Header{}, 0, bad("a header of %d bytes is refused", claimed)
		}
		length, read = int(claimed), 12
	default:
		return Header{}, 0, bad("NPY version %d.%d is not known", version, start[7])
	}
	text, err := io.ReadAll(io.LimitReader(r, int64(length)))
	if err != nil {
		return Header{}, 0, err
	}
	if len(text) < length {
		return Header{}, 0, bad("the file ends inside the NPY header")
	}
	h, err := parseHeader(string(text))
	if err != nil {
		return Header{}, 0, err
	}
	return h, read + int64(length), h.check()
}

// short turns the end of the input into a complaint about the content.
func short(err error, problem string) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return &Error{Problem: problem}
	}
	return err
}

// parseHeader reads the Python dictionary of a header:
//
//	{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
func parseHeader(text string) (Header, error) {
	var h Header
	rest := strings.TrimSpace(text)
	if !strings.HasPrefix(rest, "{") || !strings.HasSuffix(rest, "}") {
		return h, bad("the NPY header is not a dictionary")
	}
	rest = strings.TrimSpace(rest[1 : len(rest)-1])
	seen := map[string]bool{}
	for rest != "" {
		key, after, err := quoted(rest)
		if err != nil {
			return h, err
		}
		after, ok := strings.CutPrefix(strings.TrimSpace(after), ":")
		if !ok || seen[key] {
			return h, bad("the NPY header is malformed near %q", key)
		}
		seen[key] = true
		after = strings.TrimSpace(after)
		switch key {
		case "descr":
			if strings.HasPrefix(after, "[") || strings.HasPrefix(after, "(") {
				return h, bad("structured arrays are not supported")
			}
			var name string
			if name, after, err = quoted(after); err != nil {
				return h, err
			}
			if h.Type, err = parseType(name); err != nil {
				return h, err
			}
		case "fortran_order":
			if next, ok := strings.CutPrefix(after, "True"); ok {
				h.Fortran, after = true, next
			} else if next, ok := strings.CutPrefix(after, "False"); ok {
				after = next
			} else {
				return h, bad("fortran_order in the NPY header is neither True nor False")
			}
		case "shape":
			inside, next, ok := strings.Cut(after, ")")
			inside, open := strings.CutPrefix(inside, "(")
			if !ok || !open {
				return h, bad("the shape in the NPY header is not a tuple")
			}
			if h.Shape, err = parseShape(inside); err != nil {
				return h, err
			}
			after = next
		default:
			return h, bad("unknown key %q in the NPY header", key)
		}
		after = strings.TrimSpace(after)
		if after != "" && after[0] != ',' {
			return h, bad("the NPY header is malformed after %q", key)
		}
		rest = strings.TrimSpace(strings.TrimPrefix(after, ","))
	}
	for _, key := range []string{"descr", "fortran_order", "shape"} {
		if !seen[key] {
			return h, bad("the NPY header has no %q", key)
		}
	}
	return h, nil
}

// quoted splits a Python string literal off the front of text.
func quoted(text string) (inside, rest string, err error) {
	if text == "" || text[0] != '\'' && text[0] != '"' {
		return "", "", bad("the NPY header is malformed")
	}
	end := strings.IndexByte(text[1:], text[0])
	if end < 0 {
		return "", "", bad("the NPY header has an open quotation")
	}
	return text[1 : 1+end], text[2+end:], nil
}

func parseShape(inside string) ([]int, error) {
	shape := []int{}
	for part := range strings.SplitSeq(inside, ",") {
		part = strings.TrimSuffix(strings.TrimSpace(part), "L") // Python 2 wrote 3L
		if part == "" {
			continue
		}
		n, err := strconv.ParseInt(part, 10, 64)
		if err != nil || n < 0 {
			return nil, bad("%q in the shape is not a length", part)
		}
		if shape = append(shape, int(n)); len(shape) > maxDimensions {
			return nil, bad("more than %d dimensions", maxDimensions)
		}
	}
	return shape, nil
}

// encode lays out the header so that the entries start at a multiple of 64 bytes.
func (h Header) encode() []byte {
	var shape strings.Builder
	for i, d := range h.Shape {
		if i > 0 {
			shape.WriteString(", ")
		}
		shape.WriteString(strconv.Itoa(d))
	}
	if len(h.Shape) == 1 {
		shape.WriteByte(',')
	}
	order := "False"
	if h.Fortran {
		order = "True"
	}
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }", h.Type, order, shape.String())
	const fixed = 10 // magic, version and the 2-byte length
	pad := 63 - (fixed+len(text))%64
	out := make([]byte, 0, fixed+len(text)+pad+1)
	out = append(out, magic...)
	out = append(out, 1, 0)
	out = binary.LittleEndian.AppendUint16(out, uint16(len(text)+pad+1))
	out = append(out, text...)
	out = append(out, strings.Repeat(" ", pad)...)
	return append(out, '\n')
}
