package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/model"
)

const aboutData = `DATA is a CSV or TSV file (also .gz), Parquet, NPY, NPZ, IDX (also .gz), LIBSVM, or a folder or list of images;
"-" is standard input. The format is told by the content. Text columns need --categorical.`

const aboutMatching = `The columns of DATA are matched to the model's by name; others are left out. ` + aboutData

// dataFlags say how a file is to be read.
type dataFlags struct {
	options dataset.Options
	format  string
	task    string
	coding  string
	header  string
	id      string // column with the names of the rows
	trust   bool   // no limits on size
	still   string // what to do with columns that never change
}

// register adds the flags to a command.
func (d *dataFlags) register(c *cobra.Command) {
	f := c.Flags()
	o := &d.options
	f.StringVar(&o.Target, "target", "", "column to learn or set apart, by name or number from 1")
	f.StringVar(&d.task, "task", "", "what the target is: class or regression (default: told by its values)")
	f.StringVar(&o.LabelsFile, "labels", "", "file with the labels of IDX or NPY images")
	f.StringVar(&d.id, "id", "", "column that names the rows, by name or number from 1: not learned from, carried to every output with one line per row")
	f.StringSliceVar(&o.Columns, "columns", nil, "columns to use, by name or number from 1, separated by commas")
	f.StringSliceVar(&o.Drop, "drop", nil, "columns to leave out")
	f.StringVar(&d.coding, "categorical", "", "how text columns become numbers: ordinal or onehot (default: refuse them)")
	f.StringSliceVar(&o.Text, "text", nil, "columns that hold categories although they look like numbers, or have more than 50 of them")
	f.StringVar(&o.Shape, "shape", "", "shape of a row that is an image or tensor, such as 64x64 or 64x64x3")
	f.StringVar(&o.Resize, "resize", "", "scale every image to this width x height, such as 64x48")
	f.BoolVar(&o.Gray, "gray", false, "turn colour images into grey ones")
	f.BoolVar(&o.AllowOutside, "allow-outside", false, "let a list of images name files outside its folder")
	f.BoolVar(&d.trust, "trust", false, "lift the limits on what a small or compressed file may grow to in memory")
	f.StringVar(&d.format, "format", "", "format of DATA, where its content misleads")
	f.StringVar(&d.header, "header", "", "whether a text file starts with column names: yes or no (default: found out)")
	f.StringVar(&o.Delimiter, "delimiter", "", "what separates the fields of a text file: a character, tab or space (default: found out)")
	f.BoolVar(&o.DecimalComma, "decimal-comma", false, "read 3,14 as a number")
	f.StringVar(&d.still, "constant", "refuse", "named columns that never change: refuse or keep them (images and unnamed columns are always kept)")
	f.IntVar(&o.Limit, "limit", 0, "read at most so many rows")
	for name, words := range map[string][]string{
		"task": {"class", "regression"}, "categorical": {"ordinal", "onehot"}, "header": {"yes", "no"}, "constant": {"refuse", "keep"},
		"format": formatNames(), "delimiter": {"tab", "space", "comma", "semicolon"},
	} {
		_ = c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	}
}

func formatNames() []string {
	var names []string
	for _, f := range dataset.Formats() {
		names = append(names, string(f))
	}
	return names
}

// wanted is what a command needs of the data beside the user's flags.
type wanted struct {
	missing bool // missing values are welcome
	text    bool // text columns are welcome, as codes
	rows    int  // this many rows are enough; 0: all
	varied  bool // every named column of a table must change
}

// options put the user's flags and the command's needs together.
func (a *app) options(d dataFlags, w wanted) dataset.Options {
	o := d.options
	o.Input, o.Format, o.Task = a.in, dataset.Format(d.format), dataset.Task(d.task)
	o.Categorical, o.Header = dataset.Categorical(d.coding), dataset.Header(d.header)
	if d.trust {
		o.MaxColumns, o.MaxCells, o.MaxBytes = math.MaxInt32, math.MaxInt32<<8, math.MaxInt64>>8
	}
	if w.missing {
		o.Missing = dataset.MissingKeep
	}
	if w.text && o.Categorical == "" {
		o.Categorical = dataset.Codes
	}
	if w.rows > 0 && (o.Limit == 0 || w.rows < o.Limit) {
		o.Limit = w.rows
	}
	return o
}

