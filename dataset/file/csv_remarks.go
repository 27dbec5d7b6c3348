package file

import (
	"bytes"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/internal/record"
)

// remarkSign begins a line above a table that is no part of it.
const remarkSign = '#'

// remarks are the lines above a table that say something of it to people, as many
// instruments and numpy.savetxt write them.
type remarks struct{ lines, bytes int }

// remarksAbove are the lines before the first that is neither blank nor a remark; none where
// the text ends with them.
func remarksAbove(text []byte) remarks {
	var found remarks
	for at, line := 0, 0; at < len(text); line++ {
		content, end := lineAt(text, at)
		switch {
		case len(content) == 0:
		case content[0] != remarkSign:
			return found
		default:
			found = remarks{line + 1, end}
		}
		at = end
	}
	return remarks{}
}

// lineAt is the line that begins at a place, without blanks around it, and where the next begins.
func lineAt(text []byte, at int) (content []byte, next int) {
	next = len(text)
	if end := bytes.IndexByte(text[at:], '\n'); end >= 0 {
		next = at + end + 1
	}
	return bytes.TrimSpace(text[at:next]), next
}

// findRemarks tells remarks from rows and column names that begin with the sign. All are
// remarks when names of columns of numbers stand below them; otherwise those lines are not that
// are the last above the table and have its number of fields.
func findRemarks(text []byte, opts *Options) remarks {
	all := remarksAbove(text)
	if all.lines == 0 {
		return all
	}
	table := text[all.bytes:]
	delimiter, err := opts.delimiter()
	if err != nil || delimiter == 0 {
		delimiter = record.GuessDelimiter(table, opts.DecimalComma, opts.maxColumns())
	}
	below, _, wrong := record.Sample(table, delimiter, 100, opts.maxColumns())
	if wrong != "" || len(below) == 0 || opts.Header != HeaderNo && namesNumbers(below, opts.DecimalComma) {
		return all
	}
	var found remarks
	for at, line := 0, 0; at < all.bytes; line++ {
		_, end := lineAt(text, at)
		above, _, wrong := record.Sample(text[at:end], delimiter, 1, opts.maxColumns())
		if wrong != "" || len(above) > 0 && len(above[0]) != len(below[0]) {
			found = remarks{line + 1, end}
		}
		at = end
	}
	return found
}

// separatorLine is a first line such as sep=; by which spreadsheets tell the delimiter; it
// does here as well, unless the user has named one.
func separatorLine(text []byte, opts *Options) remarks {
	content, next := lineAt(text, 0)
	content = bytes.Trim(content, `"`)
	if len(content) != len("sep=;") || !bytes.EqualFold(content[:4], []byte("sep=")) || next == len(text) {
		return remarks{}
	}
	named := *opts
	if named.Delimiter = string(content[4:]); opts.Delimiter == "" {
		if _, err := named.delimiter(); err != nil {
			return remarks{}
		}
		opts.Delimiter = named.Delimiter
	}
	return remarks{lines: 1, bytes: next}
}

// namesNumbers tells whether the first record has a text above a column of numbers.
func namesNumbers(sample [][][]byte, decimalComma bool) bool {
	for k := range sample[0] {
		if kind, _ := columnKind(sample[:1], k, decimalComma); kind != dataset.Text || len(sample) < 2 {
			continue
		}
		if kind, texts := columnKind(sample[1:], k, decimalComma); kind == dataset.Number && !texts {
			return true
		}
	}
	return false
}
