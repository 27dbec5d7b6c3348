package check

import (
	"fmt"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/spill"
	"github.com/inlier-ml/inlier/internal/words"
)

const (
	// A list of words is complete where so many rows were learned from and none of its words, of which there are few, came only once.
	completeRows, completeWords = 100, 20
	// unknownWord is the chance that a word is right which a complete list does not have: a degree of belief.
	unknownWord = 1e-6
)

// unknownWords are the cells of a batch whose word the learned table does not have, where that knew all of them, or that look like a misspelt one of
// its words. A word of many rows is a new kind of theirs: drift tells of it.
func unknownWords(c, learned *tolerant.Column, column int) (cells []Suspicion) {
	known := len(learned.Levels)
	if learned.Kind != tolerant.Category || known == 0 || len(c.Levels) <= known {
		return nil
	}
	were, now := levelCounts(learned), levelCounts(c)
	both := slices.Clone(now)
	total, complete := 0, known <= completeWords
	for k, n := range were {
		both[k] += n
		total += n
		complete = complete && n != 1
	}
	complete = complete && total >= completeRows
	meant := misspelt(c.Levels, both)
	for row, v := range spill.Each(c.Values) {
		k := int(v)
		if v != v || k < known {
			continue
		}
		s := Suspicion{Row: row, Column: column, P: unknownWord, Doubt: true, Expected: math.NaN(), Low: math.NaN(), High: math.NaN()}
		s.Why = fmt.Sprintf("%s is %s, which none of the %s that were learned from has", words.Clip(c.Name), amount(c, v), words.Plural(total, "row"))
		if m, ok := meant[k]; ok && m.level < known {
			s.Level, s.Slip, s.Doubt = c.Levels[m.level], m.slip, false
			if s.Why += fmt.Sprintf("; it looks like %s", amount(c, float64(m.level))); !complete {
				s.P = m.p
			}
		} else if !complete || now[k] > strayMost {
			continue
		}
		cells = append(cells, s)
	}
	return cells
}
