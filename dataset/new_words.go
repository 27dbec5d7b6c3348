package dataset

import (
	"math"
	"slices"
	"sync"
)

// NewWord is a text that a [Coder] has not learned.
type NewWord struct{ Column, Word string }

// NewWords are those of a table. Each stands in it as a NaN whose last bits tell which it is, and goes wherever a missing number goes.
type NewWords struct {
	lock  sync.Mutex
	known []NewWord
}

// mark is how these NaNs begin, and mostWords how many are told apart: of further ones only the column is known.
const (
	mark      = 0x7ff8_4e57 << 32
	mostWords = 1 << 10
)

// Mark is the number that stands for a word.
func (n *NewWords) Mark(w NewWord) float64 {
	n.lock.Lock()
	defer n.lock.Unlock()
	k := slices.Index(n.known, w)
	if k < 0 && len(n.known) >= mostWords {
		w.Word = "..."
		k = slices.Index(n.known, w)
	}
	if k < 0 {
		k, n.known = len(n.known), append(n.known, w)
	}
	return math.Float64frombits(mark | uint64(k))
}

// NewWords are those of a row.
func (s *Set) NewWords(row int) (found []NewWord) {
	if s.New == nil {
		return nil
	}
	for _, v := range s.X.RawRowView(row) {
		if bits := math.Float64bits(v); bits>>32 == mark>>32 {
			s.New.lock.Lock()
			if k := int(uint32(bits)); k < len(s.New.known) && !slices.Contains(found, s.New.known[k]) {
				found = append(found, s.New.known[k])
			}
			s.New.lock.Unlock()
		}
	}
	return found
}
