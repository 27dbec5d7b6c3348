package inlier

import (
	"bufio"
	"bytes"
	"io"
	"sync"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/internal/tempfile"
)

// spooled are the tables of rows and of cells of a check in blocks, written beside the one look at all suspicious cells that its result
// takes: these are described anew in every look, laws and predictions included, which takes longer than writing.
type spooled struct {
	lock        sync.Mutex
	rows, cells tempfile.Spool
}

// spool writes them and visits all cells; nil where there is no place for it, so that everything is described again when it is asked for.
func (r *CheckResult) spool(visit func(c *check.Cell) bool) *spooled {
	s := &spooled{}
	err := newLines(&s.rows, r.RowColumns()).close()
	if err == nil {
		err = newLines(&s.cells, r.CellColumns()).close()
	}
	var refining sync.Mutex
	r.Found.EachPart(func(from, to int, cells []check.Cell) func() bool {
		refining.Lock()
		for k := range cells {
			r.refine(cells[k].Column)
		}
		refining.Unlock()
		var texts [2]bytes.Buffer
		row, cell := &lines{w: bufio.NewWriter(&texts[0]), first: true}, &lines{w: bufio.NewWriter(&texts[1]), first: true}
		for i := from; i < to; i++ {
			r.writeRow(row, i)
		}
		for k := range cells {
			r.writeCell(cell, &cells[k])
		}
		_, _ = row.close(), cell.close() // what is in memory does not fail
		return func() bool {
			if err == nil {
				_, err = s.rows.Write(texts[0].Bytes())
			}
			if err == nil {
				_, err = s.cells.Write(texts[1].Bytes())
			}
			for k := range cells {
				visit(&cells[k])
			}
			return true
		}
	})
	if err != nil {
		s.close()
		return nil
	}
	return s
}

// copy writes one of the tables.
func (s *spooled) copy(from *tempfile.Spool, to io.Writer) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	_, err := from.WriteTo(to)
	return err
}

func (s *spooled) close() {
	if s != nil {
		_ = s.rows.Close()
		_ = s.cells.Close()
	}
}
