package check

import (
	"slices"
	"strings"
	"unicode"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/spill"
)

// The signs by which a cell may stand in another column than its own: it is empty where hardly one is, a number among words, or a word that the
// column beside it has. Where many rows moved in the same way, neither emptiness nor the word is seldom, and the rows are still few.

// displaced are rows that have too many or too few fields, a cell that does not fit its column, or a word of the column beside it.
func (s *shifting) displaced() map[int]bool {
	t := s.table
	out := map[int]bool{}
	for _, row := range t.Ragged {
		out[row] = true
	}
	for c := range t.Columns {
		column := &t.Columns[c]
		if column.Kind == tolerant.Number || column.Kind == tolerant.Date {
			for _, row := range column.Misfits {
				out[row] = true
			}
			for _, mark := range column.Marks {
				if !s.beside(c, mark, foreignLevel) {
					continue
				}
				for row, v := range spill.Each(column.Values) {
					if v != v && strings.EqualFold(strings.TrimSpace(t.Text(row, c)), mark) {
						out[row] = true
					}
				}
			}
		}
	}
	return out
}

// beside says that a text is a word of a column beside one, with at least that share.
func (s *shifting) beside(c int, text string, least float64) bool {
	text = strings.TrimSpace(text)
	for _, next := range []int{c - 1, c + 1} {
		if next < 0 || next >= len(s.table.Columns) || s.table.Columns[next].Kind != tolerant.Category {
			continue
		}
		at := slices.IndexFunc(s.table.Columns[next].Levels, func(level string) bool { return strings.EqualFold(level, text) })
		if at >= 0 && s.share(next, float64(at)) >= least {
			return true
		}
	}
	return false
}

// lettered says that all cells of a column of words or text have letters in them, where there are any.
func (s *shifting) lettered(c int) bool {
	is, known := s.worded[c]
	if known {
		return is
	}
	t := s.table
	if k := t.Columns[c].Kind; k == tolerant.Category || k == tolerant.Text || k == tolerant.Identifier {
		there, bare := 0, 0
		for row := range min(t.Rows, letteredLook) {
			if text := t.Text(row, c); text != "" {
				there++
				if !hasLetter(text) {
					bare++
				}
			}
		}
		is = there >= letteredLeast && float64(bare) <= seldomMissing*float64(there)
	}
	s.worded[c] = is
	return is
}

func hasLetter(text string) bool { return strings.ContainsFunc(text, unicode.IsLetter) }

// odd says that a value is unusual in its column by itself.
func (s *shifting) odd(c int, v float64) bool {
	column := &s.table.Columns[c]
	learned := s.model.view.table
	if v != v {
		seldom, known := s.gaps[c]
		if !known {
			missing := learned.Columns[c].Missing
			if learned == s.table && float64(len(s.unsure)) <= movedMost*float64(learned.Rows) { // what moved is no habit
				for row := range s.unsure {
					if values := learned.Columns[c].Values; row < len(values) && values[row] != values[row] {
						missing--
					}
				}
			}
			seldom = float64(missing) <= seldomMissing*float64(learned.Rows)
			s.gaps[c] = seldom
		}
		return seldom
	}
	if column.Kind != tolerant.Category {
		return false
	}
	if int(v) >= len(column.Levels) {
		return true
	}
	share := s.share(c, v)
	return share <= rareLevel || share <= foreignLevel && s.beside(c, column.Levels[int(v)], foreignTimes*share)
}

// share is that of a word among the learned cells of its column.
func (s *shifting) share(c int, v float64) float64 {
	shares, known := s.counts[c]
	if !known {
		values := s.model.view.sampled(c)
		shares = make([]float64, len(s.table.Columns[c].Levels))
		for _, k := range values {
			if k == k && int(k) < len(shares) {
				shares[int(k)] += 1 / float64(len(values))
			}
		}
		s.counts[c] = shares
	}
	if int(v) >= len(shares) {
		return 0
	}
	return shares[int(v)]
}
