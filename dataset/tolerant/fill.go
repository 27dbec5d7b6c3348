package tolerant

import (
	"bytes"
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/inlier-ml/inlier/internal/spill"
)

// chunkRows is the number of rows that are read at a time; results are put together in the order of
// rows, so that they do not depend on the number of workers.
const chunkRows = 4096

// fill reads the cells of some columns with all cores. What it returns are the tallies of those columns.
func (t *Table) fill(ctx context.Context, readings []reading, which []int, done func(rows int)) ([]tally, error) {
	for _, j := range which {
		if c := &t.Columns[j]; len(c.Values) != t.Rows {
			c.Values = spill.Make[float64](t.room, t.Rows)
		}
	}
	if len(which) == 0 && t.width == 0 { // all columns are known, and no row can be ragged
		if done != nil {
			done(t.Rows)
		}
		return nil, nil
	}
	chunks := (t.Rows + chunkRows - 1) / chunkRows
	tallies := make([][]tally, chunks)
	ragged := make([][]int, chunks)
	var telling sync.Mutex
	inParallel(chunks, func(k int) {
		if ctx.Err() != nil {
			return
		}
		from := k * chunkRows
		to := min(from+chunkRows, t.Rows)
		tallies[k], ragged[k] = t.fillChunk(from, to, readings, which)
		t.room.Passed(chunkRows * 16 * int64(len(which)))
		if done != nil {
			telling.Lock()
			done(to - from)
			telling.Unlock()
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	t.Ragged = slices.Concat(ragged...)
	return together(tallies, len(which)), nil
}

// inParallel does n pieces of work on all cores. A panic in one of them is one of the whole.
func inParallel(n int, do func(k int)) {
	var next atomic.Int64
	var running sync.WaitGroup
	var met atomic.Pointer[any]
	for range min(runtime.GOMAXPROCS(0), n) {
		running.Go(func() {
			defer func() {
				if e := recover(); e != nil {
					met.Store(&e)
				}
			}()
			for k := int(next.Add(1)) - 1; k < n; k = int(next.Add(1)) - 1 {
				do(k)
			}
		})
	}
	running.Wait()
	if e := met.Load(); e != nil {
		panic(*e)
	}
}

// fillChunk reads a run of rows.
func (t *Table) fillChunk(from, to int, readings []reading, which []int) (tallies []tally, ragged []int) {
	tallies = make([]tally, len(which))
	values := make([][]float64, len(which))
	for k, j := range which {
		values[k] = t.Columns[j].Values
	}
	t.text.scan(from, to, func(row int, fields [][]byte) {
		if len(fields) != t.width && t.width > 0 && (len(fields) < t.width || len(bytes.Join(fields[t.width:], nil)) > 0) {
			ragged = append(ragged, row)
		}
		for k, j := range which {
			var text []byte
			if j < len(fields) {
				text = fields[j]
			}
			v, fit := readings[j].value(text, &tallies[k])
			values[k][row] = v
			switch fit {
			case absent:
				tallies[k].missing++
			case misfit:
				tallies[k].misfits = append(tallies[k].misfits, row)
			}
		}
	})
	return tallies, ragged
}

// together adds up the tallies of chunks, in order.
func together(chunks [][]tally, columns int) []tally {
	sum := make([]tally, columns)
	for _, chunk := range chunks {
		for k := range chunk {
			sum[k].missing += chunk[k].missing
			sum[k].misfits = append(sum[k].misfits, chunk[k].misfits...)
			sum[k].otherwise += chunk[k].otherwise
			sum[k].bare += chunk[k].bare
			sum[k].turned += chunk[k].turned
			sum[k].limits += chunk[k].limits
			sum[k].dayFirst += chunk[k].dayFirst
			sum[k].monthFirst += chunk[k].monthFirst
		}
	}
	return sum
}

// sample calls visit for rows from all over the table, few enough for so many columns, until the context ends.
func (t *Table) sample(ctx context.Context, visit func(row int, fields [][]byte)) error {
	const cells, block = 500000, 50
	rows := min(max(cells/max(len(t.Columns), 1), block), 3000, t.Rows)
	blocks, all := rows/block, t.Rows <= rows
	for k := 0; (k < blocks || all && k*block < rows) && ctx.Err() == nil; k++ {
		from := k * block
		if !all {
			from = int(int64(t.Rows-block) * int64(k) / int64(max(blocks-1, 1)))
		}
		t.text.scan(from, min(from+block, t.Rows), visit)
	}
	return ctx.Err()
}
