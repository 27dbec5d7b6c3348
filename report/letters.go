package report

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"gonum.org/v1/plot/vg"
)

// clean makes a text safe for every output: valid UTF-8 on one line, without
// control characters (which XML forbids and terminals obey).
func clean(s string) string {
	ok := utf8.ValidString(s)
	if ok {
		for _, r := range s {
			if forbidden(r) {
				ok = false
				break
			}
		}
	}
	if ok {
		return s
	}
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(s, "\uFFFD") {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			b.WriteByte(' ')
		case forbidden(r):
			b.WriteRune('\uFFFD')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// forbidden reports control characters, including those that turn the reading
// direction (they can disguise a text), and code points that XML does not allow.
func forbidden(r rune) bool {
	switch {
	case unicode.IsControl(r), r == '\uFFFE', r == '\uFFFF':
		return true
	case r >= '\u202A' && r <= '\u202E', r >= '\u2066' && r <= '\u2069':
		return true
	}
	return false
}

// shorten cuts s to at most width in the given lettering, marking the cut with an
// ellipsis.
func shorten(l lettering, s string, width vg.Length) string {
	if l.width(s) <= width {
		return s
	}
	runes := []rune(s)
	low, high := 0, len(runes) // longest prefix that fits
	for low < high {
		mid := (low + high + 1) / 2
		if l.width(string(runes[:mid])+"…") <= width {
			low = mid
		} else {
			high = mid - 1
		}
	}
	return strings.TrimRight(string(runes[:low]), " ") + "…"
}

// wrap breaks s into lines of at most width; a single word that is too long is
// shortened.
func wrap(l lettering, s string, width vg.Length) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		switch {
		case line == "":
			line = word
		case l.width(line+" "+word) <= width:
			line += " " + word
		default:
			lines = append(lines, shorten(l, line, width))
			line = word
		}
	}
	if line != "" {
		lines = append(lines, shorten(l, line, width))
	}
	return lines
}
