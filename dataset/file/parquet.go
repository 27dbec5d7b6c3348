package file

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/inlier-ml/inlier/dataset"
)

// parquetTable is a Parquet file with flat columns.
type parquetTable struct {
	file     *content
	in       anywhere
	parquet  *parquet.File
	n        int
	cols     []field
	decode   []decoding // per column; nil for text
	leaf     []int      // leaf column of each field
	there    []byte     // per column: the level of cells that hold a value
	unsigned []bool     // per column of whole numbers that are texts: they have no sign
	left     int64      // bytes that pages not looked at yet may unpack to
	far      bool       // an object of a store: pages are looked at when they are read
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
	write: func(w io.Writer, _ string, s *dataset.Set) error { return WriteTable(w, Parquet, setColumns(s)) },
	parts: parquetParts,
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
	kept, far := in.(*windows)
	t.far = far
	err = guarded(f.name, func() error { return t.open(opts) })
	if err == nil {
		err = opts.checkColumns(f.name, len(t.cols), f.size)
	}
	if far {
		kept.streams(len(t.cols))
	}
	if err != nil {
		in.Close()
		return nil, err
	}
	return t, nil
}

// open reads the footer and compares what it claims with the file.
func (t *parquetTable) open(opts *Options) error {
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
		var decode decoding
		unsigned := false
		if !c.Leaf() || c.Repeated() || c.MaxRepetitionLevel() > 0 {
			f.refused = "the column holds lists or groups, not numbers"
		} else if halves[i] {
			decode = halfNumbers
		} else {
			decode, f = parquetKind(c, f)
			if seconds := parquetSeconds(c); seconds != nil && slices.Contains(opts.Times, f.name) {
				decode, f.refused = seconds, ""
			}
			if long, signless := t.long(c); long && (opts.Long || opts.ID == f.name || opts.ID == strconv.Itoa(i+1)) {
				decode, unsigned, f.kind, f.texts = nil, signless, dataset.Text, true
			}
		}
		t.cols, t.decode, t.unsigned = append(t.cols, f), append(t.decode, decode), append(t.unsigned, unsigned)
		t.leaf, t.there = append(t.leaf, c.Index()), append(t.there, byte(c.MaxDefinitionLevel()))
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
	pass.text[pass.features[0]] = t.decode[pass.features[0]] == nil
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

func (t *parquetTable) scan(ctx context.Context, job *job, visit func(*chunk) error) error {
	s := &parquetScan{table: t, job: job, wanted: slices.Clone(job.features)}
	if job.target >= 0 {
		s.wanted = append(s.wanted, job.target)
	}
	s.rows = chunkRowsFor(max(len(s.wanted), 1), t.n)
	s.columns = make([]parquetColumn, len(s.wanted))
	for p, f := range s.wanted {
		s.columns[p] = parquetColumn{decode: t.decode[f], unsigned: t.unsigned[f], there: t.there[f], out: make([]float64, s.rows)}
	}
	// The library runs in the background, so its faults are caught there.
	defer func() { _ = guarded(t.file.name, func() error { s.close(); return nil }) }()
	return ahead(ctx, s.fill, after(s.begin(job.from.Row), visit))
}
