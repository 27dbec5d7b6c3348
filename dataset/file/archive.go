package file

import (
	"archive/zip"
	"errors"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/npy"

	"github.com/inlier-ml/inlier/internal/words"
)

// splitMember cuts "file.npz:name" into the archive and the array in it, unless a file
// of that whole name exists.
func splitMember(path string, on disk) (file, member string) {
	at := strings.LastIndex(path, ".npz:")
	if at < 0 {
		return path, ""
	}
	if _, err := on.stat(path); err == nil {
		return path, ""
	}
	return path[:at+4], path[at+5:]
}

// sampleNames and labelNames are what arrays of samples and of labels are usually
// called.
var (
	sampleNames = []string{"X", "x", "data", "x_train", "X_train", "images", "arr_0"}
	labelNames  = []string{"y", "Y", "target", "labels", "label", "y_train", "arr_1"}
)

// npzDriver reads and writes NumPy archives.
var npzDriver = driver{
	name: NPZ, endings: []string{".npz"}, magic: []string{"PK\x03\x04", "PK\x05\x06"}, unpackable: true,
	open:    func(f *content, opts *Options) (table, error) { return openNPZ(f, opts) },
	write:   func(w io.Writer, _ string, s *dataset.Set) error { return writeNPZ(w, s) },
	table:   writeColumnsNPZ,
	columns: archiveMembers,
}

// archiveMembers are the names of the arrays of an archive.
func archiveMembers(in io.ReaderAt, size int64) []string {
	archive, err := zip.NewReader(in, size)
	if err != nil {
		return nil
	}
	var names []string
	for _, f := range archive.File {
		names = append(names, strings.TrimSuffix(f.Name, ".npy"))
	}
	return names
}

// openNPZ opens an array of an archive, with the labels, the column names and the shape
// that stand beside it under the names y, columns and shape.
func openNPZ(f *content, opts *Options) (*arrayTable, error) {
	if f.packed {
		return nil, problem(f.name, "a compressed archive is not read").WithHint("unpack the file first")
	}
	in, err := f.anywhere()
	if err != nil {
		return nil, err
	}
	t, err := openArchive(f, in, opts, f.member)
	if err != nil {
		in.Close()
		return nil, inFile(f.name, err)
	}
	t.closer = in
	return t, nil
}

func openArchive(f *content, in io.ReaderAt, opts *Options, member string) (*arrayTable, error) {
	a, err := npy.NewArchive(in, f.size)
	if err != nil {
		return nil, err
	}
	if member == "" {
		if member, err = chooseArray(f.name, a); err != nil {
			return nil, err
		}
	}
	r, err := a.Open(member)
	if err != nil {
		return nil, err
	}
	h := r.Header()
	r.Close()
	t, err := newArrayTable(f, h, opts)
	if err != nil {
		return nil, err
	}
	packed, whole := a.Packed(member)
	t.certain = whole/20 <= packed
	t.start = func() (*npy.Reader, io.Closer, error) {
		r, err := a.Open(member)
		return r, r, err
	}
	if h.Fortran && len(h.Shape) > 1 { // the array is compressed, so its columns cannot be sought
		all := *opts
		all.Limit = 0 // the first rows need the whole array as well
		if err := all.checkCells(f.name, t.n, t.d); err != nil {
			return nil, err
		}
		if err := all.checkGrowth(f.name, t.n, t.d, f.size, cellsPerByte); err != nil {
			return nil, err
		}
		array, err := a.Array(member)
		if err != nil {
			return nil, err
		}
		t.certain = true
		t.block = func(dst []float64, first, rows int) error {
			copy(dst, array.Data[first*t.d:(first+rows)*t.d])
			return nil
		}
	}
	if err := t.beside(a, member, opts); err != nil {
		return nil, err
	}
	if opts.LabelsFile != "" {
		t.labels, err = labelsBeside(f.name, opts)
	}
	return t, err
}

// chooseArray finds the samples among the arrays.
func chooseArray(name string, a *npy.Archive) (string, error) {
	switch arrays := a.Arrays(); {
	case len(arrays) == 0:
		return "", problem(name, "the zip archive holds no arrays").WithHint("a spreadsheet must be saved as CSV first")
	case len(arrays) == 1:
		return arrays[0], nil
	}
	for _, candidate := range sampleNames {
		if a.Has(candidate) {
			return candidate, nil
		}
	}
	return "", problem(name, "the archive holds the arrays %s, and none is called X", words.Names(a.Arrays())).
		WithHint("name one as %s:%s", name, a.Arrays()[0])
}

// beside reads the labels, the names of the columns and the shape of a sample. The header
// of each array tells whether it can be meant before the array is read.
func (t *arrayTable) beside(a *npy.Archive, member string, opts *Options) error {
	read := func(name string, length int) (*npy.Array, error) {
		if name == member || !a.Has(name) {
			return nil, nil
		}
		r, err := a.Open(name)
		if err != nil {
			return nil, err
		}
		h := r.Header()
		r.Close()
		if len(h.Shape) != 1 || h.Shape[0] != length {
			return nil, nil
		}
		if h.Bytes() > opts.maxUnpacked(t.file.size, freeBytes) {
			return nil, problem(t.file.name, "array %q claims %d bytes, more than an archive of %d may unpack to", name, h.Bytes(), t.file.size).WithHint(lift)
		}
		return a.Array(name)
	}
	for _, name := range labelNames {
		if opts.Target == "none" {
			break
		}
		labels, err := read(name, t.n)
		var content *npy.Error
		if errors.As(err, &content) {
			return problem(t.file.name, "%s", content.Error()).WithHint("store the labels as numbers or texts; {target} none does without")
		}
		if err != nil {
			return err
		}
		if labels != nil {
			t.labels = newLabelColumn(name, labels)
			break
		}
	}
	if name := opts.Target; t.labels == nil && name != "" && name != member && a.Has(name) && slices.Contains(labelNames, name) {
		return problem(t.file.name, "array %q is no target: it must be a list of %d labels, one for each row", name, t.n)
	}
	names, err := read("columns", t.d)
	if err != nil {
		return err
	}
	if names != nil && names.Text != nil {
		if err := t.nameColumns(names.Text); err != nil {
			return err
		}
	}
	for dimensions := 2; dimensions <= idxMostDimensions; dimensions++ {
		shape, err := read("shape", dimensions)
		if err != nil {
			return err
		}
		if shape != nil {
			return t.setShape(shape.Data)
		}
	}
	return nil
}

// nameColumns takes the names that stand in the archive.
func (t *arrayTable) nameColumns(names []string) error {
	seen := make(map[string]bool, len(names))
	for k, name := range names {
		if err := checkName(t.file.name, name, "column"); err != nil {
			return err
		}
		if seen[name] {
			return problem(t.file.name, "two columns are named %q", name)
		}
		seen[name] = true
		t.columns[k].name = name
	}
	t.hasName = true
	return nil
}

// setShape takes the shape of a sample that stands in the archive. One that belongs to
// something else is left alone; one that no sample can have is refused.
func (t *arrayTable) setShape(lengths []float64) error {
	product := 1.0
	var inner []int
	for _, v := range lengths {
		if !(v >= 1 && v <= defaultCells) || v != math.Trunc(v) {
			return problem(t.file.name, "the archive gives a sample the shape %v, whose lengths are not all whole numbers from 1 to %d", lengths, defaultCells).
				WithHint("correct the array \"shape\" or leave it out; {shape} gives the shape as well")
		}
		product *= v
		inner = append(inner, int(v))
	}
	if product == float64(t.d) && len(inner) > 0 {
		t.inner = inner
	}
	return nil
}
