package archive

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/inlier-ml/inlier/npy"
)

const (
	// mostArrays bounds how many arrays a model may have: far more than any family uses.
	mostArrays = 1000
	// A model is written without compression, 8 bytes for each number. One that somebody
	// compressed may hold up to freeNumbers whatever its size (64 MiB), and beyond them so
	// many for each of its bytes. Its meta.json may grow as well.
	freeNumbers    = 1 << 23
	numbersPerByte = 64
	freeMeta       = 1 << 20
	metaPerByte    = 32
)

// Contents is a model file that was read and found whole.
type Contents struct {
	Path   string
	Bytes  int64 // size of the file
	Meta   Meta
	Arrays map[string]Array
}

// Names lists the arrays in ascending order.
func (c *Contents) Names() []string { return names(c.Arrays) }

// ReadAt reads a model file from the first size bytes of r; path stands in messages.
func ReadAt(r io.ReaderAt, size int64, path string) (*Contents, error) {
	c, err := read(r, size)
	if err == nil {
		c.Path = path
		return c, nil
	}
	var ours *FileError
	var content *npy.Error
	switch {
	case errors.As(err, &ours):
		return nil, &FileError{Path: path, Problem: ours.Problem, Hint: ours.Hint, Err: ours.Err}
	case errors.As(err, &content):
		return nil, &FileError{Path: path, Problem: "is damaged: " + content.Problem}
	}
	return nil, &FileError{Path: path, Problem: "cannot be read: " + reason(err), Err: err}
}

func read(r io.ReaderAt, size int64) (*Contents, error) {
	archive, err := npy.NewArchive(r, size)
	if err != nil {
		return nil, notArchive(r, size, err)
	}
	if !slices.Contains(archive.Files(), metaFile) {
		return nil, &FileError{Problem: "is not an Inlier model: it holds no meta.json", Err: ErrNotModel}
	}
	packed, _ := archive.Size(metaFile)
	text, err := archive.File(metaFile, min(mostMeta, max(freeMeta, metaPerByte*packed)))
	if err != nil {
		return nil, err
	}
	meta, err := parseMeta(text)
	if err != nil {
		return nil, err
	}
	c := &Contents{Bytes: size, Meta: *meta}
	if c.Arrays, err = readArrays(archive, meta, size); err != nil {
		return nil, err
	}
	if checksum(c.Arrays) != meta.Checksum {
		return nil, &FileError{Problem: "is damaged: its arrays do not match their checksum"}
	}
	return c, nil
}

// notArchive tells a cut-off model file from a file of another kind.
func notArchive(r io.ReaderAt, size int64, err error) error {
	var start [4]byte
	n, _ := r.ReadAt(start[:min(4, size)], 0)
	switch {
	case size == 0:
		return &FileError{Problem: "is empty; a model file is meant"}
	case n == 4 && string(start[:]) == "PK\x03\x04":
		var content *npy.Error
		if errors.As(err, &content) {
			return &FileError{Problem: "is damaged or cut off: " + content.Problem}
		}
		return err
	}
	return &FileError{Problem: "is not an Inlier model", Hint: "the model comes first, then the data", Err: ErrNotModel}
}

// readArrays reads the arrays that meta.json announces, and insists that there are no
// others.
func readArrays(archive *npy.Archive, meta *Meta, size int64) (map[string]Array, error) {
	if len(meta.Arrays) > mostArrays {
		return nil, &FileError{Problem: fmt.Sprintf("is damaged: %d arrays are more than any model has", len(meta.Arrays))}
	}
	for _, name := range archive.Arrays() {
		if _, ok := meta.Arrays[name]; !ok {
			return nil, &FileError{Problem: fmt.Sprintf("is damaged: array %.40q is not announced in meta.json", name)}
		}
	}
	arrays := make(map[string]Array, len(meta.Arrays))
	left := max(freeNumbers, numbersPerByte*size)
	for name, shape := range meta.Arrays {
		if !validName(name) || !archive.Has(name) {
			return nil, &FileError{Problem: fmt.Sprintf("is damaged: array %.40q is missing", name)}
		}
		count := product(shape)
		if count < 0 || int64(count) > left {
			return nil, &FileError{Problem: fmt.Sprintf("is damaged: array %s of shape %v is more than a file of %d bytes may hold", name, shape, size)}
		}
		left -= int64(count)
		if err := announcedAs(archive, name, shape); err != nil {
			return nil, err
		}
		a, err := archive.Array(name)
		if err != nil {
			return nil, err
		}
		if len(a.Data) != count {
			return nil, &FileError{Problem: fmt.Sprintf("is damaged: array %s has %d numbers, not %d", name, len(a.Data), count)}
		}
		if i := firstNotFinite(a.Data); i >= 0 {
			return nil, &FileError{Problem: fmt.Sprintf("is damaged: array %s holds %g", name, a.Data[i])}
		}
		arrays[name] = Array{Shape: a.Shape, Data: a.Data}
	}
	return arrays, nil
}

// announcedAs compares the header of an array with what meta.json says, before anything
// is made from it.
func announcedAs(archive *npy.Archive, name string, shape []int) error {
	r, err := archive.Open(name)
	if err != nil {
		return err
	}
	defer r.Close()
	h := r.Header()
	if h.Type.Text() {
		return &FileError{Problem: fmt.Sprintf("is damaged: array %s holds text", name)}
	}
	if !slices.Equal(h.Shape, shape) {
		return &FileError{Problem: fmt.Sprintf("is damaged: array %s has shape %v, announced as %v", name, h.Shape, shape)}
	}
	return nil
}

// State is what the method's Restore takes. The arrays are shared, not copied.
func (c *Contents) State() State {
	return State{Description: c.Meta.description(), Arrays: c.Arrays, Extra: c.Meta.Extra, Input: c.Meta.Input}
}
