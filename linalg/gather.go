package linalg

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/given"
)

// HeldNumbers is the size in numbers, 128 MiB, up to which methods that look at a table many
// times keep one in memory that is not there yet; see [Hold].
const HeldNumbers = 1 << 24

// Hold reads a source of at most so many numbers into memory, once, so that it can be looked
// at as often as needed. A larger one, one with less [Roomy] room, and one in memory, is returned as it is.
func Hold(ctx context.Context, src Source, numbers int) (Source, error) {
	ctx = given.Context(ctx)
	n, d := src.Dims()
	if inMemory(src) != nil || n < 1 || d < 1 || n > min(numbers, RoomOf(src))/d {
		return src, nil
	}
	x := mat.NewDense(n, d, nil)
	if err := fill(ctx, src, x); err != nil {
		return nil, err
	}
	return FromDense(x), nil
}

// fill copies all rows.
func fill(ctx context.Context, src Source, x *mat.Dense) error {
	n, d := x.Dims()
	next := 0
	err := src.Scan(ctx, func(first int, block *mat.Dense) error {
		rows, columns := block.Dims()
		if first != next || first+rows > n || columns != d {
			return fmt.Errorf("linalg: the source holds rows %d to %d of %d columns where rows from %d of %d x %d were due", first+1, first+rows, columns, next+1, n, d)
		}
		x.Slice(first, first+rows, 0, d).(*mat.Dense).Copy(block)
		next += rows
		return nil
	})
	if err == nil && next < n {
		err = fmt.Errorf("linalg: the source ended before row %d", next+1)
	}
	return err
}

// Gather copies the given rows, in the given order, some perhaps several times: in one scan,
// or none where the source is in memory.
func Gather(ctx context.Context, src Source, rows []int) (*mat.Dense, error) {
	ctx = given.Context(ctx)
	_, d := src.Dims()
	if len(rows) == 0 {
		return &mat.Dense{}, ctx.Err()
	}
	out := mat.NewDense(len(rows), d, nil)
	if read := readerOf(src); read != nil {
		var room mat.Dense
		for k, i := range rows {
			copy(out.RawRowView(k), read(&room, i, i+1).RawRowView(0))
		}
		return out, ctx.Err()
	}
	order := make([]int, len(rows)) // places in out by rising row
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return rows[a] - rows[b] })
	k := 0
	err := src.Scan(ctx, func(first int, block *mat.Dense) error {
		size, _ := block.Dims()
		for ; k < len(order) && rows[order[k]] < first+size; k++ {
			copy(out.RawRowView(order[k]), block.RawRowView(rows[order[k]]-first))
		}
		return nil
	})
	if err == nil && k < len(order) {
		err = fmt.Errorf("linalg: the source ended before row %d", rows[order[k]]+1)
	}
	return out, err
}

// Changed is src with every block changed by a function of single rows, as it is read: change
// is called with copies of the rows that need it, and needs tells which blocks hold such rows.
func Changed(src Source, needs func(block *mat.Dense) bool, change func(row []float64)) Source {
	return &changed{Source: src, needs: needs, change: change}
}

type changed struct {
	Source
	needs  func(block *mat.Dense) bool
	change func(row []float64)
}

// Room is that of the source.
func (c *changed) Room() int { return RoomOf(c.Source) }

// Scan visits changed blocks; those that need no change are passed on as they are.
func (c *changed) Scan(ctx context.Context, visit func(first int, block *mat.Dense) error) error {
	return c.Source.Scan(ctx, func(first int, block *mat.Dense) error {
		if c.needs(block) {
			block = mat.DenseCopyOf(block)
			rows, _ := block.Dims()
			for i := range rows {
				c.change(block.RawRowView(i))
			}
		}
		return visit(first, block)
	})
}
