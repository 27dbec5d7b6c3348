// Package file reads tables and images from files into memory or block by block, and writes them:
// text of any delimiter, NumPy arrays and archives, IDX, Parquet, LIBSVM, folders of images, each
// told by its content, compressed or not.
//
// Start at [Read] for a file that fits into memory, at [Open] for one that need not, at [Inspect] to
// see what is in it, at [Write] to write.
package file

import (
	"context"
	"errors"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/given"
)

// blockRows is the number of rows in a block, the same as that of a matrix in memory,
// so that a fit gives the same result from a file and from memory.
const blockRows = 256

// Source is an opened file or folder: a table that is read in blocks of rows, as many
// times as needed, without ever being in memory as a whole. With a known number of rows
// (see Count) it serves as a linalg.Source.
type Source struct {
	name   string
	driver *driver
	packed bool
	bytes  int64
	opts   Options
	table  table
	plan   *plan
	shape  []int
	count  int    // rows, or -1
	goal   *goals // classes that stand beside the rows; nil: none do
	part   bool   // the rows are a part of the table, from first on
	first  int
	from   Mark // where reading begins; of the zero value at the beginning
}

// resolve chooses the columns and checks the shape.
func (s *Source) resolve(ctx context.Context) error {
	p, err := newPlan(s.name, s.table, &s.opts)
	if err != nil {
		return err
	}
	if !s.driver.lined { // else the reader names the line of the text itself
		for _, f := range p.job.features {
			if p.fields[f].kind == dataset.Text && !p.job.text[f] {
				return (&dataset.InputError{File: s.name, Column: p.fields[f].name, Problem: "the column holds text, not numbers"}).
					WithHint("code text columns with {categorical} ordinal or onehot, or leave the column out with {drop} %s", p.fields[f].name)
			}
		}
		if p.target != nil && p.target.kind == dataset.Text && s.opts.Task == dataset.TaskRegression {
			return &dataset.InputError{File: s.name, Column: p.target.name, Problem: "the target of a regression holds text"}
		}
	}
	if err := p.learn(ctx, s.table, &s.opts); err != nil {
		return err
	}
	s.plan = p
	if n, certain := s.table.rows(); certain || n >= 0 {
		s.count = n
		if s.opts.Limit > 0 {
			s.count = min(n, s.opts.Limit)
		}
	}
	if n, _ := s.table.rows(); n == 0 {
		return problem(s.name, "the file has no rows")
	}
	return s.chooseShape()
}

func (s *Source) chooseShape() error {
	shape, err := dataset.ParseShape(s.opts.Shape)
	if err != nil {
		return err
	}
	d := len(s.plan.columns)
	if shape != nil && dataset.Volume(shape) != d {
		return dataset.In("shape", problem(s.name, "shape %s needs %d columns, but there are %d", dataset.FormatShape(shape), dataset.Volume(shape), d).
			WithHint("the product of the lengths must be the number of columns; {target} and {drop} set columns apart"))
	}
	if shape == nil {
		if own := s.table.shape(); own != nil && s.plan.job.all {
			shape = own
		}
	}
	s.shape = shape
	return nil
}

// Close releases the file.
func (s *Source) Close() error { return s.table.close() }

// Dims returns the number of rows, -1 when it is not known before Count, and columns.
func (s *Source) Dims() (rows, columns int) {
	if s.goal != nil {
		return s.count, len(s.plan.columns) + 1
	}
	return s.count, len(s.plan.columns)
}

// Name is the file as the user named it.
func (s *Source) Name() string { return s.name }

// Shape is the shape of a sample of images or tensors; nil for tables.
func (s *Source) Shape() []int { return s.shape }

// Columns names the columns of the blocks.
func (s *Source) Columns() []string { return s.plan.columns }

// Unnamed tells that neither the file nor the options name the columns.
func (s *Source) Unnamed() bool { return !s.table.named() && s.opts.Columns == nil }

// MostNumbers is an upper bound of the numbers that the source holds, if one is known without
// reading it: a number in a text takes two bytes at least.
func (s *Source) MostNumbers() (numbers int64, known bool) {
	rows, columns := s.Dims()
	switch {
	case rows >= 0:
		return int64(rows) * int64(columns), true
	case s.opts.Limit > 0:
		return int64(s.opts.Limit) * int64(columns), true
	case s.packed || s.bytes == 0 || !s.driver.lined || !s.plan.direct:
		return 0, false
	}
	return (s.bytes/2/int64(len(s.plan.fields)) + 1) * int64(columns), true
}

