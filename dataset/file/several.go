package file

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/internal/objects"
	"github.com/inlier-ml/inlier/internal/given"
)

// several are files whose rows follow each other: a table over tables. Rows are numbered through all of them,
// categories are those of all, and what is wrong is told with the file where it stands.
type several struct {
	name   string // of all together
	parts  []*Source
	places [][]int // of the first file's fields in each part
	all    []field
}

// Expand lists the files that patterns such as 2024-*.csv match, in the order of names, and what is no pattern, or
// the name of a file that is there, as it stands; s3://bucket/prefix/*.csv are objects of a store. A nil file system is the machine's own;
// the context ends the listing of a store.
func Expand(ctx context.Context, files fs.FS, paths ...string) ([]string, error) {
	var all []string
	on := disk{files, given.Context(ctx)}
	for _, path := range paths {
		if !strings.ContainsAny(path, "*?[") {
			all = append(all, path)
			continue
		}
		if _, err := on.stat(path); err == nil {
			all = append(all, path)
			continue
		}
		found, err := on.glob(path)
		var store *dataset.InputError
		if err != nil && on.ctx.Err() != nil {
			return nil, on.ctx.Err()
		} else if errors.As(err, &store) {
			return nil, dataset.In("path", store)
		} else if err != nil {
			return nil, dataset.In("path", problem(path, "this is no pattern for names of files"))
		}
		if len(found) == 0 {
			return nil, dataset.In("path", problem(path, "no file matches"))
		}
		all = append(all, found...)
	}
	return all, nil
}

func (d disk) glob(pattern string) ([]string, error) {
	if d.files != nil {
		return fs.Glob(d.files, pattern)
	}
	if ctx, far := d.far(pattern); far {
		return objects.Glob(ctx, pattern)
	}
	return filepath.Glob(pattern)
}

// openTable opens the file, and those that follow it.
func (s *Source) openTable(ctx context.Context, path string, stream io.Reader) error {
	if len(s.opts.More) == 0 {
		return s.openOne(ctx, path, stream)
	}
	if s.opts.LabelsFile != "" {
		return dataset.In("labels", problem(s.opts.LabelsFile, "labels in a file of their own are those of one file, and %d are named", 1+len(s.opts.More)))
	}
	t := &several{}
	for _, path := range append([]string{path}, s.opts.More...) {
		part := &Source{name: path, opts: s.opts, count: -1}
		part.opts.More = nil
		err := part.openOne(ctx, path, stream)
		if err == nil {
			t.parts = append(t.parts, part)
			err = t.match(part)
		}
		if err != nil {
			t.close()
			return err
		}
		s.bytes += part.bytes
		s.packed = s.packed || part.packed
		stream = nil
	}
	first := t.parts[0]
	t.name = fmt.Sprintf("%s and %d more", first.name, len(s.opts.More))
	driver := *first.driver
	for _, part := range t.parts {
		driver.lined = driver.lined && part.driver.lined
	}
	s.name, s.table, s.driver = t.name, t, &driver
	return nil
}

// match holds the columns of a further file against those of the first.
func (t *several) match(part *Source) error {
	fields, first := part.table.fields(), t.parts[0]
	if len(t.parts) == 1 {
		t.all = slices.Clone(fields)
	}
	places := make([]int, len(t.all))
	unlike := func(format string, args ...any) error {
		return dataset.In("path", problem(part.name, format, args...).WithHint("rows are put together of files that have the same columns"))
	}
	switch {
	case part.table.named() != first.table.named():
		return unlike("of this file and %s only one names its columns", first.name)
	case (part.table.label() == nil) != (first.table.label() == nil):
		return unlike("of this file and %s only one has labels", first.name)
	case !slices.Equal(part.table.shape(), first.table.shape()):
		return unlike("samples are of shape %s, but those of %s of %s", dataset.FormatShape(part.table.shape()), first.name, dataset.FormatShape(first.table.shape()))
	case !part.table.named() && len(fields) != len(t.all):
		return unlike("there are %d columns, but %s has %d", len(fields), first.name, len(t.all))
	}
	index := make(map[string]int, len(fields))
	for k, f := range fields {
		index[f.name] = k
	}
	for k := range t.all {
		f := &t.all[k]
		at, ok := index[f.name]
		if !part.table.named() {
			at, ok = k, true
		}
		if !ok {
			return unlike("there is no column %q, which %s has", f.name, first.name)
		}
		delete(index, f.name)
		places[k] = at
		if fields[at].kind == dataset.Text {
			f.kind = dataset.Text
		}
		f.texts = f.texts || fields[at].texts
		if f.refused == "" {
			f.refused = fields[at].refused
		}
	}
	if part.table.named() {
		for _, f := range fields {
			if _, left := index[f.name]; left {
				return unlike("column %q is not in %s", f.name, first.name)
			}
		}
	}
	t.places = append(t.places, places)
	return nil
}

