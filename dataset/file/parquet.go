package file

import (
	"context"
	"errors"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/internal/cell"
)

// parquetTable is a Parquet file with flat columns.
type parquetTable struct {
	file    *content
	in      anywhere
	parquet *parquet.File
	n       int
	cols    []field
	convert []func(parquet.Value) float64 // per column; nil for text
	leaf    []int                         // leaf column of each field
	left    int64                         // bytes that pages not looked at yet may unpack to
}

// guarded runs code of the Parquet library and turns its errors, and faults that a
// damaged file can provoke in it, into complaints about the file.
func guarded(name string, run func() error) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = problem(name, "the Parquet file is damaged (%v)", fault)
		}
	}()
	err = run()
	var own *dataset.InputError
	var path *os.PathError
	if err == nil || errors.As(err, &own) || errors.As(err, &path) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, errEnough) {
		return err
	}
	return &dataset.InputError{File: name, Problem: "the Parquet file is damaged: " + strings.TrimPrefix(err.Error(), "parquet: "), Err: err}
}

// parquetDriver reads and writes flat Parquet files.
var parquetDriver = driver{
	name: Parquet, endings: []string{".parquet"}, magic: []string{"PAR1"}, unpackable: true, named: true,
	open:  func(f *content, opts *Options) (table, error) { return openParquet(f, opts) },
	write: func(w io.Writer, _ string, s *dataset.Set) error { return writeParquet(w, setColumns(s)) },
	table: writeParquet,
}

func openParquet(f *content, opts *Options) (*parquetTable, error) {
	if f.packed {
		return nil, problem(f.name, "a compressed Parquet file is not read").WithHint("unpack the file first; Parquet compresses by itself")
	}
	in, err := f.anywhere()
	if err != nil {
		return nil, err
	}
	t := &parquetTable{file: f, in: in, left: opts.maxUnpacked(f.size, freeBytes)}
	err = guarded(f.name, func() error { return t.open(opts.Times) })
	if err == nil {
		err = opts.checkColumns(f.name, len(t.cols), f.size)
	}
	if err != nil {
		in.Close()
		return nil, err
	}
	return t, nil
}

