package tolerant

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/inlier-ml/inlier/internal/words"
)

const (
	// A word that comes so many times, at least and in large tables, is a column's own mark of missing values.
	markTimes, markTimesLarge = 3, 10
	// markShare is the share of rows between these two, and markMost the share beyond which the column may be something else.
	markShare, markMost = 0.005, 0.1
	// longestOwnMark is how many bytes such a word has at most.
	longestOwnMark = 40
)

// findMarks takes a word that comes again and again in a column of numbers or dates for a missing value: "absent" among grades. What stands there
// once or twice is what somebody has typed by mistake.
func (t *Table) findMarks(j int, o *Options) {
	c := &t.Columns[j]
	if len(c.Misfits) == 0 || c.Kind != Number && c.Kind != Date {
		return
	}
	var known []string
	for k := range o.Like {
		if o.Like[k].Name == c.Name {
			known = o.Like[k].Marks
		}
	}
	counts := map[string]int{}
	for _, row := range c.Misfits {
		if word := ownMark(t.Text(row, j)); word != "" {
			counts[word]++
		}
	}
	least := max(markTimes, min(markTimesLarge, int(math.Ceil(markShare*float64(t.Rows)))))
	for word, n := range counts {
		if n >= least && float64(n) <= markMost*float64(t.Rows) || slices.Contains(known, word) {
			c.Marks = append(c.Marks, word)
		}
	}
	if len(c.Marks) == 0 {
		return
	}
	slices.Sort(c.Marks)
	first := make([]string, len(c.Marks)) // as the file writes them
	c.Misfits = slices.DeleteFunc(slices.Clone(c.Misfits), func(row int) bool {
		text := t.Text(row, j)
		k := slices.Index(c.Marks, ownMark(text))
		if k >= 0 && first[k] == "" {
			first[k] = strings.TrimSpace(text)
		}
		return k >= 0
	})
	for k, word := range c.Marks {
		c.Missing += counts[word]
		c.remark("%s in %s is no %s and was taken for a mark of missing values.", quoteShort(first[k]), words.Plural(counts[word], "cell"), c.Kind)
	}
}

// ownMark is a cell as a word that may be a mark, in small letters; empty where it cannot be one: a number in it was meant to be read.
func ownMark(text string) string {
	text = strings.ToLower(strings.TrimSpace(text))
	if len(text) > longestOwnMark || strings.ContainsFunc(text, unicode.IsDigit) || !strings.ContainsFunc(text, unicode.IsLetter) {
		return ""
	}
	return text
}
