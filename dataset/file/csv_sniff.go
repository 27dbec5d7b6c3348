package file

import (
	"strconv"
	"strings"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/internal/cell"
	"github.com/inlier-ml/inlier/dataset/internal/record"
)

// layout is what the beginning of a text file tells about all of it.
type layout struct {
	delimiter byte
	header    bool
	fields    []field
	width     int // fields of a record: len(fields), or one more that is always empty
}

// mostSampled bounds the records that are looked at.
const mostSampled = 20000

// sniff finds delimiter, header and kinds of columns from whole records, the first of which
// stands in the given line.
func sniff(name string, text []byte, line int, opts *Options) (*layout, error) {
	forced, err := opts.delimiter()
	if err != nil {
		return nil, err
	}
	l := &layout{delimiter: forced}
	if forced == 0 {
		l.delimiter = record.GuessDelimiter(text, opts.DecimalComma, opts.maxColumns())
	}
	sample, at, wrong := record.Sample(text, l.delimiter, mostSampled, opts.maxColumns())
	if wrong != "" {
		return nil, &dataset.InputError{File: name, Line: line - 1 + at, Problem: wrong}
	}
	if len(sample) == 0 {
		return nil, problem(name, "the file has no rows")
	}
	switch opts.Header {
	case HeaderYes:
		l.header = true
	case HeaderAuto:
		l.header = opts.ByName && record.Names(sample[0], opts.Columns) || record.LooksLikeHeader(sample, opts.kindOf) ||
			record.NumbersName(sample, func(f []byte) (float64, cell.Kind) { return classify(f, opts.DecimalComma) })
	}
	l.width = len(sample[0])
	if err := opts.checkColumns(name, l.width, int64(len(text))); err != nil {
		return nil, err
	}
	body := sample
	if l.header {
		body = sample[1:]
		if len(body) == 0 {
			return nil, problem(name, "the file has column names but no rows").WithHint("give {header} no if the only line is a row")
		}
	}
	if err := l.nameFields(name, sample[0]); err != nil {
		return nil, err
	}
	for k := range l.fields {
		l.fields[k].kind, l.fields[k].texts = columnKind(body, k, opts.DecimalComma)
	}
	l.dropEmptyTail(sample)
	return l, nil
}

// nameFields takes names from the header, or makes them up.
func (l *layout) nameFields(file string, header [][]byte) error {
	l.fields = make([]field, l.width)
	seen := map[string]int{}
	for k := range l.fields {
		name := "x" + strconv.Itoa(k+1)
		if l.header {
			name = strings.TrimSpace(cell.Decode(header[k]))
			if name == "" {
				name = "column" + strconv.Itoa(k+1)
			}
			if err := checkName(file, name, "column"); err != nil {
				return err
			}
		}
		if other, ok := seen[name]; ok {
			return problem(file, "columns %d and %d are both named %q", other+1, k+1, name).
				WithHint("rename one, or give {header} no if the first line is a row")
		}
		seen[name] = k
		l.fields[k].name = name
	}
	return nil
}

// dropEmptyTail forgets a last column that exists only because every line ends with a
// delimiter.
func (l *layout) dropEmptyTail(sample [][][]byte) {
	if l.width < 2 || len(sample) < 2 {
		return
	}
	for _, r := range sample {
		if len(r) != l.width || len(cell.Trim(r[l.width-1])) > 0 {
			return
		}
	}
	l.fields = l.fields[:l.width-1]
}

// columnKind tells numbers from categories: a column is text when at least half of its
// values are, or when it has some and few different values in all. Other columns are
// numbers, and a text among them is a mistake to be reported. Some tells whether there is
// any text at all.
func columnKind(body [][][]byte, k int, decimalComma bool) (kind dataset.Kind, some bool) {
	const few = 20
	numbers, texts := 0, 0
	for _, r := range body {
		if k >= len(r) {
			continue
		}
		switch _, kind := classify(r[k], decimalComma); kind {
		case cell.Missing:
		case cell.Text:
			texts++
		default:
			numbers++
		}
	}
	switch {
	case texts == 0:
		return dataset.Number, false
	case texts >= numbers:
		return dataset.Text, true
	}
	distinct := map[string]bool{}
	for _, r := range body {
		if k < len(r) && !cell.IsMissing(cell.Trim(r[k])) {
			if distinct[string(r[k])] = true; len(distinct) > few {
				return dataset.Number, true
			}
		}
	}
	if numbers+texts > 2*len(distinct) {
		return dataset.Text, true
	}
	return dataset.Number, true
}

// kindOf is what a field is.
func (o *Options) kindOf(field []byte) cell.Kind {
	_, kind := classify(field, o.DecimalComma)
	return kind
}

// classify is Parse for a field that may have a decimal comma. A point is no number there where it
// could stand between thousands: 1.252 is 1252 to some who write decimal commas and 1,252 to others.
func classify(b []byte, decimalComma bool) (float64, cell.Kind) {
	if decimalComma {
		var small [64]byte
		if len(b) <= len(small) {
			n := copy(small[:], b)
			points := false
			for i, c := range small[:n] {
				switch c {
				case ',':
					small[i] = '.'
				case '.':
					points = true
				}
			}
			if points && groupsThousands(b) {
				return 0, cell.Text
			}
			return cell.Parse(small[:n])
		}
	}
	return cell.Parse(b)
}

// groupsThousands tells whether points stand between groups of three digits: 1.252,5 and -12.000.000,
// but not 0.125.
func groupsThousands(field []byte) bool {
	text := strings.TrimLeft(string(cell.Trim(field)), "+-")
	return strings.Contains(text, ".") && text[0] != '0' && isGrouped(text, ".", ",")
}
