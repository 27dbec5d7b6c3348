package dataset

import (
	"io"
	"os"
	"strings"

	"github.com/inlier-ml/inlier/npy"
)

// splitMember cuts "file.npz:name" into the archive and the array in it, unless a file
// of that whole name exists.
func splitMember(path string) (file, member string) {
	at := strings.LastIndex(path, ".npz:")
	if at < 0 {
		return path, ""
	}
	if _, err := os.Stat(path); err == nil {
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

// openNPZ opens an array of an archive, with the labels, the column names and the shape
// that stand beside it under the names y, columns and shape.
func openNPZ(f *file, opts *Options, member string) (*arrayTable, error) {
	if f.packed {
		return nil, problem(f.name, "a compressed archive is not read").hint("unpack the file first")
	}
	in, err := os.Open(f.path)
	if err != nil {
		return nil, missingFile(f.name, err)
	}
	t, err := openArchive(f, in, opts, member)
	if err != nil {
		in.Close()
		return nil, inFile(f.name, err)
	}
	t.closer = in
	return t, nil
}

func openArchive(f *file, in io.ReaderAt, opts *Options, member string) (*arrayTable, error) {
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
	t, err := newArrayTable(f, h)
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
	if err := t.beside(a, member); err != nil {
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
		return "", problem(name, "the zip archive holds no arrays").hint("a spreadsheet must be saved as CSV first")
	case len(arrays) == 1:
		return arrays[0], nil
	}
	for _, candidate := range sampleNames {
		if a.Has(candidate) {
			return candidate, nil
		}
	}
	return "", problem(name, "the archive holds the arrays %s, and none is called X", listNames(a.Arrays())).
		hint("name one as %s:%s", name, a.Arrays()[0])
}

// beside reads the labels, the names of the columns and the shape of a sample.
func (t *arrayTable) beside(a *npy.Archive, member string) error {
	for _, name := range labelNames {
		if name == member || !a.Has(name) {
			continue
		}
		labels, err := a.Array(name)
		if err != nil {
			return err
		}
		if len(labels.Shape) == 1 && labels.Shape[0] == t.n {
			t.labels = newLabelColumn(name, labels)
			break
		}
	}
	if a.Has("columns") && member != "columns" {
		names, err := a.Array("columns")
		if err != nil {
			return err
		}
		if len(names.Text) == t.d {
			seen := map[string]bool{}
			for k, name := range names.Text {
				if seen[name] {
					return problem(t.file.name, "two columns are named %q", name)
				}
				seen[name] = true
				t.columns[k].name = name
			}
			t.hasName = true
		}
	}
	if a.Has("shape") && member != "shape" {
		shape, err := a.Array("shape")
		if err != nil {
			return err
		}
		product := 1.0
		var inner []int
		for _, v := range shape.Data {
			product *= v
			inner = append(inner, int(v))
		}
		if len(inner) > 1 && product == float64(t.d) {
			t.inner = inner
		}
	}
	return nil
}
