package file

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/dataset"
)

// Codec is a file format of a program's own: columns of numbers, read row by row. [Register] makes
// it one of the formats: told by its first bytes or its ending, read, described, converted and
// written like the others, compressed or not.
type Codec struct {
	Name    Format   // for Options.Format and lists
	Endings []string // of the names of its files, with the point; the first is the usual one
	Magic   []string // the first bytes of a file, any of these; none: it is read when it is asked for by name

	// Read starts reading a file at its beginning and returns the names of the columns and the
	// rows, which are asked for once or not at all. A row may be used again after its yield; NaN
	// is a missing number. An error is taken for a mistake in the file and told with the file's
	// name and the row; a [*dataset.InputError] may say more. A file is read several times.
	Read func(in io.Reader) (columns []string, rows iter.Seq2[[]float64, error], err error)
	// Write writes columns of equal length, the target last; those of results may hold texts,
	// whole numbers and flags as well (see [Column]). Nil: the format is only read.
	Write func(out io.Writer, columns []Column) error
}

// Register makes a format of the program's own known to everything that reads or writes files. It
// refuses names, endings and first bytes that another format has.
func Register(f Codec) error {
	d := f.driver()
	for {
		before := known.Load()
		if err := f.check(*before); err != nil {
			return err
		}
		if after := append(slices.Clone(*before), d); known.CompareAndSwap(before, &after) {
			return nil
		}
	}
}

func (f Codec) check(others []*driver) error {
	if f.Name == "" || f.Read == nil {
		return problem("", "a format needs a name and Read")
	}
	for _, e := range f.Endings {
		if len(e) < 2 || e[0] != '.' || e != strings.ToLower(e) || strings.Contains(e[1:], ".") || e == ".gz" {
			return problem("", "format %s: ending %q must be a point and small letters", f.Name, e)
		}
	}
	for _, m := range f.Magic {
		if m == "" || isPacked([]byte(m)) {
			return problem("", "format %s: first bytes %q tell nothing", f.Name, m)
		}
	}
	for _, d := range others {
		if d.name == f.Name {
			return problem("", "format %s is there already", f.Name)
		}
		for _, e := range f.Endings {
			if slices.Contains(d.endings, e) {
				return problem("", "format %s: names of %s files end with %s", f.Name, d.name, e)
			}
		}
		for _, m := range f.Magic {
			if d.begins([]byte(m)) || slices.ContainsFunc(d.magic, func(o string) bool { return strings.HasPrefix(o, m) }) {
				return problem("", "format %s: %s files begin with %q", f.Name, d.name, m)
			}
		}
	}
	return nil
}

// driver is what is known of the format.
func (f Codec) driver() *driver {
	d := &driver{
		name: f.Name, endings: slices.Clone(f.Endings), magic: slices.Clone(f.Magic), named: true,
		open: func(c *content, opts *Options) (table, error) { return f.open(c, opts) },
	}
	if f.Write != nil {
		d.write = func(w io.Writer, _ string, s *dataset.Set) error { return f.Write(w, setColumns(s)) }
		d.table = f.Write
	}
	return d
}

// codecTable is a file in a format of the program's own.
type codecTable struct {
	file *content
	read func(in io.Reader) ([]string, iter.Seq2[[]float64, error], error)
	cols []field
}

// open reads the names of the columns.
func (f Codec) open(c *content, opts *Options) (*codecTable, error) {
	t := &codecTable{file: c, read: f.Read}
	return t, t.begin(func(names []string, _ iter.Seq2[[]float64, error]) error {
		if len(names) == 0 {
			return problem(c.name, "the file has no columns")
		}
		if err := opts.checkColumns(c.name, len(names), c.size); err != nil {
			return err
		}
		seen := map[string]bool{}
		for _, name := range names {
			if name == "" || seen[name] {
				return problem(c.name, "a column is named %q, which is empty or the name of another", name)
			}
			if err := checkName(c.name, name, "column"); err != nil {
				return err
			}
			seen[name] = true
			t.cols = append(t.cols, field{name: name, kind: dataset.Number})
		}
		return nil
	})
}

// begin reads the file from its beginning.
func (t *codecTable) begin(use func(names []string, rows iter.Seq2[[]float64, error]) error) error {
	in, err := t.file.unpacked()
	if err != nil {
		return err
	}
	defer in.Close()
	return caught(func() error { // what is read is not ours, and a file must not end the program
		names, rows, err := t.read(in)
		if err != nil {
			return t.refused(0, err)
		}
		return use(names, rows)
	})
}

// each visits the rows, counted from 0.
func (t *codecTable) each(visit func(i int, row []float64) error) error {
	return t.begin(func(names []string, rows iter.Seq2[[]float64, error]) error {
		if !slices.Equal(names, fieldNames(t.cols)) {
			return problem(t.file.name, "the file changed while it was read")
		}
		if rows == nil {
			return nil
		}
		i := 0
		for row, err := range rows {
			if err == nil && len(row) != len(t.cols) {
				err = fmt.Errorf("it has %d numbers where %d are expected", len(row), len(t.cols))
			}
			if err != nil {
				return t.refused(i+1, err)
			}
			if err := visit(i, row); err != nil {
				return err
			}
			i++
		}
		return nil
	})
}

// refused is a mistake in the file that its reader found, in words that name the file.
func (t *codecTable) refused(row int, err error) error {
	var input *dataset.InputError
	var system *fs.PathError
	switch {
	case errors.As(err, &input):
		if input.File != "" {
			return err
		}
		told := *input
		told.File = t.file.name
		return &told
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.As(err, &system):
		return err
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return &dataset.InputError{File: t.file.name, Row: row, Problem: "the file is cut off", Err: err}
	}
	return &dataset.InputError{File: t.file.name, Row: row, Problem: err.Error(), Err: err}
}

func (t *codecTable) fields() []field   { return t.cols }
func (t *codecTable) named() bool       { return true }
func (t *codecTable) label() *field     { return nil }
func (t *codecTable) shape() []int      { return nil }
func (t *codecTable) rows() (int, bool) { return -1, false }
func (t *codecTable) close() error      { return t.file.close() }

func (t *codecTable) bound(ctx context.Context) (n int, err error) {
	err = t.each(func(i int, _ []float64) error {
		n = i + 1
		if i%blockRows == 0 {
			return ctx.Err()
		}
		return nil
	})
	return n, err
}

func (t *codecTable) scan(_ context.Context, job *job, visit func(*chunk) error) error {
	c, k := &chunk{}, len(job.features)
	flush := func() error {
		if c.rows == 0 {
			return nil
		}
		next := c.first + c.rows
		err := visit(c)
		*c = chunk{first: next, x: c.x[:0], y: c.y[:0]}
		return err
	}
	err := t.each(func(_ int, row []float64) error {
		from := len(c.x)
		c.x = slices.Grow(c.x, k)[:from+k]
		job.narrow(c.x[from:], row, len(row))
		if job.target >= 0 {
			c.y = append(c.y, row[job.target])
		}
		if c.rows++; c.rows < blockRows {
			return nil
		}
		return flush()
	})
	if err != nil {
		return err
	}
	return flush()
}
