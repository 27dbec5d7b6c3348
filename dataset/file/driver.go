package file

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/inlier-ml/inlier/dataset"
)

// driver is all that is known of one format. A new format is a driver in a file of its own
// and a line in the table of drivers: reading, telling it by its content or its name,
// describing, converting, writing, and the lists that users see follow from it. What it
// cannot do is left nil.
type driver struct {
	name    Format
	endings []string // of names that ask for it when writing; the first is the usual one

	// How its content tells it, unpacked: the first bytes, a look at them, or a look at the
	// first lines of text. A format without any of these is read when it is asked for.
	magic []string
	is    func(head []byte) bool
	lines func(lines [][]byte) bool

	// called tells by a whole name, in lower case, where endings do not suffice.
	called func(base string) bool
	// lined tells that wrong cells are complained about with their line, by the reader itself.
	lined bool
	// unpackable tells that it is not written through gzip.
	unpackable bool
	// named tells that a set is written with the names of its rows as a column of text.
	named bool
	// options are the names of the options of reading that mean something for this format
	// beside those that choose and code columns.
	options []string

	open       func(f *content, opts *Options) (table, error)
	openFolder func(path string, opts *Options) (table, error)
	// labels reads a file with one label per row.
	labels func(f *content, opts *Options) (*labelColumn, error)

	write       func(w io.Writer, path string, s *dataset.Set) error
	writeFolder func(ctx context.Context, path string, s *dataset.Set) error
	// labelsPath is the file for the labels beside that for the samples; its own name when
	// there is none. Labels go there instead of into the file.
	labelsPath  func(path string) string
	writeLabels func(w io.Writer, path string, t *dataset.Target) error
	// parts writes columns in parts: it is told what columns there will be, how many rows, and the shape of one that is an
	// image. With numeric all columns are numbers.
	parts   func(w io.Writer, like []Column, rows int, shape []int) (add func([]Column) error, end func() error, err error)
	numeric bool
	// table writes columns of mixed kinds where parts cannot; columns reads the names of a table back; nil: those
	// that open finds.
	table   func(w io.Writer, columns []Column) error
	columns func(in io.ReaderAt, size int64) []string
}

// known holds every format; what is stored is never changed, so that files may be read while a
// program registers a format of its own.
var known atomic.Pointer[[]*driver]

func init() { // readers look others up, for the labels beside them
	known.Store(&[]*driver{
		&csvDriver,
		&tsvDriver,
		&npyDriver,
		&npzDriver,
		&idxDriver,
		&parquetDriver,
		&libsvmDriver,
		&imagesDriver,
	})
}

// drivers lists every format, in the order of lists.
func drivers() []*driver { return *known.Load() }

// Format is the name of a file format.
type Format string

// The formats that other packages ask for by name; [Formats] lists all. CSV stands for
// every delimiter when reading.
const (
	CSV     Format = "csv"
	TSV     Format = "tsv"
	NPY     Format = "npy"
	NPZ     Format = "npz"
	IDX     Format = "idx"
	Parquet Format = "parquet"
	LIBSVM  Format = "libsvm"
	Images  Format = "images" // a folder, a list of paths, or one image
)

// Formats lists all formats.
func Formats() []Format {
	var names []Format
	for _, d := range drivers() {
		names = append(names, d.name)
	}
	return names
}

// driver is what is known of the format; nil when it is none.
func (f Format) driver() *driver {
	for _, d := range drivers() {
		if d.name == f {
			return d
		}
	}
	return nil
}

// Options are the names of the options of reading that mean something for the format,
// beside those that choose and code columns: "delimiter", "resize" ...
func (f Format) Options() []string {
	if d := f.driver(); d != nil {
		return d.options
	}
	return nil
}

// NamesRows tells whether the names of rows can stand beside their numbers in the format.
func (f Format) NamesRows() bool {
	d := f.driver()
	return d != nil && d.named
}

