package file

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/gzip"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/atomicfile"
	"github.com/inlier-ml/inlier/internal/given"
)

// WriteOptions say how to write a set.
type WriteOptions struct {
	// Format forces a format; empty: told by the ending of the name.
	Format Format
	// Output is written to for the path "-"; nil: standard output.
	Output io.Writer
	// Context ends the writing; nil: nothing does.
	Context context.Context
}

// Write writes a set in the format that the name's ending tells: .csv, .tsv, .npy,
// .npz, .idx (or MNIST's names), .parquet, .libsvm or .svm, all but the arrays and
// Parquet also with .gz; a name without an ending is a folder of PNG images. The file
// appears whole or not at all. The path "-" is standard output (CSV).
func Write(path string, s *dataset.Set, opts WriteOptions) error {
	d, packed, err := writerOf(path, opts.Format)
	if err != nil {
		return err
	}
	ctx := given.Context(opts.Context)
	if d.write == nil && d.writeFolder == nil {
		return problem(path, "%s files are only read", d.name)
	}
	if s.Rows() == 0 {
		return problem(path, "there are no rows to write")
	}
	if path == "-" {
		out := opts.Output
		if out == nil {
			out = os.Stdout
		}
		return d.writeTo(given.Writer{Context: ctx, Writer: out}, path, s, packed)
	}
	if d.writeFolder != nil {
		return d.writeFolder(ctx, path, s)
	}
	if d.labelsPath != nil && s.Target != nil {
		return d.writePair(ctx, path, s, packed)
	}
	return atomically(ctx, path, func(w io.Writer) error { return d.writeTo(w, path, s, packed) })
}

// writePair writes samples and labels, both or neither: the labels are checked before
// anything is written and take their name when the samples are whole.
func (d *driver) writePair(ctx context.Context, path string, s *dataset.Set, packed bool) error {
	labels := d.labelsPath(path)
	if labels == path {
		return problem(path, "there is no name for the file with the labels").WithHint("name the file something%s", d.endings[0])
	}
	if _, err := targetNumbers(s.Target, path); err != nil {
		return err
	}
	_, missing := os.Stat(labels)
	wrote := false
	err := atomically(ctx, path, func(w io.Writer) error {
		if err := d.writeTo(w, path, s, packed); err != nil {
			return err
		}
		wrote = true
		return atomically(ctx, labels, func(w io.Writer) error {
			return compressed(w, packed, func(w io.Writer) error { return d.writeLabels(w, labels, s.Target) })
		})
	})
	if err != nil && wrote && errors.Is(missing, fs.ErrNotExist) {
		os.Remove(labels) // of samples that were not written after all
	}
	return err
}

// LabelsFile is the file with labels that Write writes beside samples, as for IDX; "" for
// other formats and sets without a target.
func LabelsFile(path string, s *dataset.Set) string {
	d := FormatOf(path).driver()
	if d == nil || d.labelsPath == nil || s.Target == nil {
		return ""
	}
	return d.labelsPath(path)
}

// writeTo writes a set to a stream.
func (d *driver) writeTo(w io.Writer, path string, s *dataset.Set, packed bool) error {
	return compressed(w, packed, func(w io.Writer) error { return d.write(w, path, s) })
}

// compressed puts gzip between, if that is wanted.
func compressed(w io.Writer, packed bool, write func(io.Writer) error) error {
	if !packed {
		return write(w)
	}
	z := gzip.NewWriter(w)
	if err := write(z); err != nil {
		return err
	}
	return z.Close()
}

// atomically writes a file so that it appears whole or not at all. The path "-" is
// standard output.
func atomically(ctx context.Context, path string, write func(io.Writer) error) error {
	if path == "-" {
		return buffered(os.Stdout, write)
	}
	err := atomicfile.Write(path, func(w io.Writer) error { return write(given.Writer{Context: ctx, Writer: w}) })
	var target *atomicfile.Error
	if errors.As(err, &target) {
		return &dataset.InputError{File: path, Problem: target.Problem, Err: err}
	}
	return err
}

func buffered(w io.Writer, write func(io.Writer) error) error {
	out := bufio.NewWriterSize(w, 1<<18)
	if err := write(out); err != nil {
		return err
	}
	return out.Flush()
}

// besides is a new hidden name in the same folder.
func besides(path string) string {
	var random [6]byte
	_, _ = rand.Read(random[:]) // never fails
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+hex.EncodeToString(random[:])+".tmp")
}

// syncFolder makes a renaming last; where folders cannot be synced nothing is lost.
func syncFolder(path string) {
	if folder, err := os.Open(path); err == nil {
		_ = folder.Sync()
		folder.Close()
	}
}

// unwritable says in plain words why a file cannot be written.
func unwritable(path string, err error) error {
	e := &dataset.InputError{File: path, Problem: "it cannot be written", Err: err}
	var cause *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.Problem = "it cannot be written: its folder does not exist"
	case errors.Is(err, fs.ErrPermission):
		e.Problem = "it cannot be written: no permission"
	case errors.As(err, &cause):
		e.Problem = "it cannot be written: " + cause.Err.Error()
	}
	return e
}
