package file

import (
	"context"
	"io"
	"io/fs"
	"strings"

	"github.com/inlier-ml/inlier/dataset"
)

// Options say how to read a file. The zero value reads every column as a number.
type Options struct {
	// More are further files, whose rows follow those of the first in this order; see [Expand] for patterns. They
	// have the same columns, matched by name where files name them.
	More []string

	// Format forces a format; empty: told by the content.
	Format Format

	// Target names the column to learn, or gives its number from 1. For images in
	// class folders, LIBSVM and archives with an array y the labels are the target
	// without being asked for; "label" asks for them by name, and for IDX images also
	// finds the labels file beside them. "none" means no target in any case.
	Target string
	// TargetBeyond, where it is above 0, says that the target is there only in files with more
	// columns than that, such as rows with their labels among rows without.
	TargetBeyond int
	// LabelsFile is the file with the labels of IDX or NPY images.
	LabelsFile string
	// Task says what the target is for. TaskAuto: numbers are values, and also
	// classes when there are few different whole ones; texts are classes.
	Task dataset.Task

	// Columns are the columns to use, in that order, by name or number from 1; nil:
	// all but the target. A file without column names is matched by position when it
	// has exactly as many columns.
	Columns []string
	// ByName says that Columns are names and never numbers, such as those of a model: a first line of
	// a text file that holds them all is its header, whatever it looks like.
	ByName bool
	// TargetByName says likewise that Target is a name.
	TargetByName bool
	// ID is the column that names the rows, by name or number from 1: not learned from, and not
	// the target. [Source.Texts] reads it.
	ID string
	// Drop are columns to leave out, by name or number, also of those that Columns names.
	Drop []string
	// Times are columns of days or times that become seconds since 1970 in UTC (Parquet), by name.
	Times []string
	// Long makes texts of columns of whole numbers with more digits than a number keeps (Parquet), as ID does of the one it names.
	Long bool
	// Text are columns that hold categories although they look like numbers.
	Text []string

	// Categorical says what to do with text columns: empty refuses them. A column whose
	// texts look like numbers, or (one-hot) of more than 50 different ones, is refused
	// unless Text names it.
	Categorical Categorical
	// Coder applies the coding that an earlier table taught, instead of learning one.
	Coder *dataset.Coder
	// NewWords admits categories that the Coder does not know: missing numbers that tell the word (dataset.NewWords).
	NewWords bool
	// Missing says what to do with missing values: empty or MissingError refuses them.
	Missing Missing
	// Bare keeps rows whose target is missing: its number is NaN, its label -1.
	Bare bool

	// Shape is the shape of a sample, such as "64x64" (rows x columns) or "64x64x3".
	Shape string
	// Resize scales every image to this width x height, such as "64x48".
	Resize string
	// Gray turns colour images into grey ones.
	Gray bool

	// AllowOutside lets a list of images name files outside its own folder. Without it
	// absolute paths and those that lead out by .. are refused.
	AllowOutside bool

	// Header tells whether a text file starts with column names; empty: found out.
	Header Header
	// Delimiter separates the fields of a text file: one character, or "tab", "space"
	// (any run of blanks); empty: found out.
	Delimiter string
	// DecimalComma reads 3,14 as a number. The delimiter must be another character.
	DecimalComma bool

	// FS is where the path leads, and what is read beside it (labels, listed images); nil: the
	// machine's own files. Paths in it are separated by slashes.
	FS fs.FS
	// Input is read for the path "-"; nil: standard input.
	Input io.Reader
	// Limit is the largest number of rows to read; 0: all.
	Limit int
	// MaxColumns bounds the columns of a file; 0: 2^20.
	MaxColumns int
	// MaxCells bounds rows x columns of a set in memory; 0: 2^31 (16 GiB), and not more
	// than 2^23 or 64 for each byte of the file (128 for images), whichever is larger,
	// because compressed and sparse files can claim what they do not hold.
	MaxCells int
	// MaxBytes bounds the unpacked size of a compressed file; 0: the larger of 32 MiB
	// and 100 times the packed size.
	MaxBytes int64

	ctx context.Context // ends the reading of objects; nil: nothing does
}

// Categorical says how text columns become numbers.
type Categorical string

// The codings of text columns.
const (
	NotCategorical Categorical = ""
	Ordinal        Categorical = "ordinal" // 0, 1, 2 ... in the order of the sorted categories
	OneHot         Categorical = "onehot"  // one 0/1 column for each category
	Codes          Categorical = "codes"   // ordinal for display only: whatever the texts are, nothing is asked
)

// Missing says what to do with missing values.
type Missing string

// What to do with missing values.
const (
	MissingError Missing = "error"
	MissingKeep  Missing = "keep" // as NaN
)

// Header says whether a text file starts with column names.
type Header string

// Whether there is a header.
const (
	HeaderAuto Header = ""
	HeaderYes  Header = "yes"
	HeaderNo   Header = "no"
)

// check refuses options whose text means nothing.
func (o *Options) check() error {
	one := func(name, value string, allowed ...string) error {
		for _, a := range allowed {
			if value == a {
				return nil
			}
		}
		return dataset.In(name, problem("", "%s is %q; it can be %s", name, value, strings.Join(allowed[1:3], " or ")))
	}
	for _, err := range []error{
		one("task", string(o.Task), "", "class", "regression"),
		one("categorical", string(o.Categorical), "", "ordinal", "onehot", "codes"),
		one("missing", string(o.Missing), "", "error", "keep"),
		one("header", string(o.Header), "", "yes", "no"),
	} {
		if err != nil {
			return err
		}
	}
	if o.Format != "" && o.Format.driver() == nil {
		return dataset.In("format", problem("", "format %q is not known; the formats are %s", o.Format, listFormats()))
	}
	if o.Limit < 0 {
		return dataset.In("limit", problem("", "limit is %d; it is a number of rows", o.Limit))
	}
	if o.MaxColumns < 0 || o.MaxCells < 0 || o.MaxBytes < 0 {
		return problem("", "limits cannot be negative")
	}
	if _, err := o.delimiter(); err != nil {
		return err
	}
	if _, err := dataset.ParseShape(o.Shape); err != nil {
		return dataset.In("shape", err)
	}
	if size, err := dataset.ParseShape(o.Resize); err != nil || o.Resize != "" && len(size) != 2 {
		return dataset.In("resize", problem("", "resize is %q; it is width x height, such as 64x48", o.Resize))
	}
	return o.Coder.Check()
}

// delimiter returns the forced delimiter, or 0; ' ' stands for runs of blanks.
func (o *Options) delimiter() (byte, error) {
	switch o.Delimiter {
	case "":
		return 0, nil
	case "tab", `\t`:
		return '\t', nil
	case "space":
		return ' ', nil
	case "comma":
		return ',', nil
	case "semicolon":
		return ';', nil
	}
	d := o.Delimiter[0]
	if len(o.Delimiter) != 1 || d == '"' || d == '\n' || d == '\r' || d == '.' || d >= 0x80 || d >= '0' && d <= '9' {
		return 0, dataset.In("delimiter", problem("", "delimiter is %q; it can be one character, or tab, space, comma, semicolon", o.Delimiter))
	}
	if o.DecimalComma && d == ',' {
		return 0, dataset.In("delimiter", problem("", "the comma cannot be the delimiter and the decimal mark at once"))
	}
	return d, nil
}
