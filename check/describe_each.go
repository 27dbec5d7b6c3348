package check

import (
	"cmp"
	"slices"

	"github.com/inlier-ml/inlier/linalg"
)

// together is between, a few rows at a time on all cores.
func (l *lister) together(from, to int) []Cell {
	const stretch = 1 << 10
	parts := make([][]Cell, (to-from+stretch-1)/stretch)
	linalg.Parallel(len(parts), func(k int) { parts[k] = l.between(from+k*stretch, min(from+(k+1)*stretch, to)) })
	return slices.Concat(parts...)
}

// EachCell visits the suspicious cells by row, the most suspicious of a row first, until it is told to stop.
func (r *Result) EachCell(visit func(c *Cell) (more bool)) {
	if r.Cells != nil || r.list == nil {
		for k := range r.Cells {
			if !visit(&r.Cells[k]) {
				return
			}
		}
		return
	}
	defer r.list.looked(0, 0, nil)
	const stretch = 1 << 13 // rows, of which the next are described while some are visited
	next := r.list.ahead(0, min(stretch, r.Rows))
	for from := 0; from < r.Rows; from += stretch {
		to := min(from+stretch, r.Rows)
		some := next()
		next = r.list.ahead(to, min(to+stretch, r.Rows))
		r.list.looked(from, to, some)
		for k := range some {
			if !visit(&some[k]) {
				next()
				return
			}
		}
	}
}

// ahead describes cells in the background; the function that it returns waits for them.
func (l *lister) ahead(from, to int) func() []Cell {
	if linalg.Threads() == 1 || from >= to {
		return func() []Cell { return l.together(from, to) }
	}
	var cells []Cell
	var failed any
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { failed = recover() }()
		cells = l.together(from, to)
	}()
	return func() []Cell {
		if <-done; failed != nil {
			panic(failed)
		}
		return cells
	}
}

// CellsOf are the suspicious cells of a row, the most suspicious first.
func (r *Result) CellsOf(row int) []Cell {
	if r.Cells == nil && r.list != nil {
		if cells, known := r.list.at(row); known {
			return cells
		}
		return r.list.between(row, row+1)
	}
	return cellsOf(r.Cells, row)
}

func cellsOf(cells []Cell, row int) []Cell {
	at := func(row int) int {
		k, _ := slices.BinarySearchFunc(cells, row, func(c Cell, row int) int { return cmp.Compare(c.Row, row) })
		return k
	}
	return cells[at(row):at(row+1)]
}

// visited are the rows that are gone through, with their cells.
type visited struct {
	from, to int
	cells    []Cell
}

// looked keeps the cells of the rows that are visited, which are asked for beside it.
func (l *lister) looked(from, to int, cells []Cell) {
	l.lock.Lock()
	l.look = visited{from, to, cells}
	l.lock.Unlock()
}

// at are the cells of a row of those that are visited.
func (l *lister) at(row int) (cells []Cell, known bool) {
	l.lock.Lock()
	defer l.lock.Unlock()
	if row < l.look.from || row >= l.look.to {
		return nil, false
	}
	return cellsOf(l.look.cells, row), true
}
