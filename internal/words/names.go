package words

import (
	"fmt"
	"strings"
)

// Names joins names for a message and shortens long lists: "a, b and 7 more".
func Names(names []string) string {
	const most = 12
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// Or joins what one may choose from: "a, b or c".
func Or(names []string) string { return joined(names, " or ") }

// And joins what belongs together: "a, b and c".
func And(names []string) string { return joined(names, " and ") }

// joined puts commas between names and a word before the last.
func joined(names []string, last string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	k := len(names) - 1
	return strings.Join(names[:k], ", ") + last + names[k]
}

// Noun is the noun for a count that is written elsewhere: "column", "columns".
func Noun(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// Are is the verb for a count.
func Are(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// Clip keeps a text that quotes a file, such as the name of a column, within a line.
func Clip(text string) string { return cut(text, 1000) }

// Glimpse is as much of a cell as a table for people has room for: one may hold a book.
func Glimpse(text string) string { return cut(text, 200) }

func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "..."
}
