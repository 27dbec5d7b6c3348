package file

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/internal/cell"
	"github.com/inlier-ml/inlier/dataset/internal/record"
	"github.com/inlier-ml/inlier/internal/words"
)

// csvTable is a text file with one record per line: CSV, TSV, semicolons, blanks.
type csvTable struct {
	file    *content
	opts    *Options
	remarks remarks
	*layout
}

// csvDriver reads text of any delimiter and writes commas.
var csvDriver = driver{
	name: CSV, endings: []string{".csv", ".txt"}, lined: true, named: true, options: []string{"header", "delimiter", "decimal-comma"},
	open:   func(f *content, opts *Options) (table, error) { return openCSV(f, opts) },
	labels: labelsOf(func(f *content, opts *Options) (table, error) { return openCSV(f, opts) }),
	write:  func(w io.Writer, _ string, s *dataset.Set) error { return writeText(w, s, ',') },
	parts: func(w io.Writer, like []Column, _ int, _ []int) (func([]Column) error, func() error, error) {
		add, err := textParts(w, ',', like)
		return add, func() error { return nil }, err
	},
	columns: func(in io.ReaderAt, size int64) []string { return firstRecord(in, size, ',') },
}

// tsvDriver is text whose delimiter is the tab.
var tsvDriver = driver{
	name: TSV, endings: []string{".tsv", ".tab"}, lined: true, named: true, options: []string{"header", "decimal-comma"},
	open: func(f *content, opts *Options) (table, error) {
		opts.Delimiter = "tab"
		return openCSV(f, opts)
	},
	write: func(w io.Writer, _ string, s *dataset.Set) error { return writeText(w, s, '\t') },
	parts: func(w io.Writer, like []Column, _ int, _ []int) (func([]Column) error, func() error, error) {
		add, err := textParts(w, '\t', like)
		return add, func() error { return nil }, err
	},
	columns: func(in io.ReaderAt, size int64) []string { return firstRecord(in, size, '\t') },
}

// openCSV looks at as much of the beginning as holds two whole records.
func openCSV(f *content, opts *Options) (*csvTable, error) {
	text := f.text()
	for !f.whole {
		d := byte(',')
		if forced, err := opts.delimiter(); err == nil && forced != 0 {
			d = forced
		}
		above := remarksAbove(text)
		if end := record.End(text[above.bytes:], d); end > 0 {
			if twoRecords(text[above.bytes:][:end], d, opts.maxColumns()) {
				text = text[:above.bytes+end]
				break
			}
		}
		if len(text) >= opts.maxRow() {
			return nil, problem(f.name, "its first %d bytes hold no two rows", len(text)).WithHint("rows end with a line end; " + lift)
		}
		if whole, err := f.lookFurther(min(4*len(f.head), opts.maxRow()+bom)); err != nil {
			return nil, err
		} else if whole {
			text = f.text()
			break
		}
		text = f.text()
	}
	above := separatorLine(text, opts)
	if above.lines == 0 {
		above = findRemarks(text, opts)
	}
	l, err := sniff(f.name, text[above.bytes:], above.lines+1, opts)
	if err != nil {
		return nil, err
	}
	above.bytes += len(f.head) - len(f.text())
	f.head = nil // it may be long, and has told all it knows
	return &csvTable{file: f, opts: opts, remarks: above, layout: l}, nil
}

// twoRecords tells whether a text holds two records, or one that is wrong.
func twoRecords(text []byte, delimiter byte, columns int) bool {
	r := record.Records{Data: text, Delimiter: delimiter, Line: 1, Quotes: true, Most: columns}
	for range 2 {
		if _, ok, wrong := r.Next(); wrong != "" || !ok {
			return wrong != ""
		}
	}
	return true
}

func (t *csvTable) fields() []field   { return t.layout.fields }
func (t *csvTable) named() bool       { return t.header }
func (t *csvTable) label() *field     { return nil }
func (t *csvTable) shape() []int      { return nil }
func (t *csvTable) rows() (int, bool) { return -1, false }
func (t *csvTable) close() error      { return t.file.close() }

