package file

import (
	"encoding/binary"
	"io"
	"path/filepath"
	"strings"

	"github.com/inlier-ml/inlier/npy"
)

// idxTypes are the entry types of IDX, the format of the MNIST files: big-endian, two
// zero bytes, a type, the number of dimensions, and a 32-bit length for each.
var idxTypes = map[byte]npy.Type{
	0x08: npy.Uint8,
	0x09: {Kind: 'i', Size: 1},
	0x0B: {Kind: 'i', Size: 2, BigEndian: true},
	0x0C: {Kind: 'i', Size: 4, BigEndian: true},
	0x0D: {Kind: 'f', Size: 4, BigEndian: true},
	0x0E: {Kind: 'f', Size: 8, BigEndian: true},
}

const idxMostDimensions = 8

func isIDX(head []byte) bool {
	if len(head) < 8 || head[0] != 0 || head[1] != 0 {
		return false
	}
	_, ok := idxTypes[head[2]]
	return ok && head[3] >= 1 && head[3] <= idxMostDimensions
}

// idxHeader reads the header and returns its length in bytes.
func idxHeader(f *content) (npy.Header, int64, error) {
	var h npy.Header
	if !isIDX(f.head) {
		return h, 0, problem(f.name, "this is not an IDX file")
	}
	dimensions := int(f.head[3])
	skip := 4 + 4*dimensions
	if len(f.head) < skip {
		return h, 0, problem(f.name, "the file ends inside its header")
	}
	h.Type = idxTypes[f.head[2]]
	for k := range dimensions {
		h.Shape = append(h.Shape, int(binary.BigEndian.Uint32(f.head[4+4*k:])))
	}
	return h, int64(skip), nil
}

// idxDriver reads and writes the format of the MNIST files, labels in a file of their own.
var idxDriver = driver{
	name: IDX, endings: []string{".idx"}, is: isIDX, options: []string{"labels"},
	called:      func(base string) bool { return strings.Contains(base, "-ubyte") },
	open:        func(f *content, opts *Options) (table, error) { return openIDX(f, opts) },
	labels:      labelsOf(func(f *content, opts *Options) (table, error) { return openIDX(f, opts) }),
	write:       writeIDX,
	labelsPath:  labelsPath,
	writeLabels: writeLabelsIDX,
}

// openIDX opens an IDX file, and the labels beside it when they are asked for.
func openIDX(f *content, opts *Options) (*arrayTable, error) {
	h, skip, err := idxHeader(f)
	if err != nil {
		return nil, err
	}
	start := func() (*npy.Reader, io.Closer, error) {
		in, err := f.open()
		if err != nil {
			return nil, nil, err
		}
		if _, err := io.CopyN(io.Discard, in, skip); err != nil {
			in.Close()
			return nil, nil, err
		}
		r, err := npy.NewEntries(in, h, -1)
		return r, in, err
	}
	if _, err := npy.NewEntries(nil, h, -1); err != nil { // the product of the lengths overflows
		return nil, inFile(f.name, err)
	}
	certain, err := f.claim(skip + h.Bytes())
	if err != nil {
		return nil, err
	}
	t, err := newArrayTable(f, h, opts)
	if err != nil {
		return nil, err
	}
	t.certain, t.start = certain, start
	t.labels, err = labelsBeside(f.name, opts)
	return t, err
}

// labelsPath is where the labels of an IDX file are: train-labels-idx1-ubyte.gz beside
// train-images-idx3-ubyte.gz, data-labels.idx beside data.idx.
func labelsPath(images string) string {
	folder, base := filepath.Split(images)
	if strings.Contains(base, "images") {
		base = strings.Replace(base, "images", "labels", 1)
		for _, dimension := range []string{"2", "3", "4"} {
			base = strings.Replace(base, "idx"+dimension, "idx1", 1)
		}
		return folder + base
	}
	at := strings.Index(base, ".idx")
	if at < 0 {
		return images
	}
	return folder + base[:at] + "-labels" + base[at:]
}
