package inlier

import (
	"context"
	"fmt"
	"math/bits"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/words"
)

// A table is handed to a model in parts, so that what is made of its rows need not exist at once.
const (
	heldCells  = 1 << 21 // numbers of a part of a table in memory
	mostInPart = 1 << 15 // rows of a part, whose results are larger than themselves where they are narrow
)

// readCells are the numbers of a part of a table that is read in blocks.
const readCells = 1 << 18

// partRows is the number of rows in a part of so many numbers: a power of two, which whatever a model cuts rows into divides.
func partRows(cells, columns int) int {
	return 1 << (bits.Len(uint(max(1, min(mostInPart, cells/columns)))) - 1)
}

// asked is a table that a model is asked about: in memory, or a file that does not fit there.
type asked struct {
	set   *dataset.Set
	parts *blockwise // nil: in memory
	data  Data
	needs needs
	gaps  bool // rows that lack a number are not answered

	strange words.Runs // rows with words that the model has not learned
	example string     // the first
}

func (t *asked) dims() (rows, columns int) {
	if t.parts != nil {
		return t.parts.Dims()
	}
	return t.set.X.Dims()
}

func (t *asked) name() string {
	if t.parts != nil {
		return t.parts.Name()
	}
	return t.set.Name
}

// bound is the memory within which the table is read in blocks, 0 where it is in memory.
func (t *asked) bound() int64 {
	if t.parts != nil {
		return t.parts.bound
	}
	return 0
}

func (t *asked) close() {
	if t.parts != nil {
		t.parts.Close()
	}
}

// each visits the table in parts, first being the number of their first row from 0.
func (t *asked) each(ctx context.Context, r *reporter, phase string, visit func(first int, part *dataset.Set) error) error {
	n, d := t.dims()
	tell := func(first int) { r.send(Event{Phase: phase, Rows: n, Columns: d, Done: first, Total: n}) }
	if t.parts != nil {
		rows := partRows(readCells, d)
		t.parts.count()
		var refused error // by the model: another way to read the file does not help
		err := t.parts.Parts(ctx, rows, t.data.ID, func(first int, part *dataset.Set) error {
			tell(first)
			refused = visit(first, part)
			return refused
		})
		if refused != nil {
			return refused
		}
		return t.data.hintTolerant(ctx, err)
	}
	rows := partRows(heldCells, d)
	for first := 0; first < n; first += rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		tell(first)
		if err := visit(first, partOf(t.set, first, min(first+rows, n))); err != nil {
			return err
		}
	}
	return nil
}

// partOf is a view of consecutive rows.
func partOf(set *dataset.Set, first, last int) *dataset.Set {
	part := *set
	part.X = set.X.Slice(first, last, 0, set.Dim()).(*mat.Dense)
	if set.IDs != nil {
		part.IDs = set.IDs[first:last]
	}
	if set.Target != nil {
		target := *set.Target
		if target.Values != nil {
			target.Values = target.Values[first:last]
		}
		if target.Labels != nil {
			target.Labels = target.Labels[first:last]
		}
		part.Target = &target
	}
	return &part
}

// inMemory refuses a table that is read in blocks for what holds something of all rows; instead says what does not.
func (t *asked) inMemory(what, instead string) error {
	if t.parts == nil {
		return nil
	}
	rows, columns := t.dims()
	need := t.needs.bytes(int64(rows)*int64(columns), int64(columns))
	return about("memory", usage(fmt.Sprintf("%s; --memory %dMiB would do", instead, need>>20+1),
		"%s holds all of the %d x %d numbers in memory, which take more than %s", what, rows, columns, words.Size(t.parts.bound)))
}
