package tolerant

import (
	"bufio"
	"bytes"
	"io"
	"math"
	"slices"
	"strings"
)

// Rewrite writes the table as delimited text with some cells changed, by row and column from 0, and without some rows. Of a
// single delimited file every other byte stays: its encoding, delimiter, quotes, blank lines, totals. A row that has fewer fields than the
// changed one gets them, and a change behind the last column takes away what stands there. Other
// tables are written with a header and commas.
func (t *Table) Rewrite(w io.Writer, changed map[[2]int]string, dropped map[int]bool) error {
	under := t.text
	if c, ok := under.(chosen); ok {
		moved := make(map[[2]int]string, len(changed))
		for place, text := range changed {
			to := math.MaxInt
			if place[1] < len(c.columns) {
				to = c.columns[place[1]]
			}
			moved[[2]int{place[0], to}] = text
		}
		if _, ok := c.text.(*body); ok {
			under, changed = c.text, moved
		}
	}
	if b, ok := under.(*body); ok && b.delimiter != unitSeparator {
		w, err := encoded(w, b.encoding)
		if err != nil {
			return err
		}
		out := bufio.NewWriterSize(w, 1<<16)
		b.rewrite(out, t.Rows, changed, dropped)
		return out.Flush()
	}
	out := bufio.NewWriterSize(w, 1<<16)
	for j := range t.Columns {
		writeField(out, ',', j > 0, len(t.Columns) == 1, t.Columns[j].Given)
	}
	out.WriteString("\n") // the first error stays with the writer
	for i := range t.Rows {
		if dropped[i] {
			continue
		}
		for j := range t.Columns {
			text, ok := changed[[2]int{i, j}]
			if !ok {
				text = t.Text(i, j)
			}
			writeField(out, ',', j > 0, len(t.Columns) == 1, text)
		}
		if _, err := out.WriteString("\n"); err != nil {
			return err
		}
	}
	return out.Flush()
}

// writeField writes a field behind others, or alone in its line, which is no row where it is empty.
func writeField(out *bufio.Writer, delimiter byte, behind, alone bool, s string) {
	if behind {
		out.WriteByte(delimiter)
	}
	if delimiter == ' ' {
		switch {
		case s == "": // nothing between blanks would be no field
			s = "NA"
		case inBrackets([]byte(s), 0) == len(s):
			out.WriteString(s)
			return
		}
		alone = alone || strings.IndexByte(s, '\t') >= 0
	}
	if alone && strings.Trim(s, " \t") == "" || strings.IndexByte(s, delimiter) >= 0 || strings.ContainsAny(s, "\"\r\n") {
		s = `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	out.WriteString(s)
}

// whole stands for the column of a row that is dropped: it comes before those of its cells.
const whole = -1

// rewrite copies the text, but for the fields that are changed and the lines that are dropped.
func (b *body) rewrite(out *bufio.Writer, rows int, changed map[[2]int]string, dropped map[int]bool) {
	places := make([][2]int, 0, len(changed)+len(dropped))
	for row, gone := range dropped {
		if gone && row >= 0 && row < rows {
			places = append(places, [2]int{row, whole})
		}
	}
	for place := range changed {
		if place[0] < rows {
			places = append(places, place)
		}
	}
	slices.SortFunc(places, func(a, c [2]int) int {
		if a[0] != c[0] {
			return a[0] - c[0]
		}
		return a[1] - c[1]
	})
	copied, row, fields := 0, -1, 0 // fields that the row has in the meantime
	for _, place := range places {
		start := b.starts[place[0]]
		if place[0] != row {
			row, fields = place[0], 0
		}
		if place[1] == whole && start >= copied {
			out.Write(b.data[copied:start])
			copied = b.next(start)
			continue
		}
		if place[1] >= b.width && b.width > 0 { // behind the last column
			_, from, ok := b.span(start, b.width-1)
			if _, end, _ := b.span(start, math.MaxInt); ok && from >= copied {
				out.Write(b.data[copied:from])
				copied = end
			}
			continue
		}
		from, to, ok := b.span(start, place[1])
		if !ok && from >= copied && b.width > 0 && b.delimiter != ' ' { // the row ends sooner
			out.Write(b.data[copied:from])
			copied = from
			if fields == 0 {
				there, _ := b.split(start, nil, new(quotations))
				fields = len(there)
			}
			for ; fields <= place[1]; fields++ {
				out.WriteByte(b.delimiter)
			}
			writeField(out, b.delimiter, false, b.width == 1, changed[place])
			continue
		}
		if !ok || from < copied {
			continue
		}
		out.Write(b.data[copied:from])
		if was := b.data[from:to]; len(was) > 2 && was[0] == '"' && was[len(was)-1] == '"' && b.quotes && !bytes.ContainsAny(was[1:len(was)-1], "\"\r\n"+string(b.delimiter)) { // by habit
			out.WriteString(`"` + strings.ReplaceAll(changed[place], `"`, `""`) + `"`)
		} else {
			writeField(out, b.delimiter, false, b.width == 1, changed[place])
		}
		copied = to
	}
	out.Write(b.data[copied:])
}

// next is where the line behind a record begins.
func (b *body) next(at int) int {
	_, end, _ := b.span(at, math.MaxInt)
	if end < len(b.data) && b.data[end] == '\r' {
		end++
	}
	if end < len(b.data) && b.data[end] == '\n' {
		end++
	}
	return end
}

// span is where a field of the record at a place begins and ends, its quotes included. Behind the last field it is false, and
// both are the end of the record.
func (b *body) span(at, column int) (from, to int, ok bool) {
	data := b.data
	var seen quotations
	for i, k := at, 0; ; k++ {
		for b.delimiter == ' ' && i < len(data) && data[i] == ' ' {
			i++
		}
		from = i
		end := -1
		if quote := skipBlanks(data, i, b.delimiter); b.quotes && quote < len(data) && data[quote] == '"' {
			if end = b.closing(at, quote, &seen); end >= 0 {
				from, to = quote, end+1
				i = skipBlanks(data, end+1, b.delimiter)
			}
		}
		if end < 0 {
			var value []byte
			i, value = b.plainField(i)
			from += len(value) - len(bytes.TrimLeft(value, " "))
			to = from + len(bytes.TrimSpace(value))
		}
		if k == column {
			return from, to, true
		}
		if i >= len(data) || data[i] == '\n' || data[i] == '\r' {
			return i, i, false
		}
		i++
	}
}