// Coder is how text columns are coded; nil when there are none.
func (s *Source) Coder() *dataset.Coder { return s.plan.coder }

// Beside is the source with its target, of numbers, as one more column, the last, so that both are read in blocks; nil
// where the target is none of the columns or holds text, or columns are coded. It is open as long as the source is.
func (s *Source) Beside() *Source {
	k := s.plan.job.target
	if k < 0 || s.plan.target.kind == dataset.Text || !s.plan.direct {
		return nil
	}
	out, p, j := *s, *s.plan, *s.plan.job
	j.features, j.target = append(slices.Clip(j.features), k), -1
	p.columns, p.target = append(slices.Clip(p.columns), p.target.name), nil
	p.job = j.prepare(len(p.fields))
	out.plan, out.shape = &p, nil
	return &out
}

// errEnough stops a scan at the limit of rows.
var errEnough = errors.New("enough rows")

// chunks goes through the rows up to the limit and checks the values.
func (s *Source) chunks(ctx context.Context, job *job, check bool, visit func(*chunk) error) error {
	own := *job
	own.from = s.from
	err := s.table.scan(ctx, &own, own.asTexts(func(c *chunk) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		last := false
		if s.part {
			empty := false
			if empty, last = s.within(c, job); empty {
				return nil
			}
		}
		if limit := s.opts.Limit; limit > 0 && c.first+c.rows >= limit {
			c.rows, last = limit-c.first, true
			if c.y != nil {
				c.y = c.y[:c.rows]
			}
		}
		if check {
			if err := s.plan.check(c); err != nil {
				return err
			}
		}
		if err := visit(c); err != nil {
			return err
		}
		if last {
			return errEnough
		}
		return nil
	}))
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// Count goes through the file once if that is needed to know the number of rows.
func (s *Source) Count(ctx context.Context) (int, error) {
	ctx = given.Context(ctx)
	if s.count >= 0 {
		if _, certain := s.table.rows(); certain {
			return s.count, nil
		}
	}
	n := 0
	pass := (&job{target: -1, text: s.plan.job.text}).prepare(len(s.plan.fields))
	err := s.chunks(ctx, pass, false, func(c *chunk) error { n += c.rows; return nil })
	if err != nil {
		return 0, err
	}
	if n == 0 {
		return 0, problem(s.name, "the file has no rows")
	}
	s.count = n
	return n, nil
}

// Counted tells the number of rows, where an earlier Count of the same file is known.
func (s *Source) Counted(rows int) { s.count = rows }

// Scan calls visit for consecutive blocks of 256 rows (the last may have fewer). A
// block may be used only during the call and must not be changed.
func (s *Source) Scan(ctx context.Context, visit func(first int, block *mat.Dense) error) error {
	ctx = given.Context(ctx)
	_, width := s.Dims()
	own := len(s.plan.columns)
	pass := *s.plan.job
	if s.goal == nil {
		pass.target = -1
	}
	var coded, joined []float64
	whole := blockRows * width
	var pending []float64 // rows of an unfinished block
	first := 0
	emit := func(rows []float64) error {
		n := len(rows) / width
		err := visit(first, mat.NewDense(n, width, rows))
		first += n
		return err
	}
	var err error
	err = s.chunks(ctx, &pass, true, func(c *chunk) error {
		rows := c.x[:c.rows*len(pass.features)]
		if !s.plan.direct {
			if need := c.rows * own; cap(coded) < need {
				coded = make([]float64, need)
			}
			rows = coded[:c.rows*own]
			if err := s.plan.apply(c, rows); err != nil {
				return err
			}
		}
		if s.goal != nil {
			if joined, err = s.goal.beside(joined, c, rows, own); err != nil {
				return problem(s.name, "%v", err)
			}
			rows = joined
		}
		if len(pending) > 0 {
			n := min(len(rows), whole-len(pending))
			pending, rows = append(pending, rows[:n]...), rows[n:]
			if len(pending) < whole {
				return nil
			}
			if err := emit(pending); err != nil {
				return err
			}
			pending = pending[:0]
		}
		for ; len(rows) >= whole; rows = rows[whole:] {
			if err := emit(rows[:whole]); err != nil {
				return err
			}
		}
		pending = append(pending, rows...)
		return nil
	})
	if err != nil {
		return err
	}
	if len(pending) > 0 {
		if err := emit(pending); err != nil {
			return err
		}
	}
	if first == 0 {
		return problem(s.name, "the file has no rows")
	}
	s.count = first
	return nil
}
