package check

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"

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
	all := func(cells []Cell) bool {
		for k := range cells {
			if !visit(&cells[k]) {
				return false
			}
		}
		return true
	}
	if r.Cells != nil || r.list == nil {
		all(r.Cells)
		return
	}
	r.EachPart(func(_, _ int, cells []Cell) func() bool { return func() bool { return all(cells) } })
}

// partRows are the rows of a part of [Result.EachPart].
const partRows = 1 << 9

// EachPart goes through the rows of a table that is not in memory, a few at a time: with their cells they are prepared by several goroutines, and
// what prepare returns is called in the order of the rows, until it says that there is no use in going on.
func (r *Result) EachPart(prepare func(from, to int, cells []Cell) (visit func() (more bool))) {
	l := r.list
	part := func(k int) (visit func() bool) {
		from, to := k*partRows, min((k+1)*partRows, r.Rows)
		cells := l.between(from, to)
		l.looked(k, cells)
		return prepare(from, to, cells)
	}
	parts, workers := (r.Rows+partRows-1)/partRows, linalg.Threads()
	ready := make([]chan func() bool, 2*workers) // parts that are there before their turn
	room := make(chan struct{}, len(ready))
	for k := range ready {
		ready[k] = make(chan func() bool, 1)
		room <- struct{}{}
	}
	var next atomic.Int64
	var crew sync.WaitGroup
	work := func() {
		for range room {
			k := int(next.Add(1)) - 1
			if k >= parts {
				return
			}
			func() {
				visit := func() bool { return false }
				defer func() {
					if failed := recover(); failed != nil {
						visit = func() bool { panic(failed) }
					}
					ready[k%len(ready)] <- visit
				}()
				visit = part(k)
			}()
		}
	}
	for range min(workers, parts) {
		crew.Go(work)
	}
	defer func() {
		next.Store(int64(parts))
		close(room)
		crew.Wait()
		l.leave(-1)
	}()
	for k := range parts {
		more := (<-ready[k%len(ready)])()
		l.leave(k)
		if !more {
			return
		}
		room <- struct{}{}
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

// looked keeps the cells of a part that is visited, which are asked for beside it.
func (l *lister) looked(part int, cells []Cell) {
	l.lock.Lock()
	l.look[part] = cells
	l.lock.Unlock()
}

// leave forgets those of a part; below 0: of all.
func (l *lister) leave(part int) {
	l.lock.Lock()
	defer l.lock.Unlock()
	if delete(l.look, part); part < 0 {
		clear(l.look)
	}
}

// at are the cells of a row of a part that is visited.
func (l *lister) at(row int) (cells []Cell, known bool) {
	l.lock.Lock()
	defer l.lock.Unlock()
	if cells, known = l.look[row/partRows]; known {
		cells = cellsOf(cells, row)
	}
	return cells, known
}
