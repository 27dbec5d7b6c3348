package inlier

import (
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
	r           *CheckResult
	row, cell   *lines
	next        int // row, from 0
}

func (r *CheckResult) newSpooled() *spooled {
	s := &spooled{r: r}
	s.row, s.cell = newLines(&s.rows, r.RowColumns()), newLines(&s.cells, r.CellColumns())
	return s
}

// take writes a cell, and the rows before its own, of which all cells are known.
func (s *spooled) take(c *check.Cell) {
	s.upTo(c.Row)
	s.r.writeCell(s.cell, c)
}

// upTo writes the rows before one.
func (s *spooled) upTo(row int) {
	for ; s.next < row; s.next++ {
		s.r.writeRow(s.row, s.next)
	}
}

// end writes what is left; nil where there is no place for it, so that everything is described again when it is asked for.
func (s *spooled) end() *spooled {
	s.upTo(s.r.Rows)
	if s.row.close() != nil || s.cell.close() != nil {
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
