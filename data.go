package inlier

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/model"
)

// Data is a request to read a table: from a file, from a stream, or rows that a program
// already holds. The zero value of every option means: find out, or the usual.
type Data struct {
	// Path is a file, a folder or list of images; "-" is the Reader, or standard input. A pattern such as 2024-*.csv
	// stands for the files that it matches; s3://bucket/key is an object of a store (see file.OpenFile).
	Path string `json:"path,omitempty"`
	// Paths are several of these, after Path where both are given: their rows follow each other in this order and are
	// numbered through. The files have the same columns.
	Paths []string `json:"paths,omitempty"`
	// FS is where the path leads; nil: the machine's own files.
	FS fs.FS `json:"-"`
	// Reader is read instead of a file; Path is only its name then. Its content tells the
	// format.
	Reader io.Reader `json:"-"`
	// Set is a table in memory; nothing is read then. Of the options below only Target and Task
	// are used, and only where the set has no target of its own.
	Set *dataset.Set `json:"-"`
	// Source is read into memory instead of a file, such as rows that a program hands over
	// (dataset.FromRows, dataset.FromSeq). Of the options below only Target and Task are used.
	Source dataset.Source `json:"-"`

	Target       string   `json:"target,omitempty"`        // column to learn or set apart, by name or number from 1
	Task         string   `json:"task,omitempty"`          // what the target is: class or regression; empty: told by its values
	Labels       string   `json:"labels,omitempty"`        // file with the labels of IDX or NPY images
	ID           string   `json:"id,omitempty"`            // column that names the rows; it is not learned from
	Columns      []string `json:"columns,omitempty"`       // columns to use, by name or number from 1
	Drop         []string `json:"drop,omitempty"`          // columns to leave out
	Categorical  string   `json:"categorical,omitempty"`   // how text columns become numbers: ordinal or onehot; empty refuses them
	Text         []string `json:"text,omitempty"`          // columns that hold categories although they look like numbers
	Shape        string   `json:"shape,omitempty"`         // shape of a row that is an image or tensor: 64x64, 64x64x3
	Resize       string   `json:"resize,omitempty"`        // scale every image to this width x height
	Gray         bool     `json:"gray,omitempty"`          // turn colour images into grey ones
	AllowOutside bool     `json:"allow_outside,omitempty"` // let a list of images name files outside its folder
	Trust        bool     `json:"trust,omitempty"`         // lift the limits on what a small or compressed file may grow to
	Format       string   `json:"format,omitempty"`        // where the content misleads
	Header       string   `json:"header,omitempty"`        // whether a text file starts with column names: yes or no
	Delimiter    string   `json:"delimiter,omitempty"`     // what separates the fields of a text file: a character, tab or space
	DecimalComma bool     `json:"decimal_comma,omitempty"` // read 3,14 as a number
	Constant     string   `json:"constant,omitempty"`      // named columns that never change: refuse (the default of fits) or keep
	Limit        int      `json:"limit,omitempty"`         // read at most so many rows
	Memory       int64    `json:"memory,omitempty"`        // bytes within which a fit learns, reading a larger table in blocks; 0: what the machine has free
	Precision    string   `json:"precision,omitempty"`     // single: a fit holds the table rounded to seven digits, in half the memory; empty or double: as it is

	// Tolerant reads the file as [Check] does: any writing of numbers and dates, workbooks, JSON. Columns that cannot be
	// used are left out, and OnColumns is told what each was taken for.
	Tolerant  bool                                                  `json:"tolerant,omitempty"`
	As        map[string]string                                     `json:"as,omitempty"`       // what columns are, where it should not be found out: number, date, dmy, mdy, ymd, boolean, category, id, text, ignored
	Sheet     string                                                `json:"sheet,omitempty"`    // of a workbook, by its name or number from 1
	Decimal   string                                                `json:"decimal,omitempty"`  // mark before decimals: comma or point; empty: found out for every column
	Encoding  string                                                `json:"encoding,omitempty"` // utf-8, utf-16le, utf-16be or windows-1252; empty: found out
	OnColumns func(columns []ReadColumn, remarks []tolerant.Remark) `json:"-"`

	// OnFiles is told the files that a list of images names, before they are read.
	OnFiles func(files []string) `json:"-"`

	coder   *dataset.Coder   // of the model that the data are for
	written []model.Written  // likewise
	wrote   *[]model.Written // is told how a table was written that is read tolerantly; nil: nobody asks
	rest    *[]int           // is told the rows, from 0, of a table that is read tolerantly and loses some; nil: nobody asks
	ifThere bool             // the target is the model's: rows of a program may lack it
	without int              // columns of a file without the target, which it may lack; 0: it may not

	bound int64 // on memory of an interrupted fit, where none is given; 0: none
	rows  int   // that it has counted

	columnsOfModel bool // the columns are the model's, not the user's choice
}