// open reads the footer and compares what it claims with the file.
func (t *parquetTable) open(times []string) error {
	err := t.checkFooter()
	if err != nil {
		return err
	}
	t.parquet, err = parquet.OpenFile(io.NewSectionReader(t.in, 0, t.file.size), t.file.size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	halves := halfColumns(t.parquet.Metadata().Schema)
	for i, c := range t.parquet.Root().Columns() {
		if err := checkName(t.file.name, c.Name(), "column"); err != nil {
			return err
		}
		if seen[c.Name()] {
			return problem(t.file.name, "two columns are named %q", c.Name())
		}
		seen[c.Name()] = true
		f := field{name: c.Name(), kind: dataset.Number}
		var convert func(parquet.Value) float64
		if !c.Leaf() || c.Repeated() || c.MaxRepetitionLevel() > 0 {
			f.refused = "the column holds lists or groups, not numbers"
		} else if halves[i] {
			convert = halfNumber
		} else {
			convert, f = parquetKind(c, f)
			if seconds := parquetSeconds(c); seconds != nil && slices.Contains(times, f.name) {
				convert, f.refused = seconds, ""
			}
		}
		t.cols, t.convert, t.leaf = append(t.cols, f), append(t.convert, convert), append(t.leaf, c.Index())
	}
	if len(t.cols) == 0 {
		return problem(t.file.name, "the Parquet file has no columns")
	}
	return t.checkPages()
}

func (t *parquetTable) fields() []field { return t.cols }
func (t *parquetTable) named() bool     { return true }
func (t *parquetTable) label() *field   { return nil }
func (t *parquetTable) shape() []int    { return nil }

// rows is certain when the file is large enough to hold the rows plainly, or when they
// are not many.
func (t *parquetTable) rows() (int, bool) {
	cells := int64(t.n) * int64(len(t.cols))
	return t.n, cells < 1<<22 || cells <= 8*t.file.size
}

func (t *parquetTable) bound(ctx context.Context) (int, error) {
	n := 0
	pass := &job{features: []int{t.countable()}, target: -1, text: make([]bool, len(t.cols))}
	pass.text[pass.features[0]] = t.convert[pass.features[0]] == nil
	err := t.scan(ctx, pass, func(c *chunk) error { n += c.rows; return nil })
	return n, err
}

// countable is a column that can be gone through.
func (t *parquetTable) countable() int {
	for k := range t.cols {
		if t.cols[k].refused == "" {
			return k
		}
	}
	return 0
}

func (t *parquetTable) close() error {
	t.in.Close()
	return t.file.close()
}

// parquetColumn goes through the values of one column in one group of rows.
type parquetColumn struct {
	pages  parquet.Pages
	values parquet.ValueReader
	page   parquet.Page
}

// read fills the buffer; fewer values than that are an error.
func (c *parquetColumn) read(buffer []parquet.Value) error {
	for done := 0; done < len(buffer); {
		if c.values == nil {
			page, err := c.pages.ReadPage()
			if err == io.EOF {
				return errors.New("a column has fewer values than there are rows")
			}
			if err != nil {
				return err
			}
			c.page, c.values = page, page.Values()
		}
		n, err := c.values.ReadValues(buffer[done:])
		done += n
		if err == io.EOF {
			parquet.Release(c.page)
			c.page, c.values = nil, nil
		} else if err != nil {
			return err
		} else if n == 0 {
			return errors.New("a column cannot be read on")
		}
	}
	return nil
}

func (c *parquetColumn) close() {
	if c.page != nil {
		parquet.Release(c.page)
	}
	c.pages.Close()
}

func (t *parquetTable) scan(ctx context.Context, job *job, visit func(*chunk) error) error {
	wanted := append([]int(nil), job.features...)
	if job.target >= 0 {
		wanted = append(wanted, job.target)
	}
	rows := chunkRowsFor(max(len(wanted), 1), t.n)
	buffer := make([]parquet.Value, rows)
	groups := t.parquet.RowGroups()
	group, left := -1, 0
	var columns []*parquetColumn
	closeAll := func() {
		for _, c := range columns {
			c.close()
		}
		columns = nil
	}
	defer func() { _ = guarded(t.file.name, func() error { closeAll(); return nil }) }()
	k := len(job.features)
	fill := func(c *chunk, first int) (int, error) {
		for left == 0 {
			closeAll()
			if group++; group >= len(groups) {
				return 0, nil
			}
			if left = int(groups[group].NumRows()); left == 0 {
				continue
			}
			chunks := groups[group].ColumnChunks()
			for _, f := range wanted {
				columns = append(columns, &parquetColumn{pages: chunks[t.leaf[f]].Pages()})
			}
		}
		n := min(rows, left)
		left -= n
		c.levels = make([][]string, k)
		c.y = c.y[:0]
		for p, f := range wanted {
			if err := columns[p].read(buffer[:n]); err != nil {
				return 0, err
			}
			var words dictionary
			for i, v := range buffer[:n] {
				value := t.number(f, v, &words)
				if p < k {
					c.x[i*k+p] = value
				} else {
					c.y = append(c.y, value)
				}
			}
			if p < k {
				c.levels[p] = words.names
			} else {
				c.yLevels = words.names
			}
		}
		return n, nil
	}
	// The library runs in the background, so its faults are caught there.
	return ahead(ctx, rows, k, func(c *chunk, first int) (n int, err error) {
		err = guarded(t.file.name, func() error { n, err = fill(c, first); return err })
		return n, err
	}, visit)
}

// number turns a value into a number, or into the index of its text.
func (t *parquetTable) number(f int, v parquet.Value, words *dictionary) float64 {
	if v.IsNull() {
		return math.NaN()
	}
	if convert := t.convert[f]; convert != nil {
		return convert(v)
	}
	text := cell.Trim(v.ByteArray())
	if cell.IsMissing(text) {
		return math.NaN()
	}
	return words.number(text)
}
