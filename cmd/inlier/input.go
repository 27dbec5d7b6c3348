package main

import (
	"cmp"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset/file"
)

const aboutData = `DATA is a CSV or TSV file (also .gz), Parquet, NPY, NPZ, IDX (also .gz), LIBSVM, or a folder or list of images;
"-" is standard input. The format is told by the content. Text columns need --categorical. With --tolerant also
workbooks (.xlsx), JSON and tables as people keep them, with currencies, dates, any encoding and delimiter.
Several files and patterns such as '2024-*.csv' are read one after the other; they have the same columns. s3://bucket/prefix/*.parquet are objects of a store (AWS_... variables).`

const aboutMatching = `The columns of DATA are matched to the model's by name; others are left out. ` + aboutData

// dataFlags say how a file is to be read.
type dataFlags struct {
	inlier.Data
	as     []string
	memory string
}

// bounded adds the bound on memory.
func bounded(c *cobra.Command, size *string) {
	keep := func(text string) error { *size = cmp.Or(text, `""`); return nil }
	c.Flags().Func("memory", "memory for the table, such as 256MiB or 2GB: one that does not fit is read in blocks (default: what is free)", keep)
}

// register adds the flags to a command.
func (d *dataFlags) register(c *cobra.Command) {
	f := c.Flags()
	o := &d.Data
	f.StringVar(&o.Target, "target", "", "column to learn or set apart, by name or number from 1")
	f.StringVar(&o.Task, "task", "", "what the target is: class or regression (default: told by its values)")
	f.StringVar(&o.Labels, "labels", "", "file with the labels of IDX or NPY images")
	f.StringVar(&o.ID, "id", "", "column that names the rows, by name or number from 1: not learned from, carried to every output with one line per row")
	f.StringSliceVar(&o.Columns, "columns", nil, "columns to use, by name or number from 1, separated by commas")
	f.StringSliceVar(&o.Drop, "drop", nil, "columns to leave out")
	f.StringVar(&o.Categorical, "categorical", "", "how text columns become numbers: ordinal or onehot (default: refuse them)")
	f.StringSliceVar(&o.Text, "text", nil, "columns that hold categories although they look like numbers, or have more than 50 of them")
	f.StringVar(&o.Shape, "shape", "", "shape of a row that is an image or tensor, such as 64x64 or 64x64x3")
	f.StringVar(&o.Resize, "resize", "", "scale every image to this width x height, such as 64x48")
	f.BoolVar(&o.Gray, "gray", false, "turn colour images into grey ones")
	f.BoolVar(&o.AllowOutside, "allow-outside", false, "let a list of images name files outside its folder")
	f.BoolVar(&o.Trust, "trust", false, "lift the limits on what a small or compressed file may grow to in memory")
	f.StringVar(&o.Format, "format", "", "format of DATA, where its content misleads")
	f.StringVar(&o.Header, "header", "", "whether a text file starts with column names: yes or no (default: found out)")
	f.StringVar(&o.Delimiter, "delimiter", "", "what separates the fields of a text file: a character, tab or space (default: found out)")
	f.BoolVar(&o.DecimalComma, "decimal-comma", false, "read 3,14 as a number")
	f.StringVar(&o.Constant, "constant", "refuse", "named columns that never change: refuse or keep them (images and unnamed columns are always kept)")
	f.IntVar(&o.Limit, "limit", 0, "read at most so many rows")
	f.BoolVar(&o.Tolerant, "tolerant", false, "read a table as people keep them, as inlier check does: any writing of numbers and dates, workbooks, JSON; says what columns were taken for")
	f.StringArrayVar(&d.as, "as", nil, "with --tolerant what a column is: COLUMN=number, date, boolean, category, id, text, ignored (left out), or dmy, mdy, ymd (dates in that order); may be repeated")
	f.StringVar(&o.Sheet, "sheet", "", "with --tolerant the sheet of a workbook, by name or number from 1 (default: the first with data)")
	f.StringVar(&o.Decimal, "decimal", "", "with --tolerant the decimal mark of numbers: comma or point (default: found out for every column)")
	f.StringVar(&o.Encoding, "encoding", "", "with --tolerant utf-8, utf-16le, utf-16be or windows-1252 (default: found out)")
	for name, words := range map[string][]string{
		"task": {"class", "regression"}, "categorical": {"ordinal", "onehot"}, "header": {"yes", "no"}, "constant": {"refuse", "keep"},
		"format": formatNames(), "delimiter": {"tab", "space", "comma", "semicolon"},
	} {
		_ = c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	}
}

func formatNames() []string {
	var names []string
	for _, f := range file.Formats() {
		names = append(names, string(f))
	}
	return names
}

// data is the request to read what a command line names.
func (a *app) data(d dataFlags, paths ...string) (inlier.Data, error) {
	request := d.Data
	if request.Path = paths[0]; len(paths) > 1 {
		request.Path, request.Paths = "", paths
	}
	var err error
	if request.Memory, err = a.bound(d.memory); err != nil {
		return request, err
	}
	request.OnFiles = func(files []string) { a.reads(files...) }
	if err := a.tolerant(&request, d.as); err != nil {
		return request, err
	}
	for _, path := range paths {
		if path == "-" {
			request.Reader = a.in
		}
		if err := a.standardInput(path); err != nil {
			return request, err
		}
	}
	return request, nil
}

// model is the request to read a model; "-" is standard input.
func (a *app) model(path string) (inlier.Model, error) {
	if path != "-" {
		return inlier.Model{Path: path}, nil
	}
	return inlier.Model{Path: path, Reader: a.in}, a.standardInput(path)
}

// modelAndData are the requests of commands that use a model.
func (a *app) modelAndData(args []string, d dataFlags) (m inlier.Model, data inlier.Data, err error) {
	if m, err = a.model(args[0]); err == nil {
		data, err = a.data(d, args[1:]...)
	}
	return m, data, err
}

// standardInput refuses to read it twice: the second reader would find nothing.
func (a *app) standardInput(path string) error {
	if path != "-" {
		return nil
	}
	if a.inUse {
		return usage("give the name of a file for one of them", "standard input can be read only once")
	}
	a.inUse = true
	return nil
}
