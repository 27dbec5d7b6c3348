package linalg

import (
	"slices"

	"gonum.org/v1/gonum/mat"
)

// SampleRows is how many rows speak for those of a table that is not to be in memory as a whole: about a million
// numbers, of 10,000 to 65,536 rows, within the [Roomy] room that it has, but of 2,000 rows at least.
func SampleRows(src Source) int {
	const numbers, least, most, few = 1 << 20, 10000, 1 << 16, 2000
	_, d := src.Dims()
	return max(min(max(numbers/d, least), most, room(src)/d), few)
}

// Picked are rows that a reading of a table collects beside its work.
type Picked struct {
	X    *mat.Dense
	rows []int
}

// Pick makes room for the given rows of src, which are in ascending order.
func Pick(src Source, rows []int) *Picked {
	_, d := src.Dims()
	return &Picked{X: mat.NewDense(len(rows), d, nil), rows: rows}
}

// Take copies those of a block that begins at row first, and tells whether all its numbers are finite. Blocks may be
// taken side by side.
func (p *Picked) Take(first int, block *mat.Dense) (finite bool) {
	n, _ := block.Dims()
	k, _ := slices.BinarySearch(p.rows, first)
	for ; k < len(p.rows) && p.rows[k] < first+n; k++ {
		copy(p.X.RawRowView(k), block.RawRowView(p.rows[k]-first))
	}
	for i := range n {
		if !allFinite(block.RawRowView(i)) {
			return false
		}
	}
	return true
}
