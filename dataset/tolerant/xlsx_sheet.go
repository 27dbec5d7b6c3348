package tolerant

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/inlier-ml/inlier/dataset"
)

// dateStyle says what of a date a style shows.
type dateStyle uint8

const (
	noDate dateStyle = iota
	dateOnly
	timeOnly
	dateAndTime
)

// readStyles finds out which styles of cells show dates: their numbers count days.
func (b *workbook) readStyles(ctx context.Context) error {
	own := map[string]dateStyle{}
	inCells := false
	return b.each(ctx, "xl/styles.xml", func(m *markup, _ []byte) error {
		switch string(m.name) {
		case "numFmt":
			own[string(m.attribute("numFmtId"))] = dateFormat(plain(m.attribute("formatCode")))
		case "cellXfs":
			inCells = !m.closes
		case "xf":
			if !inCells || m.closes {
				break
			}
			id := string(m.attribute("numFmtId"))
			style, ok := own[id]
			if !ok {
				style = builtInFormat(id)
			}
			b.dates = append(b.dates, style)
		}
		return nil
	})
}

// builtInFormat knows the formats that have numbers instead of codes.
func builtInFormat(id string) dateStyle {
	switch n, _ := strconv.Atoi(id); {
	case n >= 14 && n <= 17, n >= 27 && n <= 31, n >= 50 && n <= 54, n == 36, n == 57, n == 58:
		return dateOnly
	case n >= 18 && n <= 21, n >= 45 && n <= 47, n >= 32 && n <= 35, n == 55, n == 56:
		return timeOnly
	case n == 22:
		return dateAndTime
	}
	return noDate
}

// dateFormat tells whether the code of a format is that of a date, such as yyyy-mm-dd, or of a time. Texts in quotes, after a
// backslash and in brackets do not count.
func dateFormat(code string) dateStyle {
	days, times := false, false
	for i := 0; i < len(code); i++ {
		switch c := code[i] | 0x20; {
		case code[i] == '"':
			if end := strings.IndexByte(code[i+1:], '"'); end >= 0 {
				i += end + 1
			}
		case code[i] == '\\' || code[i] == '_' || code[i] == '*':
			i++
		case code[i] == '[':
			end := strings.IndexByte(code[i:], ']')
			if end < 0 {
				return noDate
			}
			if inside := strings.ToLower(code[i+1 : i+end]); strings.Trim(inside, "hms") == "" && inside != "" {
				times = true
			}
			i += end
		case code[i] == ';':
			i = len(code)
		case c == 'y' || c == 'd':
			days = true
		case c == 'h' || c == 's':
			times = true
		case code[i] == '0' || code[i] == '#' || code[i] == '?':
			if !times { // seconds have decimals
				return noDate
			}
		case c == 'e' || c == 'g': // General, eras, exponents
			if strings.HasPrefix(strings.ToLower(code[i:]), "general") {
				return noDate
			}
		}
	}
	switch {
	case days && times:
		return dateAndTime
	case days:
		return dateOnly
	case times:
		return timeOnly
	case strings.ContainsAny(strings.ToLower(code), "m") && !strings.ContainsAny(code, "0#?\""):
		return dateOnly // mmm-yy has a y; mmm alone is a month
	}
	return noDate
}

// sheetReader collects the cells of a row.
type sheetReader struct {
	book    *workbook
	out     *writer
	row     []string
	line    int
	column  int
	kind    string // t of the cell
	style   int
	text    strings.Builder
	formula bool
	limit   int // columns
	rows    int
	hidden  int          // rows that the sheet does not show
	merged  []mergedRows // cells that stand for several rows
	filled  int          // of these
}

// read writes the rows of a sheet.
func (b *workbook) read(ctx context.Context, s sheet, o *Options) (*writer, error) {
	r := &sheetReader{book: b, out: newWriter(b.name, o), limit: o.maxColumns(), rows: o.Limit}
	err := b.each(ctx, s.part, r.tag)
	if err == nil && len(r.merged) > 0 { // which are told behind the rows
		again := &sheetReader{book: b, out: newWriter(b.name, o), limit: r.limit, rows: r.rows, merged: r.merged}
		slices.SortStableFunc(again.merged, func(a, b mergedRows) int { return a.from - b.from })
		b.unknown = 0
		err = b.each(ctx, s.part, again.tag)
		r = again
	}
	if err == errEnough {
		err = nil
	}
	b.hidden, b.filled = r.hidden, r.filled
	return r.out, err
}

