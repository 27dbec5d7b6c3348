package linalg

// A stripe is a run of consecutive blocks of rows that shares one accumulator of a
// pass. Where stripes and blocks begin depends on the size of the table alone, so that
// sums are always formed in the same order, whoever computes them.
type stripes struct {
	rows   int // of the table
	block  int // rows of a block
	stripe int // rows of a stripe, a multiple of block
}

// blockRows is the number of rows in a block of d columns: few enough for a block of a
// thousand columns to stay in the second-level cache, enough for the matrix kernel to
// run at full speed.
func blockRows(d int) int {
	const most, least, entries = 256, 16, 1 << 20
	return min(most, max(least, entries/max(d, 1)))
}

// planStripes cuts an n x d table. A stripe has at most eight blocks, so that a table
// being read from a file needs little buffering, and a table of few blocks has about
// sixteen stripes, so that many cores find work.
func planStripes(n, d int) stripes {
	block := blockRows(d)
	blocks := (n + block - 1) / block
	perStripe := min(8, max(1, (blocks+15)/16))
	return stripes{rows: n, block: block, stripe: perStripe * block}
}

// count returns the number of stripes.
func (s stripes) count() int { return (s.rows + s.stripe - 1) / s.stripe }

// span returns the first row of stripe i and the row after its last.
func (s stripes) span(i int) (first, last int) {
	return i * s.stripe, min((i+1)*s.stripe, s.rows)
}
