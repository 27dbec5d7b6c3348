package file

import (
	"github.com/inlier-ml/inlier/dataset"
)

// rows returns the matrix of a set as slices.
func rows(s *dataset.Set) [][]float64 {
	out := make([][]float64, s.Rows())
	for i := range out {
		out[i] = append([]float64(nil), s.X.RawRowView(i)...)
	}
	return out
}