var errEnough = dataset.Problem("", "enough rows")

func (r *sheetReader) tag(m *markup, before []byte) error {
	switch string(m.name) {
	case "row":
		if m.closes || m.empty {
			return r.endRow()
		}
		r.line++
		if n, err := strconv.Atoi(string(m.attribute("r"))); err == nil && n > 0 {
			r.line = n
		}
		if v := string(m.attribute("hidden")); v == "1" || v == "true" {
			r.hidden++
		}
		r.row, r.column = r.row[:0], -1
	case "c":
		if m.closes {
			return r.endCell()
		}
		r.column++
		if place := m.attribute("r"); place != nil {
			r.column = columnNumber(place)
		}
		r.kind, r.style = string(m.attribute("t")), 0
		if s := m.attribute("s"); s != nil {
			r.style, _ = strconv.Atoi(string(s))
		}
		r.text.Reset()
		r.formula = false
	case "mergeCell":
		r.addMerged(m.attribute("ref"))
	case "f":
		r.formula = true
	case "v", "t":
		if m.closes {
			r.text.WriteString(plain(before))
		}
	case "":
		r.text.Write(before)
	}
	return nil
}

// columnNumber is the column, from 0, of a place such as AB12.
func columnNumber(place []byte) int {
	n := 0
	for _, c := range place {
		if c |= 0x20; c < 'a' || c > 'z' || n > 1<<20 {
			break
		}
		n = 26*n + int(c-'a') + 1
	}
	return n - 1
}

func (r *sheetReader) endCell() error {
	text := r.text.String()
	if text == "" {
		if r.formula {
			r.book.unknown++
		}
		return nil
	}
	if r.column < 0 || r.column >= r.limit {
		return dataset.Problem(r.book.name, "row %d has more than the allowed %d columns", r.line, r.limit).WithHint(lift)
	}
	switch r.kind {
	case "s":
		k, err := strconv.Atoi(text)
		if err != nil || k < 0 || k >= len(r.book.shared) {
			return dataset.Problem(r.book.name, "row %d refers to a text that is not there", r.line)
		}
		text = r.book.shared[k]
	case "b":
		text = strconv.FormatBool(text == "1" || text == "true")
	case "", "n":
		if r.style >= 0 && r.style < len(r.book.dates) && r.book.dates[r.style] != noDate {
			text = r.book.day(text, r.book.dates[r.style])
		}
	}
	for len(r.row) <= r.column {
		r.row = append(r.row, "")
	}
	r.row[r.column] = text
	return nil
}

// endRow writes the row, if there is anything in it.
func (r *sheetReader) endRow() error {
	for _, text := range r.row {
		if text != "" {
			if r.rows > 0 && r.out.rows() > r.rows+100 { // which titles may take
				return errEnough
			}
			r.fillMerged()
			r.out.add(r.row, r.line)
			break
		}
	}
	r.row = r.row[:0]
	return nil
}

// day writes a number of days as a date; what is none stays a number.
func (b *workbook) day(text string, style dateStyle) string {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || v < 0 || v > 2958466 {
		return text
	}
	thousandths := int64(math.Round(v * 86400 * 1000)) // 9999-12-31 is too far for a time.Duration
	at := time.UnixMilli(int64(b.since)*86400*1000 + thousandths).UTC()
	whole := v == math.Trunc(v)
	switch {
	case style == timeOnly && v < 1:
		return at.Format("15:04:05.999")
	case style == timeOnly: // hours that add up
		return strconv.FormatFloat(v, 'g', -1, 64)
	case style == dateOnly && whole:
		return at.Format("2006-01-02")
	}
	return at.Format("2006-01-02 15:04:05.999")
}
