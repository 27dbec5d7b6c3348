package linalg

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// SampleRows is how many rows speak for those of a table that is not to be in memory as a whole: about a million
// numbers, of 10,000 to 65,536 rows, within the [Roomy] room that it has, but of 2,000 rows at least.
func SampleRows(src Source) int {
	const numbers, least, most, few = 1 << 20, 10000, 1 << 16, 2000
	_, d := src.Dims()
	return max(min(max(numbers/d, least), most, RoomOf(src)/d), few)
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

// sampling is what a reading for a sample finds.
type sampling struct {
	sample *Picked // the same for all
	bad    bool
}

// Parts are the kept ones.
func (s *sampling) Parts() []any { return []any{&s.bad, s.sample.X} }

// Read takes the rows in one reading of src, and tells whether all numbers of the table are finite.
func (p *Picked) Read(ctx context.Context, src Source) (finite bool, err error) {
	found, err := Pass(ctx, src, func() *sampling { return &sampling{sample: p} },
		func(s *sampling, first int, block *mat.Dense) { s.bad = !p.Take(first, block) || s.bad },
		func(into, from *sampling) { into.bad = into.bad || from.bad })
	return err == nil && !found.bad, err
}