func (t *several) fields() []field { return t.all }
func (t *several) named() bool     { return t.parts[0].table.named() }
func (t *several) label() *field   { return t.parts[0].table.label() }
func (t *several) shape() []int    { return t.parts[0].table.shape() }

func (t *several) rows() (n int, certain bool) {
	certain = true
	for _, part := range t.parts {
		rows, sure := part.table.rows()
		if rows < 0 {
			return -1, false
		}
		n, certain = n+rows, certain && sure
	}
	return n, certain
}

func (t *several) bound(ctx context.Context) (n int, err error) {
	for _, part := range t.parts {
		rows, err := part.table.bound(ctx)
		if err != nil {
			return 0, err
		}
		n += rows
	}
	return n, nil
}

func (t *several) scan(ctx context.Context, wanted *job, visit func(*chunk) error) error {
	before := wanted.from.Before
	for k := wanted.from.File; k < len(t.parts); k++ {
		part, rows := t.parts[k], 0
		job := t.jobOf(k, wanted, before)
		job.from.Row = max(0, wanted.from.Row-before)
		if k > wanted.from.File {
			job.from = Mark{Row: job.from.Row}
		}
		if n, certain := part.table.rows(); certain && job.from.Row >= n {
			before += n
			continue
		}
		job.from.Before = 0
		err := part.table.scan(ctx, job, func(c *chunk) error {
			own := c.first
			rows = own + c.rows
			c.first += before
			c.mark.File, c.mark.Before = k, before
			err := visit(c)
			c.first = own
			var input *dataset.InputError
			if errors.As(err, &input) && input.File == t.name && (input.Line > 0 || input.Row > 0) {
				input.File, input.Row = part.name, max(0, input.Row-before)
			}
			return err
		})
		if err != nil {
			return err
		}
		before += rows
	}
	return nil
}

// jobOf is the job for a part in the order of its columns, whose rows come after so many others.
func (t *several) jobOf(k int, wanted *job, before int) *job {
	own, places := *wanted, t.places[k]
	own.features, own.text = make([]int, len(wanted.features)), make([]bool, len(wanted.text))
	for i, f := range wanted.features {
		own.features[i] = places[f]
	}
	for f, text := range wanted.text {
		own.text[places[f]] = text
	}
	if wanted.target >= 0 {
		own.target = places[wanted.target]
	}
	if wanted.into != nil {
		own.into = func(first, rows int) []float64 { return wanted.into(before+first, rows) }
	}
	return own.prepare(len(t.all))
}

// describe tells what the formats tell of the first file.
func (t *several) describe(info *Info) {
	if first, ok := t.parts[0].table.(interface{ describe(*Info) }); ok {
		first.describe(info)
	}
}

// files are those of all images; nil where some part is a table.
func (t *several) files() []string {
	var all []string
	for _, part := range t.parts {
		files := part.Files()
		if files == nil {
			return nil
		}
		all = append(all, files...)
	}
	return all
}

func (t *several) close() error {
	var failed error
	for _, part := range t.parts {
		if err := part.Close(); failed == nil {
			failed = err
		}
	}
	return failed
}
