package words

import (
	"fmt"
	"strconv"
	"strings"
)

// Ranges writes ascending row numbers as "1-14, 23, 40", at most so many parts.
func Ranges(rows []int, most int) string {
	r := Runs{Most: most}
	for _, row := range rows {
		r.Add(row)
	}
	return r.String()
}

// Runs collects rows for a text as that of [Ranges], one after the other; what it keeps does not grow with them.
type Runs struct {
	Most  int // parts of the text
	Count int // rows

	parts       []string
	rest        int // rows that have no part
	first, last int // the run that may go on; 0: none
}

// Add takes in the next row, from 1.
func (r *Runs) Add(row int) {
	r.Count++
	if r.first > 0 && row == r.last+1 {
		r.last = row
		return
	}
	r.end()
	r.first, r.last = row, row
}

// end writes the run that does not go on.
func (r *Runs) end() {
	switch n := r.last - r.first; {
	case r.first == 0:
	case len(r.parts) >= r.Most:
		r.rest += n + 1
	case n == 0:
		r.parts = append(r.parts, strconv.Itoa(r.first))
	case n == 1:
		r.parts = append(r.parts, strconv.Itoa(r.first), strconv.Itoa(r.last))
	default:
		r.parts = append(r.parts, fmt.Sprintf("%d-%d", r.first, r.last))
	}
	r.first, r.last = 0, 0
}

// String is the text of all rows so far.
func (r *Runs) String() string {
	all := *r
	all.parts = r.parts[:len(r.parts):len(r.parts)]
	if all.end(); all.rest > 0 {
		all.parts = append(all.parts, fmt.Sprintf("and %d more", all.rest))
	}
	return strings.Join(all.parts, ", ")
}
