package tolerant

import (
	"bytes"

	"github.com/inlier-ml/inlier/dataset/internal/record"
)

// longestQuotation is how far the end of a quotation is looked for.
const longestQuotation = 1 << 20

// quotations remembers what was found out while records are split one after the other, so that marks that are never
// closed do not cost a search each.
type quotations struct {
	from, end int // no quotation ends in between
}

// closing is the mark that ends the quotation at i of a record that begins at a place; -1 where it is
// none: never closed, or over lines that are records by themselves.
func (b *body) closing(record, i int, seen *quotations) int {
	limit := min(len(b.data), i+longestQuotation)
	for from := i + 1; ; {
		at := b.nextEnd(from, seen)
		if at >= limit {
			return -1
		}
		first := at // of the marks that stand together here: two of them are one of the text
		for first > i+1 && b.data[first-1] == '"' {
			first--
		}
		if (at-first)%2 == 1 {
			from = at + 1
			continue
		}
		if bytes.IndexByte(b.data[i:at], '\n') >= 0 && !doubled(b.data[i+1:at]) && b.linesAreWhole(record, at) {
			return -1
		}
		return at
	}
}

// inBrackets is the place behind the bracket that closes what one opens at i, as web servers write times between blanks: [31/Jan/2024:12:30:00
// +0100]. It is -1 where there is no such thing.
func inBrackets(data []byte, i int) int {
	const longest = 64
	if i+1 >= len(data) || data[i] != '[' || !isDigit(data[i+1]) {
		return -1
	}
	text := data[i:min(len(data), i+longest)]
	end := bytes.IndexAny(text, "]\n")
	if end < 0 || text[end] == '\n' {
		return -1
	}
	if _, ok := parseStamp(text[:end+1]); !ok {
		return -1
	}
	return i + end + 1
}

// doubled tells whether a text holds marks of quotation, all of them doubled: who wrote it knows how to quote.
func doubled(text []byte) bool {
	const longest = 4096 // a search of each of many open marks must stay short
	if len(text) > longest {
		return false
	}
	marks := bytes.Count(text, []byte{'"'})
	return marks > 0 && marks == 2*bytes.Count(text, []byte(`""`))
}

// endsField tells whether a field ends at a place.
func (b *body) endsField(data []byte, at int) bool {
	return at >= len(data) || data[at] == '\n' || data[at] == '\r' || record.IsDelimiter(data[at], b.delimiter)
}

// nextEnd is the first mark from a place on that may end a quotation; the end of the data where there is none.
func (b *body) nextEnd(from int, seen *quotations) int {
	if seen.from <= from && from <= seen.end {
		return seen.end
	}
	at := from
	for at < len(b.data) {
		n := bytes.IndexByte(b.data[at:], '"')
		if n < 0 {
			at = len(b.data)
			break
		}
		at += n
		if b.endsField(b.data, skipBlanks(b.data, at+1, b.delimiter)) {
			break
		}
		at++
	}
	seen.from, seen.end = from, at
	return at
}

// linesAreWhole tells whether nearly all lines from one place to that of another have the usual number of fields.
func (b *body) linesAreWhole(from, to int) bool {
	const enough = 20
	if b.width < 2 {
		return false
	}
	lines, whole := 0, 0
	for from <= to && lines < enough {
		end := len(b.data)
		if n := bytes.IndexByte(b.data[from:], '\n'); n >= 0 {
			end = from + n + 1
		}
		lines++
		if len(b.splitPlain(lineOf(b.data[from:end]), nil)) == b.width {
			whole++
		}
		from = end
	}
	return 10*whole >= 9*lines
}
