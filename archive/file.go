// Package archive is what a model file holds, and the file itself. It knows no family: each
// makes a [State] of its model and a model of a State, and is written and read through
// [WriteTo], [Save], [Read] and [Load].
//
// A model file is an ordinary NumPy archive (.npz): every array of the model as
// float64 in C order under the name that its family gives it, and one file more,
// meta.json, that says what was fitted and how. numpy.load opens it:
//
//	m = numpy.load("model.npz")
//	scores = (x - m["mean"]) @ m["components"].T
//	about = json.loads(m["meta.json"])
//
// [Save] writes a file whole or not at all. Reading trusts nothing: sizes are compared
// with the bytes that are really there before memory is taken, the arrays with the
// checksum in meta.json, every number must be finite, and a file of a newer format is
// refused. Whatever is wrong comes back as a [*FileError] that names the file.
// [Open] shows what is inside without making a model of it.
//
// # The checksum
//
// It is "sha256:" and the SHA-256, in lower-case hexadecimal, of the arrays in
// ascending order of their names. For each array these bytes follow one another, every
// integer as 8 bytes, little endian:
//
//	length of the name | name | number of dimensions | each dimension | each number as IEEE 754 double, little endian
package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/inlier-ml/inlier/internal/atomicfile"
	"github.com/inlier-ml/inlier/refusal"
)

// FileError is a model file that cannot be used or written.
type FileError struct {
	Path    string
	Problem string
	Hint    string // what would be right; may be empty
	Err     error  // the error below, such as fs.ErrNotExist or ErrNotModel; may be nil
}

// ErrNotModel is below the error about a file that is something else than a model, whole or not.
var ErrNotModel = errors.New("not an Inlier model")

// Unwrap is the error below.
func (e *FileError) Unwrap() error { return e.Err }

// Error is one line that names the file.
func (e *FileError) Error() string { return fmt.Sprintf("model: %s: %s", e.Path, e.Problem) }

// WriteTo writes s as the bytes of a model file and returns their number, for the method of
// that name that typed models have.
func WriteTo(w io.Writer, s State) (int64, error) {
	c := counter{to: w}
	err := Write(&c, s)
	return c.n, err
}

type counter struct {
	to io.Writer
	n  int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.to.Write(b)
	c.n += int64(n)
	return n, err
}

// Save writes s to path, whole or not at all.
func Save(path string, s State) error {
	err := atomicfile.Write(path, func(w io.Writer) error { return Write(w, s) })
	var target *atomicfile.Error
	if errors.As(err, &target) {
		return &FileError{Path: path, Problem: target.Problem}
	}
	return err
}

// Open reads and checks the file at path without making a model of it.
func Open(path string) (*Contents, error) {
	f, size, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadAt(f, size, path)
}

// Load reads the file at path and makes a model of it.
func Load[M any](path string, restore func(State) (M, error)) (M, error) {
	c, err := Open(path)
	if err != nil {
		var none M
		return none, err
	}
	return Restore(c, restore)
}

// Read reads a model file from r, to its end, and makes a model of it.
func Read[M any](r io.Reader, restore func(State) (M, error)) (M, error) {
	var none M
	b, err := io.ReadAll(r)
	if err != nil {
		return none, err
	}
	c, err := ReadAt(bytes.NewReader(b), int64(len(b)), "stream")
	if err != nil {
		return none, err
	}
	return Restore(c, restore)
}

// Restore makes a model of what a file holds. Whatever is wrong is the file's fault.
func Restore[M any](c *Contents, restore func(State) (M, error)) (m M, err error) {
	var none M
	defer func() {
		// A file can be whole by its checksum and still hold arrays that no fit
		// produces. The families check what they take; this is for what they miss.
		if p := recover(); p != nil {
			m, err = none, &FileError{Path: c.Path, Problem: fmt.Sprintf("is damaged: its arrays do not fit together (%v)", p)}
		}
	}()
	m, err = restore(c.State())
	var file *FileError
	var unknown *refusal.LossError
	switch {
	case errors.As(err, &file):
		return none, &FileError{Path: c.Path, Problem: file.Problem, Hint: file.Hint}
	case errors.As(err, &unknown): // the file is whole
		return none, &FileError{Path: c.Path, Problem: "cannot be used: its " + unknown.Error(), Err: err}
	case err != nil:
		return none, &FileError{Path: c.Path, Problem: "is damaged: " + err.Error(), Err: err}
	}
	return m, nil
}

// Of refuses the state of a model of another family, or of a chain of two models.
func (s State) Of(families ...string) error {
	if _, chain := s.Extra["reducer"]; chain {
		return &FileError{Problem: fmt.Sprintf("is a model of two steps, %s after a reduction", s.Description.Method), Hint: "package model reads models of every kind"}
	}
	if !slices.Contains(families, s.Description.Family) {
		return &FileError{Problem: fmt.Sprintf("is a model of method %.40q, which is of another family", s.Description.Method), Hint: "package model reads models of every kind"}
	}
	return nil
}

// open opens an ordinary file.
func open(path string) (*os.File, int64, error) {
	const hint = "a model file is what `inlier fit --out MODEL.npz` writes"
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, &FileError{Path: path, Problem: "there is no such file", Hint: hint, Err: err}
	}
	if err != nil {
		return nil, 0, &FileError{Path: path, Problem: "cannot be read: " + reason(err), Err: err}
	}
	info, err := f.Stat()
	switch {
	case err != nil:
		f.Close()
		return nil, 0, &FileError{Path: path, Problem: "cannot be read: " + reason(err), Err: err}
	case info.IsDir():
		f.Close()
		return nil, 0, &FileError{Path: path, Problem: "is a directory; a model file is meant", Hint: hint}
	case !info.Mode().IsRegular():
		f.Close()
		return nil, 0, &FileError{Path: path, Problem: "is not an ordinary file", Hint: hint}
	}
	return f, info.Size(), nil
}

// reason is what the system said, without the path.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}
