package synthetic

import (
	"bufio"
	"io"
	"strings"
)

// Sheet is a table as a person keeps it: text in every cell, as it would stand in the file.
type Sheet struct {
	Columns []string // a name may stand twice
	Rows    [][]string
	// How the file is written.
	Delimiter string
	LineEnd   string
	Mark      bool // begins with a byte-order mark, as spreadsheets write it
}

// WriteTo writes the sheet as delimited text. Cells that hold the delimiter, a quote or a line
// break stand in quotes.
func (s *Sheet) WriteTo(w io.Writer) (int64, error) {
	out := &counting{w: bufio.NewWriterSize(w, 1<<16)}
	if s.Mark {
		out.text("\ufeff")
	}
	for i := -1; i < len(s.Rows); i++ {
		row := s.Columns
		if i >= 0 {
			row = s.Rows[i]
		}
		for j, cell := range row {
			if j > 0 {
				out.text(s.Delimiter)
			}
			if strings.Contains(cell, s.Delimiter) || strings.ContainsAny(cell, "\"\r\n") {
				cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
			}
			out.text(cell)
		}
		out.text(s.LineEnd)
	}
	if out.err == nil {
		out.err = out.w.Flush()
	}
	return out.n, out.err
}

// counting is a writer that remembers how much was written and the first error.
type counting struct {
	w   *bufio.Writer
	n   int64
	err error
}

func (c *counting) text(s string) {
	if c.err == nil {
		var n int
		n, c.err = c.w.WriteString(s)
		c.n += int64(n)
	}
}
