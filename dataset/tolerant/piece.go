package tolerant

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/internal/words"
)

// piece is one table of one file, before its cells are read.
type piece struct {
	name    string
	text    text
	rows    int
	bytes   int64
	width   int // fields of a row of text; 0: rows are not ragged
	names   []string
	units   []string // of the columns, where a line of the file says them
	named   bool     // by the file
	remarks []Remark
	shape   []int    // of a row, where the file is a stack of images or tensors
	known   []Column // columns whose numbers are known already; nil: none, or Kind Empty where not
}

var sprintf = fmt.Sprintf

func (p *piece) remark(way, format string, args ...any) {
	p.remarks = append(p.remarks, Remark{Text: sprintf(format, args...), Way: way})
}

// openDocument finds out what a file is and where its rows are.
func openDocument(ctx context.Context, d document, o *Options) (*piece, error) {
	if len(bytes.TrimSpace(d.data)) == 0 {
		return nil, dataset.Problem(d.name, "the file is empty")
	}
	if bytes.HasPrefix(d.data, []byte("PK\x03\x04")) && bytes.Contains(d.data, []byte("xl/workbook.xml")) {
		return openWorkbook(ctx, d, o)
	}
	if format, err := file.Detect(d.name, d.data[:min(len(d.data), 1<<16)], len(d.data) <= 1<<16); err == nil && format != file.CSV && format != file.TSV {
		return openCoded(ctx, d.name, bytes.NewReader(d.data), o)
	}
	data, encoding := decode(d.data, o.Encoding)
	if looksLikeJSON(data) {
		return openJSON(ctx, document{d.name, data}, o)
	}
	if _, err := file.Detect(d.name, data[:min(len(data), 1<<16)], len(data) <= 1<<16); err != nil {
		return nil, err
	}
	p, b, err := openText(document{d.name, data}, o)
	if err != nil {
		return nil, err
	}
	b.encoding = encoding
	switch {
	case encoding.mixed:
		p.remark("--encoding names one for all.", "Some lines are UTF-8 and others Windows-1252; each was read as what it is.")
	case encoding.name != "utf-8":
		p.remark("--encoding names another.", "The text was read as %s.", encodingNames[encoding.name])
	}
	return p, nil
}

var encodingNames = map[string]string{"utf-8": "UTF-8", "utf-16le": "UTF-16 (little-endian)", "utf-16be": "UTF-16 (big-endian)", "windows-1252": "Windows-1252"}

// openText opens delimited text.
func openText(d document, o *Options) (*piece, *body, error) {
	b := &body{name: d.name, data: d.data, line: 1, columns: o.maxColumns() + 1}
	longest := longestLine
	if o.Trust {
		longest = 1 << 40
		b.columns = 1 << 30
	}
	if end := lineEnd(d.data); end > longest { // before anything is made of its fields
		return nil, nil, b.index(0, 1, longest)
	}
	l, err := b.findLayout(o)
	if err != nil {
		return nil, nil, err
	}
	if err := b.index(l.body, o.Limit, longest); err != nil {
		return nil, nil, err
	}
	p := &piece{name: d.name, text: b, rows: len(b.starts), width: b.width, names: l.names, named: l.header}
	if p.rows == 0 {
		return nil, nil, dataset.Problem(d.name, "the file has column names but no rows").WithHint("give {header} no if the only line is a row")
	}
	p.describe(b, l, o)
	return p, b, nil
}

// describe says what was found out about the file.
func (p *piece) describe(b *body, l *layout, o *Options) {
	if b.width > 1 && b.delimiter != ',' && o.Delimiter == "" {
		p.remark("--delimiter names another.", "Fields are separated by %s.", delimiterName(b.delimiter))
	}
	if !l.header && o.Header == "" {
		p.remark("--header yes takes the first line for names.", "The file names no columns.")
	}
	if l.shifted {
		p.remark("", "The first column has no name; the header has one name less than rows have fields.")
	}
	switch l.below {
	case units:
		p.remark("", "The line below the header holds units (%s) and is no row.", strings.Join(slices.DeleteFunc(slices.Clone(l.units), func(u string) bool { return u == "" }), ", "))
		p.units = l.units
	case twoLines:
		p.remark("--header no makes rows of them.", "The names stand in two lines, which were put together.")
	}
	if b.headers > 0 {
		p.remark("", "%s the header and %s left out.", repeat(b.headers), wasWere(b.headers))
	}
	if b.remarks > 0 {
		p.remark("", "%s with # between the rows and %s left out.", begin(b.remarks), wasWere(b.remarks))
	}
	if n := len(l.titles); n > 0 {
		p.remark("", "%s above the table %s left out: %s.", words.Plural(n, "line"), wasWere(n), quoteShort(strings.Join(l.titles, " / ")))
	}
}

func repeat(n int) string {
	if n == 1 {
		return "1 line repeats"
	}
	return words.Plural(n, "line") + " repeat"
}

func begin(n int) string {
	if n == 1 {
		return "1 line begins"
	}
	return words.Plural(n, "line") + " begin"
}

func wasWere(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

func delimiterName(d byte) string {
	switch d {
	case '\t':
		return "tabs"
	case ' ':
		return "blanks"
	case ';':
		return "semicolons"
	case '|':
		return "vertical bars"
	}
	return sprintf("%q", string(d))
}
