package tolerant

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strconv"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/memory"
	"github.com/inlier-ml/inlier/internal/words"
)

// Open reads a table from files: delimited text, also packed, JSON, workbooks, and what package
// dataset/file reads. Paths may be patterns such as 2024-*.csv; "-" is standard input. Tables of
// several files stand one below the other, their columns matched by name. Errors are for what cannot
// be read at all; everything else is in the table's remarks.
func Open(ctx context.Context, paths []string, o Options) (*Table, error) {
	ctx = given.Context(ctx)
	if err := o.check(); err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, dataset.Problem("", "no file is named")
	}
	paths, err := file.Expand(ctx, o.FS, paths...)
	if err != nil {
		return nil, err
	}
	var pieces []*piece
	for _, path := range paths {
		if format := formatOf(ctx, path, &o); format != "" && format != file.CSV && format != file.TSV {
			p, err := openCoded(ctx, path, nil, &o)
			if err != nil {
				return nil, err
			}
			pieces = append(pieces, p)
			continue
		}
		documents, err := load(ctx, path, &o)
		if err != nil {
			return nil, err
		}
		for _, d := range documents {
			p, err := openDocument(ctx, d, &o)
			if err != nil {
				return nil, err
			}
			p.bytes = int64(len(d.data))
			pieces = append(pieces, p)
		}
	}
	for _, p := range pieces {
		if o.InOrder && !p.named && len(p.names) == len(o.Names) {
			p.names = slices.Clone(o.Names)
		}
	}
	t := stack(pieces)
	t.room = o.Room
	if err := t.read(ctx, &o); err != nil {
		return nil, err
	}
	return t, nil
}

// formatOf tells what a file or folder is by its first bytes; "" for what cannot be told that way, and text
// that this package reads better.
func formatOf(ctx context.Context, path string, o *Options) file.Format {
	if path == "-" {
		return ""
	}
	info, err := file.StatFile(ctx, o.FS, path)
	if err != nil {
		return ""
	}
	if info.IsDir() {
		return file.Images
	}
	if !info.Mode().IsRegular() { // opening a pipe would wait for somebody to write
		return ""
	}
	in, err := file.OpenFile(ctx, o.FS, path)
	if err != nil {
		return ""
	}
	defer in.Close()
	head, err := io.ReadAll(io.LimitReader(in, 1<<16))
	if err != nil || bytes.HasPrefix(head, []byte("PK")) || bytes.HasPrefix(head, []byte{0x1f, 0x8b}) {
		return ""
	}
	format, err := file.Detect(path, head, len(head) < 1<<16)
	if err != nil {
		return ""
	}
	return format
}

func columnName(j int) string { return "x" + strconv.Itoa(j+1) }

// read finds out what the columns are, and sets a last row of sums aside.
func (t *Table) read(ctx context.Context, o *Options) error {
	if err := t.affordable(); err != nil {
		return err
	}
	done, total := int64(0), int64(max(t.Rows, 1))
	tell := func(rows int) {
		done += int64(rows)
		if o.Progress != nil {
			o.Progress(int64(float64(t.bytes)*float64(done)/float64(total)), t.bytes)
		}
	}
	aside := t.cutTotals()
	if err := t.interpret(ctx, o, tell); err != nil {
		return err
	}
	if aside != nil && !t.areTotals(aside) {
		t.Rows += aside.rows
		for j := range t.Columns {
			c := &t.Columns[j]
			*c = Column{Name: c.Name, Given: c.Given}
		}
		if err := t.interpret(ctx, o, nil); err != nil {
			return err
		}
		aside = nil
	}
	if aside != nil {
		t.remark("", "%s", aside.sentence())
	}
	for j, unit := range t.units {
		if c := &t.Columns[j]; unit != "" && c.Unit == "" && c.Kind == Number {
			c.Unit, c.Above = unit, true
		}
	}
	t.dropEmpty()
	if n := len(t.Ragged); n > 0 {
		rows := slices.Clone(t.Ragged)
		for i := range rows {
			_, rows[i] = t.Place(rows[i])
		}
		t.remark("Texts that hold the delimiter need quotation marks.", "%s %s than %s (%s %s).", words.Plural(n, "row"), hasOther(n), words.Plural(len(t.Columns), "field"), words.Noun(n, "line"), words.Ranges(rows, 5))
	}
	return nil
}

func hasOther(n int) string {
	if n == 1 {
		return "has fewer or more"
	}
	return "have fewer or more"
}

// remark adds a remark about the whole file.
func (t *Table) remark(way, format string, args ...any) {
	t.Remarks = append(t.Remarks, Remark{Text: sprintf(format, args...), Way: way})
}

// affordable refuses a table for whose numbers there is no memory.
func (t *Table) affordable() error {
	if t.room != nil {
		return nil
	}
	need := 9 * int64(t.Rows) * int64(len(t.Columns))
	if free := memory.Free(); need > free {
		return dataset.Problem(t.name(), "%d rows of %d columns need %s, and %s of memory are free", t.Rows, len(t.Columns), words.Size(need), words.Size(free)).
			WithHint("use a part of the file, or {limit} rows")
	}
	return nil
}

// dropEmpty forgets columns without a name and a value: the last are there because lines end with delimiters, the first because
// they begin with one or a sheet is empty there.
func (t *Table) dropEmpty() {
	void := func(j int) bool { return t.Columns[j].Kind == Empty && t.Columns[j].Given == "" }
	for last := len(t.Columns) - 1; last > 0 && void(last); last-- {
		t.Columns = t.Columns[:last]
	}
	var kept []int
	for j := range t.Columns {
		if !void(j) {
			kept = append(kept, j)
		}
	}
	if len(kept) > 0 && len(kept) < len(t.Columns) {
		*t = *t.Select(kept)
	}
}
