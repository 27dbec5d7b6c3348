package corrupt

import "math/bits"

// Dirt tells what [Apply] did. Rows are counted from 0 in the dirtied set, which
// may have more rows than the original: added rows stand at the end.
type Dirt struct {
	// Rows marks every row that was changed or added, in its numbers or its target.
	Rows []bool
	// Added is the number of rows that were appended.
	Added int
	// Steps has one entry per step of the specification.
	Steps []Step

	columns int
	cells   []uint64 // one bit per cell, row by row
}

// Step tells what one step of a specification did.
type Step struct {
	// Spec is the step's text.
	Spec string
	// Rows are the rows it hit, ascending.
	Rows []int
	// Kinds says what was done to a row where a step does several things; nil otherwise.
	Kinds map[int]string
	// Cells is the number of cells of X it changed.
	Cells int
	// Targets is the number of labels or target values it changed.
	Targets int
}

// Cell tells whether a number of X was changed.
func (d *Dirt) Cell(row, column int) bool {
	at := row*d.columns + column
	return d.cells[at/64]>>(at%64)&1 == 1
}

// CellCount is the number of cells of X that were changed.
func (d *Dirt) CellCount() int {
	count := 0
	for _, word := range d.cells {
		count += bits.OnesCount64(word)
	}
	return count
}

// RowCount is the number of rows that were changed or added.
func (d *Dirt) RowCount() int {
	count := 0
	for _, hit := range d.Rows {
		if hit {
			count++
		}
	}
	return count
}

// grow makes room for rows in all.
func (d *Dirt) grow(rows, columns int) {
	d.columns = columns
	d.Rows = append(d.Rows, make([]bool, rows-len(d.Rows))...)
	words := (rows*columns + 63) / 64
	d.cells = append(d.cells, make([]uint64, words-len(d.cells))...)
}

func (d *Dirt) mark(row, column int) {
	at := row*d.columns + column
	d.cells[at/64] |= 1 << (at % 64)
}
