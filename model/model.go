// Package model keeps fitted models in files.
//
// A model file is an ordinary NumPy archive (.npz): every array of the model as
// float64 in C order under the name that its family gives it, and one file more,
// meta.json, that says what was fitted and how. numpy.load opens it:
//
//	m = numpy.load("model.npz")
//	scores = (x - m["mean"]) @ m["components"].T
//	about = json.loads(m["meta.json"])
//
// [Save] writes a file whole or not at all. [Load] trusts nothing: sizes are compared
// with the bytes that are really there before memory is taken, the arrays with the
// checksum in meta.json, every number must be finite, and a file of a newer format is
// refused. Whatever is wrong comes back as a [*FileError] that names the file.
// [Inspect] does the same and shows what is inside without making a model of it.
//
// # The checksum
//
// It is "sha256:" and the SHA-256, in lower-case hexadecimal, of the arrays in
// ascending order of their names. For each array these bytes follow one another, every
// integer as 8 bytes, little endian:
//
//	length of the name | name | number of dimensions | each dimension | each number as IEEE 754 double, little endian
package model

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/internal/atomicfile"
)

// FileError is a model file that cannot be used or written.
type FileError struct {
	Path    string
	Problem string
	Hint    string // what would be right; may be empty
}

// Error is one line that names the file.
func (e *FileError) Error() string { return fmt.Sprintf("model: %s: %s", e.Path, e.Problem) }

// Save writes m to path, whole or not at all.
func Save(path string, m catalog.Model) error { return SaveWith(path, m, Input{}) }

// SaveWith is Save together with how rows must be read for the model.
func SaveWith(path string, m catalog.Model, in Input) error {
	err := atomicfile.Write(path, func(w io.Writer) error { return Write(w, m, in) })
	var target *atomicfile.Error
	if errors.As(err, &target) {
		return &FileError{Path: path, Problem: target.Problem}
	}
	return err
}

// Load reads the model at path.
func Load(path string) (catalog.Model, error) {
	c, err := Inspect(path)
	if err != nil {
		return nil, err
	}
	return c.Model()
}

// Inspect reads and checks the file at path without making a model of it.
func Inspect(path string) (*Contents, error) {
	f, size, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(f, size, path)
}

// open opens an ordinary file.
func open(path string) (*os.File, int64, error) {
	const hint = "a model file is what `inlier fit --out MODEL.npz` writes"
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, &FileError{path, "there is no such file", hint}
	}
	if err != nil {
		return nil, 0, &FileError{path, "cannot be read: " + reason(err), ""}
	}
	info, err := f.Stat()
	switch {
	case err != nil:
		f.Close()
		return nil, 0, &FileError{path, "cannot be read: " + reason(err), ""}
	case info.IsDir():
		f.Close()
		return nil, 0, &FileError{path, "is a directory; a model file is meant", hint}
	case !info.Mode().IsRegular():
		f.Close()
		return nil, 0, &FileError{path, "is not an ordinary file", hint}
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
