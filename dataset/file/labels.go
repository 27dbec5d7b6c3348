package file

import (
	"context"
	"io/fs"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/npy"
)

// labelsBeside reads the file with the labels of images, when it is named or when the
// target asks for labels; nil otherwise.
func labelsBeside(name string, opts *Options) (*labelColumn, error) {
	path := opts.LabelsFile
	if path == "" {
		if !isLabelName(opts.Target) {
			return nil, nil
		}
		if path = labelsPath(name); path == name {
			return nil, nil
		}
		if _, err := opts.disk().stat(path); err != nil {
			return nil, dataset.In("labels", problem(name, "the labels are asked for, but there is no file %s", path).WithHint("name the file with the labels by {labels}"))
		}
	}
	labels, err := readLabels(path, opts.FS)
	return labels, dataset.In("labels", err)
}

// readLabels reads a file with one label per sample: IDX or NPY of one dimension, or a
// text file with one column and no header.
func readLabels(path string, files fs.FS) (*labelColumn, error) {
	opts := &Options{Header: HeaderNo, FS: files}
	f, err := openFile(context.Background(), path, opts, nil)
	if err != nil {
		return nil, err
	}
	defer f.close()
	d, err := detect(f)
	if err != nil {
		return nil, err
	}
	if d.labels == nil {
		return nil, problem(path, "labels are read from IDX, NPY and text files, not from %s", d.name)
	}
	return d.labels(f, opts)
}

// labelsOfArray reads labels from an array, which may hold text.
func labelsOfArray(f *content, _ *Options) (*labelColumn, error) {
	in, err := f.open()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	a, err := npy.Read(in, -1)
	if err != nil {
		return nil, inFile(f.name, err)
	}
	if len(a.Shape) != 1 {
		return nil, problem(f.name, "labels must have one dimension, not %d", len(a.Shape))
	}
	return newLabelColumn("label", a), nil
}

// labelsOf reads labels from a table of one column.
func labelsOf(open func(f *content, opts *Options) (table, error)) func(f *content, opts *Options) (*labelColumn, error) {
	return func(f *content, opts *Options) (*labelColumn, error) {
		t, err := open(f, opts)
		if err != nil {
			return nil, err
		}
		if n := len(t.fields()); n != 1 {
			return nil, problem(f.name, "labels must be one column, not %d", n)
		}
		text := t.fields()[0].texts
		collect := &targets{text: text}
		pass := (&job{target: 0, text: []bool{text}}).prepare(1)
		check := &plan{name: f.name, job: pass, target: &field{name: "label"}}
		err = t.scan(context.Background(), pass, func(c *chunk) error {
			if err := check.checkTarget(c); err != nil {
				return err
			}
			collect.add(c)
			return nil
		})
		l := &labelColumn{name: "label", values: collect.values}
		if text {
			l.levels = collect.seen.names
		}
		return l, err
	}
}
