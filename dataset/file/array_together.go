package file

import (
	"context"
	"io"
	"slices"
	"sync"
)

// scanTogether reads an array into the memory where its rows stay, several parts at a time: what takes time is to have the
// pages of that memory, to fill them and to look for values that are no numbers. Objects of a store have a single reader.
func (t *arrayTable) scanTogether(ctx context.Context, job *job, visit func(*chunk) error) error {
	in, err := t.file.anywhere()
	if err != nil {
		return err
	}
	defer in.Close()
	rows := chunkRowsFor(t.d, t.n)
	begin := job.from.Row
	parts := func(emit func(int) error) error {
		for first := begin; first < t.n; first += rows {
			if err := emit(first); err != nil {
				return err
			}
		}
		return nil
	}
	var wide sync.Pool // whole rows, of which some columns are wanted
	read := func(first int) (*chunk, error) {
		n := min(rows, t.n-first)
		c := newChunk()
		c.lines = nil
		c.room(job, first, n)
		dst := c.x
		if !job.all {
			room, ok := wide.Get().(*[]float64)
			if !ok {
				made := make([]float64, rows*t.d)
				room = &made
			}
			defer wide.Put(room)
			dst = (*room)[:n*t.d]
		}
		r, err := t.part(in, first, n)
		if err != nil {
			return nil, inFile(t.file.name, err)
		}
		if got, err := r.Read(dst); err != nil {
			return nil, inFile(t.file.name, err)
		} else if got < len(dst) {
			return nil, inFile(t.file.name, io.ErrUnexpectedEOF)
		}
		if !job.all {
			job.narrow(c.x, dst, t.d)
		}
		t.pickTarget(c, job, dst, first)
		c.finite = !slices.ContainsFunc(c.x, func(v float64) bool { return v-v != 0 })
		return c, nil
	}
	return inOrder(ctx, parts, read, after(begin, visit))
}

// pickTarget gives a chunk the targets of its rows, which begin with first and have all their columns.
func (t *arrayTable) pickTarget(c *chunk, job *job, rows []float64, first int) {
	switch {
	case job.target == labelTarget:
		c.y, c.yLevels = t.labels.values[first:first+c.rows], t.labels.levels
	case job.target >= 0:
		c.y = c.y[:0]
		for i := range c.rows {
			c.y = append(c.y, rows[i*t.d+job.target])
		}
	}
}
