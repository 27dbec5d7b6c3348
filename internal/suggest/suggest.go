// Package suggest finds the name that was probably meant by a mistyped one.
package suggest

import "strings"

const (
	// mostNames bounds how many names are looked at, longest how long they may be: a table
	// may have a million columns, and a file that is no table has names of any length.
	mostNames = 1000
	longest   = 64
)

// Nearest returns the known name that is nearest to what was typed, whatever the case of
// letters, or nothing when none is near: two letters may differ, in longer names a third
// of them. Of several as near, the first is meant.
func Nearest(typed string, known []string) string {
	if len(typed) > longest {
		return ""
	}
	lower := strings.ToLower(typed)
	nearest, least := "", max(2, len(typed)/3)+1
	for _, name := range known[:min(len(known), mostNames)] {
		if len(name) > longest {
			continue
		}
		// A name that shares no letter with the typed one is never near.
		if d := distance(lower, strings.ToLower(name)); d < least && d < max(len(name), len(typed)) {
			nearest, least = name, d
		}
	}
	return nearest
}

// distance is Levenshtein's: the least number of single-byte insertions, deletions and
// replacements that turn a into b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replace := diagonal
			if a[i-1] != b[j-1] {
				replace++
			}
			diagonal = row[j]
			row[j] = min(row[j]+1, row[j-1]+1, replace)
		}
	}
	return row[len(b)]
}
