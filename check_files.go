package inlier

import (
	"bufio"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/inlier-ml/inlier/check"
)

// CheckFile is one of the files that a check writes.
type CheckFile struct {
	Name    string
	Columns []string // of a table of the check's own, with names of rows; nil: it is none
	Write   func(io.Writer) error
}

// Folder lists the files of a check in the order in which they are written: page is its report. Without a result it tells, before any work
// is done, what they will be.
func (r *CheckResult) Folder(repair bool, page []byte) []CheckFile {
	list := []CheckFile{
		{"rows.csv", []string{"row", "id", "score", "p", "wrong", "kind", "why"}, r.WriteRows},
		{"cells.csv", []string{"row", "id", "column", "value", "expected", "low", "high", "score", "wrong", "why"}, r.WriteCells},
		{"report.html", nil, func(w io.Writer) error { _, err := w.Write(page); return err }},
		{"model.npz", nil, func(w io.Writer) error { _, err := r.Model.WriteTo(w); return err }},
	}
	if repair {
		list = append(list, CheckFile{"repaired.csv", nil, r.WriteRepaired}, CheckFile{"changes.csv", ChangeColumns(), r.WriteChanges})
	}
	return list
}

// RowColumns are the columns of the table of rows.
func (r *CheckResult) RowColumns() []string {
	if !r.named() {
		return []string{"row", "score", "p", "wrong", "kind", "why"}
	}
	return []string{"row", "id", "score", "p", "wrong", "kind", "why"}
}

// WriteRows writes every row of the data with its verdict as CSV.
func (r *CheckResult) WriteRows(w io.Writer) error {
	if r.spooled != nil {
		return r.spooled.copy(&r.spooled.rows, w)
	}
	out := newLines(w, r.RowColumns())
	for i := range r.Table.Room().Rows(r.Rows, 4) {
		if !r.writeRow(out, i) {
			break
		}
	}
	return out.close()
}

// writeRow writes the line of a row, and says whether there is any use in going on.
func (r *CheckResult) writeRow(out *lines, i int) bool {
	f := r.Found
	out.whole(i + 1)
	if r.named() {
		out.text(r.Name(i))
	}
	out.number(f.Score[i])
	out.number(f.P[i])
	out.flag(f.Wrong[i])
	out.text(f.Part[i].String())
	why := ""
	if f.Part[i] != 0 {
		why = r.Why(i)
	}
	out.text(why)
	return out.end()
}

// CellColumns are the columns of the table of cells.
func (r *CheckResult) CellColumns() []string {
	if !r.named() {
		return []string{"row", "column", "value", "expected", "low", "high", "score", "wrong", "why"}
	}
	return []string{"row", "id", "column", "value", "expected", "low", "high", "score", "wrong", "why"}
}

// WriteCells writes the suspicious cells as CSV.
func (r *CheckResult) WriteCells(w io.Writer) error {
	if r.spooled != nil {
		return r.spooled.copy(&r.spooled.cells, w)
	}
	out := newLines(w, r.CellColumns())
	r.Found.EachCell(func(c *check.Cell) bool { return r.writeCell(out, c) })
	return out.close()
}

// writeCell writes the line of a cell, and says whether there is any use in going on.
func (r *CheckResult) writeCell(out *lines, c *check.Cell) bool {
	column := r.fine(c)
	out.whole(c.Row + 1)
	if r.named() {
		out.text(r.Name(c.Row))
	}
	out.text(column.Name)
	out.text(r.Table.Text(c.Row, c.Column))
	for k, v := range [...]float64{c.Expected, c.Low, c.High} {
		level := ""
		if k == 0 {
			level = c.Level
		}
		if text, number := expected(column, v, level); number {
			out.field()
			out.room = append(out.room, text...)
		} else {
			out.text(text)
		}
	}
	out.number(c.Score)
	out.flag(c.Wrong)
	out.text(r.whyCell(c))
	return out.end()
}

// lines writes a table as CSV, field by field, without keeping it.
type lines struct {
	w     *bufio.Writer
	room  []byte
	first bool
	err   error
}

func newLines(w io.Writer, columns []string) *lines {
	l := &lines{w: bufio.NewWriterSize(w, 1<<16), first: true}
	for _, c := range columns {
		l.text(c)
	}
	l.end()
	return l
}

func (l *lines) field() {
	if !l.first {
		l.room = append(l.room, ',')
	}
	l.first = false
}

func (l *lines) whole(v int)   { l.field(); l.room = strconv.AppendInt(l.room, int64(v), 10) }
func (l *lines) flag(v bool)   { l.field(); l.room = strconv.AppendBool(l.room, v) }
func (l *lines) text(s string) { l.field(); l.room = appendField(l.room, s) }

func (l *lines) number(v float64) {
	l.field()
	if !math.IsNaN(v) {
		l.room = strconv.AppendFloat(l.room, v, 'g', 6, 64)
	}
}

// end ends a line and says whether there is any use in going on.
func (l *lines) end() bool {
	l.room = append(l.room, '\n')
	if l.err == nil {
		_, l.err = l.w.Write(l.room)
	}
	l.room, l.first = l.room[:0], true
	return l.err == nil
}

func (l *lines) close() error {
	if l.err != nil {
		return l.err
	}
	return l.w.Flush()
}

// appendField appends a field of CSV, in quotes where it needs them.
func appendField(to []byte, s string) []byte {
	if !strings.ContainsAny(s, ",\"\r\n") && strings.TrimSpace(s) == s {
		return append(to, s...)
	}
	to = append(to, '"')
	to = append(to, strings.ReplaceAll(s, `"`, `""`)...)
	return append(to, '"')
}
