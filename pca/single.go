package pca

import "github.com/inlier-ml/inlier/linalg"

const (
	// singleColumns is from how many columns on a table in single precision is learned from all of its rows, as one in memory is:
	// of fewer, what is kept of each row takes as much memory as the row.
	singleColumns = 64
	// singleShare is the part of the largest variance below which one is not taken from products in single precision. These are
	// off by a millionth of the largest at most, and by much less where many rows are added.
	singleShare = 1e-3
)

// single tells whether a table in single precision is learned from as one in memory.
func (o Options) single(src linalg.Source) bool {
	n, d := src.Dims()
	return linalg.IsSingle(src) && !o.Missing && o.LearnRank <= 0 && d >= singleColumns && d < n
}

// unsafe tells whether variances, in falling order, come from products in single precision and the least need those in double precision.
func unsafe(src linalg.Source, values []float64) bool {
	return len(values) > 0 && linalg.Narrow(src) && !(values[len(values)-1] >= singleShare*values[0])
}
