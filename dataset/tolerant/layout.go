package tolerant

import (
	"bytes"
	"strings"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/internal/cell"
	"github.com/inlier-ml/inlier/dataset/internal/record"
	"github.com/inlier-ml/inlier/internal/words"
)

// unitSeparator is between the fields of text that we have written ourselves.
const unitSeparator = 0x1f

// looked is how much of a text is looked at to find its delimiter and header.
const looked = 1 << 18

// layout is what the beginning of a text tells.
type layout struct {
	names   []string // of the columns; made up where there is no header
	header  bool
	rows    int      // where the first row or header begins
	body    int      // where the first row begins
	titles  []string // lines above
	shifted bool     // the first column has no name
	below   second   // what stands below the header
	units   []string // of the columns, where a line says them
}

// findLayout finds delimiter, header and lines that stand above the table.
func (b *body) findLayout(o *Options) (*layout, error) {
	l := &layout{}
	head := b.head()
	if err := b.chooseDelimiter(o, head, l); err != nil {
		return nil, err
	}
	b.quotes = b.delimiter != unitSeparator && bytes.IndexByte(head, '"') >= 0
	sample, places := b.sampleRecords(l.rows, len(head), 200)
	if len(sample) == 0 {
		return nil, dataset.Problem(b.name, "the file has no rows")
	}
	if b.width == 0 { // else it is known, from a workbook
		b.width = usualWidth(sample)
	}
	if b.width >= b.columns {
		return nil, dataset.Problem(b.name, "its lines have more than the allowed %d fields", b.columns-1).WithHint("{delimiter} names what separates them; {trust} lifts the limit")
	}
	first := b.skipTitles(sample)
	for _, fields := range sample[:first] {
		l.titles = append(l.titles, string(bytes.TrimSpace(bytes.Join(fields, []byte(" ")))))
	}
	sample, places = sample[first:], places[first:]
	l.rows, l.body = places[0], places[0]
	switch o.Header {
	case "yes":
		l.header = true
	case "":
		l.header = record.Names(sample[0], o.Names) || looksLikeHeader(sample)
	}
	if l.header {
		l.body = places[1]
		b.header = lineOf(b.data[places[0]:places[1]])
		if l.below = below(sample); l.below != aRow {
			l.body = places[2]
		}
	}
	l.nameColumns(b, sample)
	if l.below == units {
		l.units = make([]string, b.width)
		for j := range min(b.width, len(sample[1])) {
			l.units[j] = unitText(sample[1][j])
		}
	}
	return l, nil
}

// nameColumns takes names from the header, or makes them up. A header with one name less than rows have fields lacks that
// of the first, which holds the names of the rows, as R writes it.
func (l *layout) nameColumns(b *body, sample [][][]byte) {
	names := sample[0]
	if l.below == twoLines {
		names = joined(names, sample[1])
	}
	if l.header && b.delimiter != unitSeparator {
		if b.width > 2 && len(names) == b.width-1 && !endsEmpty(sample[1:], b.width) {
			names, l.shifted = append([][]byte{nil}, names...), true
		}
		b.width = max(b.width, len(names))
	}
	l.names = make([]string, b.width)
	for j := range l.names {
		switch {
		case !l.header:
			l.names[j] = columnName(j)
		case j < len(names):
			l.names[j] = words.Clip(words.OneLine(strings.TrimSpace(cell.Decode(names[j]))))
		}
	}
}

// joined puts two lines of names together; a name above stands for the empty ones behind it too.
func joined(above, below [][]byte) [][]byte {
	names := make([][]byte, max(len(above), len(below)))
	var group []byte
	for j := range names {
		var sub []byte
		if j < len(below) && valueLike(below[j]) == cell.Text {
			sub = trim(below[j])
		}
		if j < len(above) && len(trim(above[j])) > 0 {
			group = trim(above[j])
		} else if len(sub) == 0 {
			group = nil
		}
		if bytes.Equal(group, sub) { // a merged cell
			sub = nil
		}
		names[j] = bytes.TrimSpace(bytes.Join([][]byte{group, sub}, []byte{' '}))
	}
	return names
}

// endsEmpty tells that rows have nothing in their last field: they end with a delimiter, and the header does not.
func endsEmpty(rows [][][]byte, width int) bool {
	for _, fields := range rows {
		if len(fields) == width && len(bytes.TrimSpace(fields[width-1])) > 0 {
			return false
		}
	}
	return true
}

// head is the beginning of the data, whole lines if possible.
func (b *body) head() []byte {
	if len(b.data) <= looked {
		return b.data
	}
	if end := bytes.LastIndexByte(b.data[:looked], '\n'); end > 0 {
		return b.data[:end+1]
	}
	if end := bytes.IndexByte(b.data[looked:], '\n'); end >= 0 {
		return b.data[:looked+end+1]
	}
	return b.data
}

