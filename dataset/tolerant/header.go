package tolerant

import (
	"bytes"
	"math"

	"github.com/inlier-ml/inlier/dataset/internal/cell"
	"github.com/inlier-ml/inlier/dataset/internal/record"
)

// skipTitles counts the records above the table: remarks, and titles of one field where records have more.
func (b *body) skipTitles(sample [][][]byte) int {
	const most = 30
	n := 0
	for n < len(sample)-1 && n < most && (b.isTitle(sample[n]) || isRemark(sample[n]) && aboveHeader(sample[n:])) {
		n++
	}
	if n == len(sample)-1 || n == most {
		return 0
	}
	return n
}

// isTitle tells whether a record is no row and no header.
func (b *body) isTitle(fields [][]byte) bool {
	filled, text := 0, false
	for _, f := range fields {
		if len(trim(f)) > 0 {
			filled++
			text = text || valueLike(f) == cell.Text
		}
	}
	if isRemark(fields) && len(fields) != b.width {
		return true
	}
	return filled <= 1 && text && b.width > 2 || b.width > 2 && 2*len(fields) <= b.width
}

// isRemark tells whether a record begins as remarks do; a # alone is the name of a column.
func isRemark(fields [][]byte) bool {
	if len(fields) == 0 {
		return false
	}
	first := trim(fields[0])
	return len(first) > 1 && first[0] == '#'
}

// aboveHeader tells whether a header follows the remarks that records begin with, so that none of them is it.
func aboveHeader(sample [][][]byte) bool {
	for len(sample) > 0 && isRemark(sample[0]) {
		sample = sample[1:]
	}
	return len(sample) > 1 && looksLikeHeader(sample)
}

// looksLikeHeader tells whether the first record names the columns. Values there say that it does not, unless
// they are years over numbers, wavelengths or the like, or no other record has values like them, or text stands over numbers elsewhere too.
func looksLikeHeader(sample [][][]byte) bool {
	if len(sample) == 0 {
		return false
	}
	if len(sample) > 1 && (namesYears(sample) || namesMeasures(sample) || record.NumbersName(sample, bareValue)) {
		return true
	}
	if !record.LooksLikeHeader(sample, valueLike) {
		return false
	}
	values, texts := 0, 0
	for _, f := range sample[0] {
		switch valueLike(f) {
		case cell.Number:
			values++
		case cell.Text:
			texts++
		}
	}
	return texts >= values
}

// namesYears tells whether the numbers of the first record are years that rise from column to column, as in a table
// with a column for each.
func namesYears(sample [][][]byte) bool {
	last, n := 0.0, 0
	for _, f := range sample[0] {
		v, kind := cell.Parse(f)
		if kind != cell.Number {
			continue
		}
		if v != float64(int(v)) || v < 1800 || v > 2100 || v <= last {
			return false
		}
		last = v
		n++
	}
	return n > 1
}

// namesMeasures tells whether the values of the first record have units, or are dates, over bare numbers, as 900nm
// and 2024-01 do that name columns.
func namesMeasures(sample [][][]byte) bool {
	measures, texts := 0, 0
	for k, f := range sample[0] {
		if valueLike(f) == cell.Text {
			texts++
			continue
		}
		if len(trim(f)) == 0 {
			continue
		}
		if isBare(f) {
			return false
		}
		bare := 0
		for _, fields := range sample[1:] {
			if k >= len(fields) || valueLike(fields[k]) == cell.Missing {
				continue
			}
			if !isBare(fields[k]) {
				return false
			}
			bare++
		}
		if bare > 0 {
			measures++
		}
	}
	return measures > 1 || measures == 1 && texts > 0
}

// isBare tells whether a field is a number without a unit.
func isBare(f []byte) bool {
	d, ok := undress(trim(f))
	if !ok || len(d.unit) > 0 {
		return false
	}
	_, _, ok = d.read(marking{})
	return ok
}

// bareValue is the number of a field, NaN where it has a unit or is a date, and its kind.
func bareValue(f []byte) (float64, cell.Kind) {
	kind := valueLike(f)
	if d, ok := undress(trim(f)); kind == cell.Number && ok && len(d.unit) == 0 {
		if v, _, ok := d.read(marking{}); ok {
			return v, kind
		}
	}
	return math.NaN(), kind
}

// second is what the record below a header is.
type second uint8

const (
	aRow     second = iota
	rule            // of dashes
	units           // of the columns
	twoLines        // of names
)

// below tells what the record below the header is: mostly a row.
func below(sample [][][]byte) second {
	if len(sample) < 3 {
		return aRow
	}
	header, line, rest := sample[0], sample[1], sample[2:]
	if isRule(line) {
		return rule
	}
	for _, f := range line {
		if valueLike(f) == cell.Number {
			return aRow
		}
	}
	over, numeric, short, merged := 0, 0, true, false
	for k, f := range line {
		below := numbersIn(rest, k)
		if below {
			numeric++
		}
		if valueLike(f) == cell.Missing {
			continue
		}
		if below {
			over++
		} else if comesAgain(rest, k, f) {
			return aRow
		}
		short = short && unitText(f) != ""
		merged = merged || k > 0 && k <= len(header) && (k == len(header) || len(trim(header[k])) == 0) && len(trim(header[k-1])) > 0
	}
	switch {
	case over == 0 || over == 1 && numeric > 1:
		return aRow
	case short && !merged:
		return units
	}
	return twoLines
}

// isRule tells whether a record is drawn: |---|---|.
func isRule(fields [][]byte) bool {
	long := 0
	for _, f := range fields {
		f = trim(f)
		if len(bytes.Trim(f, "-=:+ ")) > 0 {
			return false
		}
		if len(f) > 1 {
			long++
		}
	}
	return long > 0 && 2*long >= len(fields)
}

// numbersIn tells whether a column holds values, but for one of ten cells.
func numbersIn(rows [][][]byte, k int) bool {
	values, others := 0, 0
	for _, fields := range rows {
		if k >= len(fields) {
			continue
		}
		switch valueLike(fields[k]) {
		case cell.Number:
			values++
		case cell.Text:
			others++
		}
	}
	return values > 9*others
}

func comesAgain(rows [][][]byte, k int, text []byte) bool {
	for _, fields := range rows {
		if k < len(fields) && bytes.Equal(fields[k], text) {
			return true
		}
	}
	return false
}

// unitText is the unit in a line of units: m, [m], (m/s), -; empty where there is none.
func unitText(f []byte) string {
	f = bytes.Trim(trim(f), "[]() ")
	if len(f) == 0 || len(f) > 16 || bytes.IndexByte(f, ' ') >= 0 || !isUnit(f) {
		return ""
	}
	return string(f)
}
