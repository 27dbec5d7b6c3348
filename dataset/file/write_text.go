package file

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/given"
)

// Column is a column of results to write: one of the slices is set.
type Column struct {
	Name     string
	Numbers  []float64
	Integers []int
	Flags    []bool
	Texts    []string
}

// Len is the number of rows.
func (c *Column) Len() int {
	return max(len(c.Numbers), len(c.Integers), len(c.Flags), len(c.Texts))
}

// setColumns views a set as columns, the target last. It copies the numbers.
func setColumns(s *dataset.Set) []Column {
	n, d := s.X.Dims()
	columns := make([]Column, d, d+1)
	for j := range columns {
		columns[j] = Column{Name: s.Columns[j], Numbers: make([]float64, n)}
		for i := range n {
			columns[j].Numbers[i] = s.X.At(i, j)
		}
	}
	if t := s.Target; t != nil {
		columns = append(columns, targetColumn(t))
	}
	return columns
}

// column is the target as a column: its numbers, or the names of its classes.
func targetColumn(t *dataset.Target) Column {
	if t.Values != nil {
		return Column{Name: t.Name, Numbers: t.Values}
	}
	c := Column{Name: t.Name, Texts: make([]string, len(t.Labels))}
	for i := range t.Labels {
		c.Texts[i] = t.Class(i)
	}
	return c
}

// WriteTable writes columns of mixed kinds as CSV, TSV, Parquet or NPZ. Numbers are
// written so that they read back exactly; a missing one is NaN.
func WriteTable(w io.Writer, format Format, columns []Column) error {
	if len(columns) == 0 {
		return fmt.Errorf("dataset: a table without columns")
	}
	for _, c := range columns {
		if c.Len() != columns[0].Len() {
			return fmt.Errorf("dataset: column %q has %d rows, column %q has %d", c.Name, c.Len(), columns[0].Name, columns[0].Len())
		}
	}
	d := format.driver()
	switch {
	case d != nil && d.table != nil:
		return d.table(w, columns)
	case d != nil && d.parts != nil && !d.numeric:
		add, end, err := d.parts(w, columns, columns[0].Len(), nil)
		if err == nil {
			err = add(columns)
		}
		if err != nil {
			return err
		}
		return end()
	}
	return problem("", "a table of results is not written as %s", format).
		WithHint("use %s", strings.Join(UsualEndings(true), ", "))
}

// WriteTableFile is WriteTable to a file whose ending tells the format; "-" is standard
// output. The file appears whole or not at all, and not where the context ends first.
func WriteTableFile(ctx context.Context, path string, columns []Column) error {
	d, packed, err := writerOf(path, "")
	if err != nil {
		return err
	}
	return atomically(given.Context(ctx), path, func(w io.Writer) error {
		return compressed(w, packed, func(w io.Writer) error { return WriteTable(w, d.name, columns) })
	})
}

// TableColumns are the names of the columns of a file that WriteTableFile may have written
// under that name; nil when it is no such file.
func TableColumns(path string, in io.ReaderAt, size int64) []string {
	d, packed, err := writerOf(path, "")
	if err != nil || packed || !d.tables() {
		return nil
	}
	if d.columns != nil {
		return d.columns(in, size)
	}
	source, err := Open(path, Options{Format: d.name, Categorical: Ordinal, Missing: MissingKeep, Limit: 1})
	if err != nil {
		return nil
	}
	defer source.Close()
	var names []string
	for _, c := range source.Info().Columns {
		names = append(names, c.Name)
	}
	return names
}

// MayBeTable tells by its first bytes whether a file could be a table of results in the
// format that the name tells.
func MayBeTable(path string, head []byte) bool {
	d, packed, err := writerOf(path, "")
	if err != nil || packed || !d.tables() || d.lined {
		return bytes.IndexByte(head, 0) < 0
	}
	return d.begins(head)
}

// firstRecord are the fields of the first line of a text file.
func firstRecord(in io.ReaderAt, size int64, delimiter rune) []string {
	r := csv.NewReader(io.NewSectionReader(in, 0, min(size, 1<<20)))
	r.Comma = delimiter
	names, err := r.Read()
	if err != nil {
		return nil
	}
	return names
}

// appendField quotes a text where that is needed.
func appendField(line []byte, text string, delimiter byte) []byte {
	if text != "" && !strings.ContainsAny(text, "\"\r\n") && strings.IndexByte(text, delimiter) < 0 && text[0] != ' ' && text[len(text)-1] != ' ' {
		return append(line, text...)
	}
	line = append(line, '"')
	line = append(line, strings.ReplaceAll(text, `"`, `""`)...)
	return append(line, '"')
}

func appendNumber(line []byte, v float64) []byte {
	if math.IsNaN(v) {
		return append(line, "NaN"...)
	}
	if v == math.Trunc(v) && math.Abs(v) < 1e15 && !(v == 0 && math.Signbit(v)) {
		return strconv.AppendInt(line, int64(v), 10)
	}
	return strconv.AppendFloat(line, v, 'g', -1, 64)
}

// textParts writes the names of columns, and rows as they come.
func textParts(w io.Writer, delimiter byte, like []Column) (add func([]Column) error, err error) {
	var line []byte
	for j, c := range like {
		if j > 0 {
			line = append(line, delimiter)
		}
		line = appendField(line, c.Name, delimiter)
	}
	if _, err := w.Write(append(line, '\n')); err != nil {
		return nil, err
	}
	return func(columns []Column) error {
		for i := range columns[0].Len() {
			line = line[:0]
			for j := range columns {
				if j > 0 {
					line = append(line, delimiter)
				}
				switch c := &columns[j]; {
				case c.Numbers != nil:
					line = appendNumber(line, c.Numbers[i])
				case c.Integers != nil:
					line = strconv.AppendInt(line, int64(c.Integers[i]), 10)
				case c.Flags != nil:
					line = strconv.AppendBool(line, c.Flags[i])
				default:
					line = appendField(line, c.Texts[i], delimiter)
				}
			}
			if _, err := w.Write(append(line, '\n')); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// writeText writes a set row by row without copying it.
func writeText(w io.Writer, s *dataset.Set, delimiter byte) error {
	var head []Column
	for _, name := range s.Columns {
		head = append(head, Column{Name: name, Numbers: []float64{}})
	}
	var target *Column
	if s.Target != nil {
		c := targetColumn(s.Target)
		target = &c
		head = append(head, Column{Name: c.Name})
	}
	if _, err := textParts(w, delimiter, head); err != nil { // the names alone
		return err
	}
	n, _ := s.X.Dims()
	var line []byte
	for i := range n {
		line = line[:0]
		for _, v := range s.X.RawRowView(i) {
			line = append(appendNumber(line, v), delimiter)
		}
		switch {
		case target == nil:
			line = bytes.TrimSuffix(line, []byte{delimiter})
		case target.Numbers != nil:
			line = appendNumber(line, target.Numbers[i])
		default:
			line = appendField(line, target.Texts[i], delimiter)
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}