// TableEndings are the endings of names of files that [WriteTableFile] writes.
func TableEndings() []string {
	var endings []string
	for _, d := range drivers() {
		if d.tables() {
			endings = append(endings, d.endings...)
		}
	}
	return endings
}

// UsualEndings are the usual endings of names of files that [Write] writes, one for each format;
// of tables those that [WriteTableFile] writes.
func UsualEndings(tables bool) []string {
	return usualEndings(func(d *driver) bool { return d.write != nil && !tables || d.tables() })
}

// tables tells whether tables of results are written in the format.
func (d *driver) tables() bool { return d.table != nil || d.parts != nil && !d.numeric }

func listFormats() string {
	var names []string
	for _, d := range drivers() {
		names = append(names, string(d.name))
	}
	return strings.Join(names, ", ")
}

// usualEndings are the first endings of the formats that a choice is among.
func usualEndings(among func(*driver) bool) []string {
	var endings []string
	for _, d := range drivers() {
		if len(d.endings) > 0 && among(d) {
			endings = append(endings, d.endings[0])
		}
	}
	return endings
}

// begins tells whether the first bytes, unpacked, are those of the format.
func (d *driver) begins(head []byte) bool {
	return slices.ContainsFunc(d.magic, func(m string) bool { return bytes.HasPrefix(head, []byte(m)) }) || d.is != nil && d.is(head)
}

// detect tells the format by the first bytes, unpacked; text that nothing else knows is CSV.
func detect(f *content) (*driver, error) {
	if len(f.head) == 0 {
		return nil, problem(f.name, "the file is empty")
	}
	for _, d := range drivers() {
		if d.begins(f.head) {
			return d, nil
		}
	}
	if what := foreign(f.head); what != "" {
		return nil, notRead(f.name, what)
	}
	text := firstLines(f.head, f.whole)
	for _, d := range drivers() {
		if d.lines != nil && d.lines(text) {
			return d, nil
		}
	}
	return &csvDriver, nil
}

// FormatOf is the format that the ending of a name tells Write; "" when it tells none.
func FormatOf(path string) Format {
	d, _, err := writerOf(path, "")
	if err != nil {
		return ""
	}
	return d.name
}

// writerOf tells the format by the name, and whether it is compressed.
func writerOf(path string, forced Format) (d *driver, packed bool, err error) {
	name := strings.ToLower(filepath.Base(path))
	name, packed = strings.CutSuffix(name, ".gz")
	switch {
	case forced != "":
		if d = forced.driver(); d == nil {
			return nil, false, problem(path, "format %q is not known; the formats are %s", forced, listFormats())
		}
	case path == "-":
		d = &csvDriver
	default:
		if d = named(name, path); d == nil {
			return nil, false, problem(path, "the ending %q tells no format", filepath.Ext(name)).
				WithHint("endings are %s; a name without one is a folder of images", strings.Join(UsualEndings(false), " "))
		}
	}
	if packed && d.unpackable {
		return nil, false, problem(path, "%s files are not written with .gz", d.name)
	}
	return d, packed, nil
}

// named is the format that a base name in lower case tells; nil when it tells none.
func named(name, path string) *driver {
	ext := filepath.Ext(name)
	for _, d := range drivers() {
		if d.called != nil && d.called(name) {
			return d
		}
	}
	for _, d := range drivers() {
		if slices.Contains(d.endings, ext) || d.writeFolder != nil && (ext == "" || strings.HasSuffix(path, string(filepath.Separator))) {
			return d
		}
	}
	return nil
}

// Detect tells the format of a file by its first bytes, unpacked; whole says that they are all of it.
// Text that nothing else knows is [CSV]. What cannot be read is an error that names it.
func Detect(name string, head []byte, whole bool) (Format, error) {
	d, err := detect(&content{name: name, head: head, whole: whole})
	if err != nil {
		return "", err
	}
	return d.name, nil
}