// needs are what a job asks of the data beside the user's wishes.
type needs struct {
	Missing bool // missing values are welcome
	Words   bool // words that the model has not learned are welcome
	Text    bool // text columns are welcome, as codes
	Rows    int  // this many rows are enough; 0: all
	Varied  bool // every named column of a table must change
	Bare    bool // rows without their target are welcome
	Dates   bool // dates stay dates: where text is welcome as text, otherwise as days that are written as dates

	Beside bool  // rows and targets can be learned in blocks
	Kept   int64 // bytes that a fit in memory keeps of each row, and one in blocks does not
	PerRow int64 // bytes that are held of each row beside its numbers
	Blocks bool  // data that do not fit into memory may stay where they are, to be read in blocks

	// Method is what the data are read for, where its parameters can help with them.
	Method *catalog.Method
}

// Read reads the table that a request names.
func (d Data) Read(ctx context.Context, o Observer) (*dataset.Set, error) {
	return d.read(ctx, needs{}, newReporter("read", o))
}

func (d Data) read(ctx context.Context, n needs, r *reporter) (*dataset.Set, error) {
	set, _, err := d.table(ctx, n, r)
	return set, err
}

// table reads the data into memory, or opens them where they do not fit and the job can do with blocks.
func (d Data) table(ctx context.Context, n needs, r *reporter) (*dataset.Set, *blockwise, error) {
	if d.Constant != "" && d.Constant != "refuse" && d.Constant != "keep" {
		return nil, nil, usage("--constant is refuse or keep", "--constant %s is not known", d.Constant)
	}
	if d.Memory < 0 {
		return nil, nil, usage("it is a number of bytes; 0: what the machine has free", "--memory %d is not allowed", d.Memory)
	}
	if err := d.checkPrecision(n); err != nil {
		return nil, nil, err
	}
	r.phase("read")
	set := d.Set
	var parts *blockwise
	var err error
	if set != nil {
		if set, err = d.given(set); err != nil {
			return nil, nil, err
		}
	} else {
		if d.Source != nil {
			set, err = d.gather(ctx)
		} else {
			set, parts, err = d.load(ctx, n, r)
		}
		if err != nil {
			return nil, nil, d.hintTolerant(ctx, hintMissing(err, n.Method))
		}
	}
	if parts != nil {
		return nil, parts, d.begin(ctx, parts, n, r)
	}
	r.send(Event{Phase: "read", Done: 1, Total: 1, Rows: set.Rows(), Columns: set.Dim()})
	if n.Varied && d.Constant != "keep" && !set.Unnamed && set.Shape == nil && set.Rows() > 1 {
		if j := constantColumn(set); j >= 0 {
			return nil, nil, unvaried(set.Name, set.Columns[j], set.X.At(0, j))
		}
	}
	return set, nil, nil
}

// gather reads the rows of a program.
func (d Data) gather(ctx context.Context) (*dataset.Set, error) {
	set, err := dataset.Read(ctx, d.Source)
	if err == nil {
		set, err = whole(set)
	}
	if err != nil || set.Target != nil && set.Target.Name == d.Target {
		return set, err
	}
	return d.take(set)
}

// given is a set that a program has filled.
func (d Data) given(set *dataset.Set) (*dataset.Set, error) {
	set, err := whole(set)
	if err != nil || set.Target != nil {
		return set, err
	}
	return d.take(set)
}

// whole is a set of a program, its columns named, whose parts fit together.
func whole(set *dataset.Set) (*dataset.Set, error) {
	if set.X != nil && set.Columns == nil {
		named, err := dataset.FromMatrix(set.X, nil)
		if err != nil {
			return nil, err
		}
		whole := *set
		whole.Columns, whole.Unnamed = named.Columns, true
		set = &whole
	}
	return set, set.Check()
}

// take takes the target out of the columns, where one is named.
func (d Data) take(set *dataset.Set) (*dataset.Set, error) {
	if d.Target == "" || d.Target == "none" || d.ifThere && !slices.Contains(set.Columns, d.Target) {
		return set, nil
	}
	return set.TakeTarget(d.Target, dataset.Task(d.Task))
}

// open opens the files or the stream.
func (d Data) open(ctx context.Context, n needs, files []string) (*file.Source, error) {
	o := d.options(n)
	o.More = files[1:]
	var src *file.Source
	var err error
	if d.Reader != nil && d.Path != "" && d.Path != "-" {
		src, err = file.OpenReader(ctx, d.Path, d.Reader, o)
	} else {
		src, err = file.OpenContext(ctx, files[0], o)
	}
	return src, d.unread(err)
}