// load reads a table.
func (a *app) load(ctx context.Context, path string, d dataFlags, w wanted) (*dataset.Set, error) {
	debug.SetGCPercent(gcReading)
	if d.still != "refuse" && d.still != "keep" {
		return nil, usage("--constant is refuse or keep", "--constant %s is not known", d.still)
	}
	if err := a.standardInput(path); err != nil {
		return nil, err
	}
	if d.id != "" {
		if d.id == d.options.Target {
			return nil, usage("name another column", "--id and --target both name %q", d.id)
		}
		if d.options.Columns == nil {
			d.options.Drop = append(d.options.Drop[:len(d.options.Drop):len(d.options.Drop)], d.id)
		}
	}
	src, err := dataset.OpenContext(ctx, path, a.options(d, w))
	if err != nil {
		return nil, err
	}
	defer src.Close()
	ids := src.Files()
	if info, err := os.Stat(path); ids != nil && err == nil && !info.IsDir() {
		a.reads(ids...) // those of a list may stand anywhere
	}
	if d.id != "" {
		if ids, err = src.Texts(ctx, d.id); err != nil {
			return nil, err
		}
	}
	if n, columns := src.Dims(); n > 0 {
		tightenMemory(n, columns)
	}
	set, err := src.Read(ctx)
	if err != nil {
		return nil, err
	}
	if ids != nil && len(ids) != set.Rows() {
		return nil, fmt.Errorf("%s changed while it was read", path)
	}
	set.IDs = ids
	tightenMemory(set.Rows(), set.Dim())
	if w.varied && d.still == "refuse" && !set.Unnamed && set.Shape == nil && set.Rows() > 1 {
		if j := constantColumn(set); j >= 0 {
			name := set.Columns[j]
			return nil, usage(fmt.Sprintf("it tells nothing, and often means a broken sensor or export: leave it out with --drop %s, or use --constant keep", name),
				"%s: column %q is %g in every row", set.Name, name, set.X.At(0, j))
		}
	}
	return set, nil
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

// constantColumn is the first column that never changes, or -1.
func constantColumn(set *dataset.Set) int {
	n, d := set.X.Dims()
	first := set.X.RawRowView(0)
	for j := 0; j < d; j++ {
		i := 1
		for i < n && set.X.At(i, j) == first[j] {
			i++
		}
		if i == n {
			return j
		}
	}
	return -1
}

const (
	// gcReading is the garbage, in percent of the data, that may pile up while a table of
	// unknown size is read.
	gcReading = 10
	// gcRoom and gcShare bound what may pile up afterwards: so many bytes, and so small a
	// part of the data, but never less than leastRoom.
	gcRoom    = 24 << 20
	gcShare   = 32
	leastRoom = 4 << 20
	// gcLarge is the size of data from which freed memory goes back to the system.
	gcLarge = 64 << 20
)

// tightenMemory keeps the peak of what follows near the size of the data. A table of
// numbers holds no pointers, so collecting often costs next to nothing beside it.
func tightenMemory(rows, columns int) {
	bytes := 8 * rows * columns
	room := max(leastRoom, min(gcRoom, bytes/gcShare))
	debug.SetGCPercent(min(100, max(2, 100*room/max(1, bytes))))
	if bytes > gcLarge {
		// Near this limit freed memory goes back to the system at once instead of lying
		// around for later use.
		debug.SetMemoryLimit(int64(bytes)*9/8 + int64(room))
	}
}

// opened is a model and the file it came from.
type opened struct {
	model catalog.Model
	about catalog.Description
	input model.Input
}

// loadModel reads a model; "-" is standard input.
func (a *app) loadModel(path string) (*opened, error) {
	c, err := a.readModel(path)
	if err != nil {
		return nil, err
	}
	m, err := c.Model()
	if err != nil {
		return nil, err
	}
	return &opened{model: m, about: m.Describe(), input: c.Meta.Input}, nil
}

// loadFor reads a table for a model: its columns, coded as its training rows were. With
// the target when the model has learned one and truth is asked for.
func (a *app) loadFor(ctx context.Context, m *opened, path string, d dataFlags, truth bool) (*dataset.Set, error) {
	about, in := m.about, m.input
	if d.options.Columns == nil && !in.Unnamed && len(about.ColumnNames) > 0 {
		d.options.Columns = in.Coder.Raw(about.ColumnNames)
	}
	if supervised := about.Task == catalog.Regress || about.Task == catalog.Classify; truth && supervised && d.options.Target == "" {
		d.options.Target = about.Target
	}
	d.options.Coder = in.Coder
	set, err := a.load(ctx, path, d, wanted{missing: about.Parameters["missing"] == "fit"})
	if err != nil {
		return nil, err
	}
	if set.Dim() != about.Columns {
		return nil, usage("--columns and --drop choose columns", "%s has %s, but the model was fitted to %d", set.Name, plural(set.Dim(), "column"), about.Columns)
	}
	return set, nil
}

// inputProblem tells whether an error is about what the user gave, and its hint.
func inputProblem(err error) (bool, string) {
	var input *dataset.InputError
	if errors.As(err, &input) {
		return true, input.Hint
	}
	return false, ""
}