// chooseDelimiter takes the user's, that of a line such as sep=; or the one that splits most lines alike.
func (b *body) chooseDelimiter(o *Options, head []byte, l *layout) error {
	if b.delimiter != 0 {
		return nil
	}
	if line := bytes.Trim(lineOf(head[:lineEnd(head)]), "\" "); len(line) == 5 && bytes.EqualFold(line[:4], []byte("sep=")) {
		b.delimiter, l.rows = line[4], lineEnd(head)
	}
	if o.Delimiter != "" {
		d, ok := delimiters[strings.ToLower(o.Delimiter)]
		if !ok && len(o.Delimiter) == 1 && strings.IndexByte("\"\n\r.", o.Delimiter[0]) < 0 {
			d, ok = o.Delimiter[0], true
		}
		if !ok {
			return dataset.In("delimiter", dataset.Problem("", "delimiter is %q; it can be one character, or tab, space, comma, semicolon, pipe", o.Delimiter))
		}
		b.delimiter = d
	}
	if b.delimiter != 0 {
		return nil
	}
	if blank := b.splitBy(' ', l.rows, len(head)); alike(blank) && holdStamps(blank) {
		return nil
	}
	// Commas stand in numbers and texts; what else splits all lines alike is preferred.
	comma := b.splitBy(',', l.rows, len(head))
	if d := record.GuessDelimiter(head, true, b.columns); d == ';' || d == '\t' || d == '|' {
		if sample := b.splitBy(d, l.rows, len(head)); alike(sample) && (!equal(comma) || equal(sample)) {
			return nil
		}
	}
	guess := record.GuessDelimiter(head, false, b.columns)
	if sample := b.splitBy(guess, l.rows, len(head)); usualWidth(sample) > 1 || mostlyValues(sample) {
		if guess == ',' && aloneWithCommas(sample, o.Names) {
			b.delimiter = notIn(head)
		}
		return nil
	}
	if sample := b.splitBy(' ', l.rows, len(head)); namesRows(sample) {
		return nil
	}
	for _, d := range []byte("^~:!\x01") { // seldom seen
		if sample := b.splitBy(d, l.rows, len(head)); len(sample) > 2 && equal(sample) {
			return nil
		}
	}
	b.delimiter = guess
	return nil
}

// splitBy splits the first records by a delimiter, which is the body's from then on.
func (b *body) splitBy(delimiter byte, from, to int) [][][]byte {
	b.delimiter, b.quotes = delimiter, true
	sample, _ := b.sampleRecords(from, to, 100)
	return sample
}

// equal tells whether all records have the same number of fields, more than one.
func equal(sample [][][]byte) bool {
	for _, fields := range sample {
		if len(fields) < 2 || len(fields) != len(sample[0]) {
			return false
		}
	}
	return len(sample) > 0
}

// holdStamps tells that nearly all records hold a date and time whose own blanks are within quotes or brackets: those around it part fields.
func holdStamps(sample [][][]byte) bool {
	n := 0
	for _, fields := range sample {
		for _, f := range fields {
			if bytes.IndexByte(f, ' ') < 0 {
				continue
			}
			if s, ok := parseStamp(f); ok && s.parts > 0 && s.time.given {
				n++
				break
			}
		}
	}
	return 10*n >= 9*len(sample)
}

// namesRows tells whether all records have the same number of fields but for the first, which lacks the name of the first, as R
// writes tables.
func namesRows(sample [][][]byte) bool {
	return len(sample) > 3 && equal(sample[1:]) && len(sample[1]) > 2 && len(sample[0]) == len(sample[1])-1
}

// mostlyValues tells whether records of one field are mostly numbers or dates, whatever marks these hold.
func mostlyValues(sample [][][]byte) bool {
	values := 0
	for _, fields := range sample {
		if len(fields) > 0 && valueLike(fields[0]) == cell.Number {
			values++
		}
	}
	return 2*values >= len(sample)
}

// aloneWithCommas tells that commas stand within the values of a column that is alone: below one name each line is one value as a whole,
// such as 57,86 or 1,234.50 USD, and some have a comma.
func aloneWithCommas(sample [][][]byte, names []string) bool {
	if len(sample) == 0 || len(sample[0]) != 1 || valueLike(sample[0][0]) != cell.Text && !record.Names(sample[0], names) {
		return false
	}
	met := false
	for _, fields := range sample[1:] {
		if len(fields) > 1 {
			met = true
			if valueLike(bytes.Join(fields, []byte(","))) != cell.Number {
				return false
			}
		}
	}
	return met
}

// notIn is a delimiter that the text does not hold; the comma where it holds all.
func notIn(head []byte) byte {
	for _, d := range []byte("\t;|") {
		if bytes.IndexByte(head, d) < 0 {
			return d
		}
	}
	return ','
}

var delimiters = map[string]byte{"tab": '\t', `\t`: '\t', "space": ' ', "blank": ' ', "comma": ',', "semicolon": ';', "pipe": '|'}

func lineEnd(text []byte) int {
	if n := bytes.IndexByte(text, '\n'); n >= 0 {
		return n + 1
	}
	return len(text)
}

// alike tells whether nine of ten records have the same number of fields, more than one.
func alike(sample [][][]byte) bool {
	width, n := usualWidth(sample), 0
	for _, fields := range sample {
		if len(fields) == width {
			n++
		}
	}
	return width > 1 && 10*n >= 9*len(sample)
}

// sampleRecords splits the first records, and tells where each begins and the last ends.
func (b *body) sampleRecords(from, to, most int) (sample [][][]byte, places []int) {
	var seen quotations
	for from < to && len(sample) < most {
		end := from + lineEnd(b.data[from:])
		if record.Blank(lineOf(b.data[from:end]), b.delimiter) {
			from = end
			continue
		}
		fields, next := b.split(from, nil, &seen)
		sample, places = append(sample, fields), append(places, from)
		from = next
	}
	return sample, append(places, from)
}

// usualWidth is the number of fields that most records have; of equals the larger.
func usualWidth(sample [][][]byte) int {
	counts := map[int]int{}
	for _, fields := range sample {
		counts[len(fields)]++
	}
	width, best := 1, 0
	for w, n := range counts {
		if n > best || n == best && w > width {
			width, best = w, n
		}
	}
	return width
}
