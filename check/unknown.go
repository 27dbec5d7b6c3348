package check

import (
	"fmt"
	"math"

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

// unknownWords are the cells of a batch whose word the learned table does not have, where that knew all of them.
func unknownWords(c, learned *tolerant.Column, column int) (cells []Suspicion) {
	known := len(learned.Levels)
	if learned.Kind != tolerant.Category || known == 0 || known > completeWords {
		return nil
	}
	total := 0
	for _, n := range levelCounts(learned) {
		if n == 1 {
			return nil
		}
		total += n
	}
	if total < completeRows {
		return nil
	}
	for row, v := range spill.Each(c.Values) {
		if v != v || int(v) < known {
			continue
		}
		cells = append(cells, Suspicion{Row: row, Column: column, P: unknownWord, Expected: math.NaN(), Low: math.NaN(), High: math.NaN(),
			Why: fmt.Sprintf("%s is %s, which none of the %s that were learned from has", words.Clip(c.Name), amount(c, v), words.Plural(total, "row"))})
	}
	return cells
}