// describe adds to what a file tells.
func (t *csvTable) describe(info *Info) { info.Delimiter = string(t.delimiter) }

func (t *csvTable) bound(context.Context) (int, error) {
	in, err := t.file.open()
	if err != nil {
		return 0, err
	}
	defer in.Close()
	n, err := countLines(in)
	if err == nil && t.header && n > 0 {
		n--
	}
	return n, err
}

func (t *csvTable) scan(ctx context.Context, job *job, visit func(*chunk) error) error {
	in, err := t.file.open()
	if err != nil {
		return err
	}
	defer in.Close()
	// role of every field of a record: the position of a feature, or one of these.
	roles := slices.Repeat([]int{roleSkip}, t.width)
	for p, f := range job.features {
		roles[f] = p
	}
	if job.target >= 0 {
		roles[job.target] = roleTarget
	}
	from := Mark{Byte: int64(t.remarks.bytes), Line: t.remarks.lines + 1}
	top := from.Line
	seeker, seekable := in.(io.Seeker)
	seekable = seekable && !t.file.packed && !t.file.returns
	if seekable && job.from.Line > 0 {
		from = job.from
		_, err = seeker.Seek(from.Byte, io.SeekStart)
	} else {
		_, err = io.CopyN(io.Discard, in, from.Byte)
	}
	if err != nil && err != io.EOF {
		return err
	}
	produce := func(emit func(*textBlock) error) error {
		return splitText(t.file.name, in, from.Line, t.delimiter, t.opts.maxRow(), emit)
	}
	work := func(b *textBlock) (*chunk, error) {
		defer b.free()
		mark := Mark{Byte: from.Byte + b.at, Line: b.line}
		c, err := t.parse(b, job, roles, t.header && b.line == top)
		if err == nil && seekable {
			c.mark = mark
		}
		return c, err
	}
	return inOrder(ctx, produce, work, after(from.Row, visit))
}

const (
	roleSkip   = -1
	roleTarget = -2
)

// parse turns a block of text into rows.
func (t *csvTable) parse(b *textBlock, job *job, roles []int, header bool) (*chunk, error) {
	c := newChunk()
	var dictionaries []dictionary // the last one is the target's
	if slices.Contains(job.text, true) {
		c.levels = make([][]string, len(job.features))
		dictionaries = make([]dictionary, len(job.features)+1)
	}
	lines := min(bytes.Count(b.data, []byte{'\n'}), len(b.data)/t.width) + 1 // a field takes a byte at least
	c.x, c.lines = slices.Grow(c.x, lines*len(job.features)), slices.Grow(c.lines, lines)
	if job.lenient {
		c.wrong, c.example = make([]int, len(job.features)), make([]string, len(job.features))
	}
	r := &record.Records{Data: b.data, Delimiter: t.delimiter, Line: b.line, Quotes: b.quotes, Most: t.opts.maxColumns()}
	if header {
		if _, _, wrong := r.Next(); wrong != "" {
			return nil, &dataset.InputError{File: t.file.name, Line: b.line, Problem: wrong}
		}
	}
	simple := t.simple(b, job)
	for {
		if simple && t.simpleRow(r, c, job, roles) {
			continue
		}
		line, ok, wrong := r.Next()
		if wrong != "" {
			return nil, &dataset.InputError{File: t.file.name, Line: line, Problem: wrong}
		}
		if !ok {
			break
		}
		if len(r.Fields) != t.width {
			return nil, t.ragged(line, r.Fields)
		}
		from := len(c.x)
		c.x = slices.Grow(c.x, len(job.features))[:from+len(job.features)]
		row := c.x[from:]
		for k, text := range r.Fields {
			role := roles[k]
			if role == roleSkip {
				continue
			}
			v, problem := t.value(text, job, k, role, c, dictionaries)
			if problem != nil {
				problem.Line = line
				return nil, problem
			}
			if role == roleTarget {
				c.y = append(c.y, v)
			} else {
				row[role] = v
			}
		}
		c.lines = append(c.lines, line)
		c.rows++
	}
	for p, f := range job.features {
		if job.text[f] {
			c.levels[p] = dictionaries[p].names
		}
	}
	if job.target >= 0 && job.text[job.target] {
		c.yLevels = dictionaries[len(job.features)].names
	}
	return c, nil
}