// files are those that the paths and patterns name; "-" is the stream.
func (d Data) files(ctx context.Context) ([]string, error) {
	var first []string
	if d.Path != "" || len(d.Paths) == 0 {
		if d.Reader != nil {
			first = []string{d.path()}
		} else if found, err := file.Expand(ctx, d.FS, d.Path); err != nil {
			return nil, d.unread(err)
		} else {
			first = found
		}
	}
	more, err := file.Expand(ctx, d.FS, d.Paths...)
	return append(first, more...), d.unread(err)
}

// unread says of a file that cannot be opened as a whole which field names it, or the format that it is not in.
func (d Data) unread(err error) error {
	var input *dataset.InputError
	if !errors.As(err, &input) || input.Option != "" && input.Option != "path" || input.Line > 0 || input.Row > 0 || input.Column != "" {
		return err
	}
	system := errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission)
	switch {
	case input.Option == "" && !system && parameterOf(input.Hint) != "": // a way to read it
	case d.Format != "" && input.Option == "" && !system:
		input.Option = "format"
	case slices.Contains(d.Paths, input.File) && input.File != d.Path || d.Path == "" && len(d.Paths) > 0:
		input.Option = "paths"
	default:
		input.Option = "path"
	}
	return err
}

// path is where the reader of files looks.
func (d Data) path() string {
	if d.Reader != nil {
		return "-"
	}
	return d.Path
}

// options put the user's wishes and the job's needs together.
func (d Data) options(n needs) file.Options {
	o := file.Options{
		FS: d.FS, Input: d.Reader, Format: file.Format(d.Format), Target: d.Target, TargetBeyond: d.without, Task: dataset.Task(d.Task), LabelsFile: d.Labels,
		Columns: d.Columns, ByName: d.columnsOfModel, TargetByName: d.ifThere, Drop: d.Drop, Text: d.Text, Categorical: file.Categorical(d.Categorical), Coder: d.coder,
		Shape: d.Shape, Resize: d.Resize, Gray: d.Gray, AllowOutside: d.AllowOutside,
		Header: file.Header(d.Header), Delimiter: d.Delimiter, DecimalComma: d.DecimalComma, Limit: d.Limit,
	}
	if d.Trust {
		o.MaxColumns, o.MaxCells, o.MaxBytes = math.MaxInt32, math.MaxInt32<<8, math.MaxInt64>>8
	}
	if n.Missing {
		o.Missing = file.MissingKeep
	}
	o.Bare, o.NewWords = n.Bare, n.Words
	if n.Text && o.Categorical == "" {
		o.Categorical = file.Codes
	}
	if !d.columnsOfModel { // which may have learned from what names the rows
		o.ID = d.ID
	}
	if n.Rows > 0 && (o.Limit == 0 || n.Rows < o.Limit) {
		o.Limit = n.Rows
	}
	return o
}

// grouped reads a table and, where a column of groups is named, the group of each row.
// That column is not learned from.
func (d Data) grouped(ctx context.Context, group string, r *reporter) (*dataset.Set, []int, error) {
	if group == "" {
		set, err := d.read(ctx, needs{Varied: true}, r)
		return set, nil, err
	}
	if d.Set != nil || d.Source != nil || d.path() == "-" || slices.Contains(d.Paths, "-") {
		return nil, nil, usage("write the data to a file first", "--group reads the data twice, which standard input does not allow")
	}
	g := d
	g.ID, g.Task, g.Categorical = "", "", string(file.Ordinal)
	g.Target, g.Columns, g.Drop, g.Text = "none", []string{group}, nil, []string{group}
	labels, err := g.read(ctx, needs{}, r)
	if e, ok := AsError(err); ok && e.Parameter == "columns" {
		err = about("group", err)
	}
	if err != nil {
		return nil, nil, err
	}
	groups := make([]int, labels.Rows())
	for i := range groups {
		groups[i] = int(labels.X.At(i, 0))
	}
	d.Drop = append(append([]string(nil), d.Drop...), group)
	var rest []int
	d.rest = &rest
	set, err := d.read(ctx, needs{Varied: true}, r)
	for k, row := range rest { // some lack a number of another column
		groups[k] = groups[row]
	}
	if rest != nil {
		groups = groups[:len(rest)]
	}
	if err == nil && set.Rows() != len(groups) {
		err = fmt.Errorf("%s changed while it was read", set.Name)
	}
	return set, groups, err
}
