package tolerant

import (
	"math"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/internal/spill"
	"github.com/inlier-ml/inlier/internal/words"
)

// mostLevels bounds the levels of a category.
const mostLevels = 5000

// finishText tells categories, names of rows and free text apart. The column's values are the
// hashes of its texts.
func (t *Table) finishText(j int, s *survey, forced Kind) {
	c := &t.Columns[j]
	present := t.Rows - c.Missing
	index, firsts, counts := t.levels(c.Values)
	distinct := len(firsts)
	if index == nil {
		distinct = countDistinct(c.Values)
	}
	if c.Kind == Identifier && forced == Empty { // by the length of its numbers
		c.Values, c.Repeats = nil, repeats(distinct, present)
		c.remark("Numbers of more than 15 digits would lose digits; they are kept apart as names.")
		return
	}
	switch {
	case forced != Empty:
		c.Kind = forced
	case index != nil && s.likeCategory(distinct, present):
		c.Kind = Category
	case s.likeNames(distinct, present):
		c.Kind = Identifier
	default:
		c.Kind = Text
	}
	if c.Kind == Category && index == nil {
		c.Kind = Text
		c.remark("More than %d different texts are too many for a category.", mostLevels)
	}
	if c.Kind != Category {
		c.Values, c.Repeats = nil, c.Kind == Identifier && repeats(distinct, present)
		switch {
		case c.Kind == Ignored:
			c.remark("Left out, as asked for.")
		case c.Kind == Identifier && distinct == present:
			c.remark("Every row has another text, so they are kept apart as names of the rows.")
		case c.Kind == Identifier:
			c.remark("%s in %s are kept apart as names.", words.Plural(distinct, "different code"), words.Plural(present, "cell"))
		default:
			c.remark("%s in %s: free text, which is not judged.", words.Plural(distinct, "different text"), words.Plural(present, "cell"))
		}
		return
	}
	t.code(j, index, firsts, counts)
	if s.zeros > 0 && 2*s.numbers > s.present {
		c.remark("Numbers that begin with 0 were taken for codes.")
	}
}

// repeats tells whether too few cells are different for rows to be told apart by them.
func repeats(distinct, present int) bool { return 10*distinct < 9*present }

// levels numbers the different hashes; nil where there are more than a category may have.
func (t *Table) levels(values []float64) (index map[uint64]int, firsts, counts []int) {
	index = map[uint64]int{}
	for row, v := range spill.Each(values) {
		h := math.Float64bits(v)
		if h == noText {
			continue
		}
		k, seen := index[h]
		if !seen {
			if len(firsts) == mostLevels {
				return nil, nil, nil
			}
			k = len(firsts)
			index[h] = k
			firsts, counts = append(firsts, row), append(counts, 0)
		}
		counts[k]++
	}
	return index, firsts, counts
}

// countDistinct counts the different hashes.
func countDistinct(values []float64) int {
	hashes := spill.Make[uint64](spill.Of(values), len(values))[:0]
	defer spill.Free(hashes)
	for _, v := range spill.Each(values) {
		if h := math.Float64bits(v); h != noText {
			hashes = append(hashes, h)
		}
	}
	spill.Sort(hashes)
	return len(slices.Compact(hashes))
}

// code makes values places in the levels, the most frequent first.
func (t *Table) code(j int, index map[uint64]int, firsts, counts []int) {
	c := &t.Columns[j]
	names := make([]string, len(firsts))
	places := make([]int, len(firsts))
	for k, row := range firsts {
		names[k], places[k] = string(trim([]byte(t.Text(row, j)))), k
	}
	slices.SortFunc(places, func(a, b int) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return strings.Compare(names[a], names[b])
	})
	level := make([]float64, len(places))
	c.Levels = make([]string, len(places))
	for place, k := range places {
		c.Levels[place], level[k] = names[k], float64(place)
	}
	for row, v := range spill.Each(c.Values) {
		if h := math.Float64bits(v); h != noText {
			c.Values[row] = level[index[h]]
		}
	}
}

// likeCategory tells whether texts come again often enough.
func (s *survey) likeCategory(distinct, present int) bool {
	if s.bytes > 80*s.present {
		return false
	}
	return distinct <= 20 && present >= 2*distinct || present >= 5*distinct
}

// likeNames tells whether texts are short and nearly all different, or codes.
func (s *survey) likeNames(distinct, present int) bool {
	if present < 3 || s.bytes > 40*s.present {
		return false
	}
	if 10*distinct >= 9*present && 2*s.blanks < 3*s.present {
		return true
	}
	if s.blanks > 0 {
		return false
	}
	digits := 0
	for text := range s.texts {
		if strings.ContainsAny(text, "0123456789") {
			digits++
		}
	}
	return 10*digits >= 9*len(s.texts)
}
