package file

import (
	"context"
	"slices"

	"github.com/inlier-ml/inlier/internal/given"
)

// Mark is a place in a file or files at which reading can begin.
type Mark struct {
	Row    int   `json:"row"`              // that begins there, from 0
	Byte   int64 `json:"byte,omitempty"`   // in a text
	Line   int   `json:"line,omitempty"`   // from 1; 0: the place is that of the row alone
	File   int   `json:"file,omitempty"`   // of several, from 0
	Before int   `json:"before,omitempty"` // rows of the files before that one
}

// Marks goes through a file whose rows can be told by reading alone, and returns places at least so many rows apart;
// nil where every row has a known place, or reading can begin at the first row alone.
func (s *Source) Marks(ctx context.Context, apart int) ([]Mark, error) {
	if _, certain := s.table.rows(); certain {
		return nil, nil
	}
	var marks []Mark
	next := apart
	pass := (&job{target: -1, text: s.plan.job.text}).prepare(len(s.plan.fields))
	err := s.chunks(given.Context(ctx), pass, false, func(c *chunk) error {
		if m := c.mark; m.Line > 0 && c.first >= next {
			m.Row, next = c.first, c.first+apart
			marks = append(marks, m)
		}
		return nil
	})
	return marks, err
}

// Between is the source of rows first to last-1, whose reading begins at the last of the marks before them. It is open
// as long as the source is.
func (s *Source) Between(first, last int, marks []Mark) *Source {
	out := *s
	out.part, out.first, out.count, out.from = true, first, last-first, Mark{Row: first}
	if _, certain := s.table.rows(); !certain {
		out.from = Mark{}
		k, found := slices.BinarySearchFunc(marks, first, func(m Mark, row int) int { return m.Row - row })
		if found {
			k++
		}
		if k > 0 {
			out.from = marks[k-1]
		}
	}
	return &out
}

// within leaves of a chunk what is within the rows of the source; done tells that no more follow.
func (s *Source) within(c *chunk, job *job) (empty, done bool) {
	if before := min(max(s.first-c.first, 0), c.rows); before > 0 {
		c.first, c.rows = c.first+before, c.rows-before
		if c.x = c.x[before*len(job.features):]; c.y != nil {
			c.y = c.y[before:]
		}
		if c.lines != nil {
			c.lines = c.lines[before:]
		}
	}
	if after := c.first + c.rows - s.first - s.count; after >= 0 {
		if c.rows, done = c.rows-after, true; c.y != nil {
			c.y = c.y[:c.rows]
		}
	}
	return c.rows == 0, done
}

// after visits chunks that are numbered from a row on.
func after(row int, visit func(*chunk) error) func(*chunk) error {
	if row == 0 {
		return visit
	}
	return func(c *chunk) error {
		c.first += row
		return visit(c)
	}
}