// value reads one cell.
func (t *csvTable) value(text []byte, job *job, k, role int, c *chunk, dictionaries []dictionary) (float64, *dataset.InputError) {
	if job.text[k] {
		text = cell.Trim(text)
		if cell.IsMissing(text) {
			return math.NaN(), nil
		}
		if role == roleTarget {
			role = len(job.features)
		}
		return dictionaries[role].number(text), nil
	}
	v, kind := classify(text, t.opts.DecimalComma)
	if kind == cell.Number || kind == cell.Missing {
		return v, nil
	}
	if job.lenient && role >= 0 {
		c.wrong[role]++
		c.example[role] = cell.Decode(text)
		return math.NaN(), nil
	}
	e := &dataset.InputError{File: t.file.name, Column: t.layout.fields[k].name}
	if kind == cell.Infinite {
		e.Problem = fmt.Sprintf("%s is not a finite number", quote(text))
		return 0, e
	}
	e.Problem = fmt.Sprintf("%s is not a number", quote(text))
	return 0, t.textHint(e, text, k, role)
}

// textHint says what to do about a text among numbers.
func (t *csvTable) textHint(e *dataset.InputError, text []byte, k, role int) *dataset.InputError {
	name := t.layout.fields[k].name
	if t.opts.DecimalComma && groupsThousands(text) {
		whole := cell.Decode(cell.Trim(text))
		instead := strings.ReplaceAll(whole, ".", "")
		if !strings.Contains(whole, ",") && strings.Count(whole, ".") == 1 {
			instead += " or " + strings.Replace(whole, ".", ",", 1)
		}
		return e.WithHint("beside decimal commas a point could separate thousands: write %s instead of %s", instead, whole)
	}
	if _, kind := classify(text, true); kind == cell.Number && t.delimiter != ',' {
		return e.WithHint("read decimal commas with {decimal-comma}")
	}
	if role == roleTarget {
		return e.WithHint("the target of a regression must be numbers; leave out the row, or ask for classes")
	}
	if isDressedNumber(cell.Decode(cell.Trim(text))) {
		return e.WithHint("write numbers plainly, such as -1200.5: with a point, without marks between thousands, signs of money or units; or {drop} %s leaves the column out", name)
	}
	if t.layout.fields[k].kind == dataset.Text && !saysMissing(cell.Decode(text)) {
		return e.WithHint("code text columns with {categorical} ordinal or onehot, or leave the column out with {drop} %s", name)
	}
	return e.WithHint("correct the cell (an empty one, NA, NaN, null, ? or . marks a missing value), or code the column with {text} %s {categorical} onehot", name)
}

func (t *csvTable) ragged(line int, fields [][]byte) *dataset.InputError {
	e := &dataset.InputError{File: t.file.name, Line: line}
	n := len(fields)
	e.Problem = fmt.Sprintf("this line has %d %s where %d %s expected", n, words.Noun(n, "field"), t.width, words.Are(t.width))
	if n > 0 && bytes.HasPrefix(fields[0], []byte{remarkSign}) {
		return e.WithHint("remarks, lines that begin with #, may only stand above the table: take this one out")
	}
	return e.WithHint("the delimiter is %s; texts that hold it need quotation marks", delimiterName(t.delimiter))
}

func delimiterName(d byte) string {
	switch d {
	case '\t':
		return "the tab"
	case ' ':
		return "the blank"
	case ',':
		return "the comma"
	case ';':
		return "the semicolon"
	}
	return string(d)
}
