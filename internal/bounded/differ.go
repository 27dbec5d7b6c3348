package bounded

import (
	"context"
	"errors"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// Differ tells whether two rows are not equal, however little they differ.
func Differ(ctx context.Context, src linalg.Source) bool {
	var first []float64
	found := errors.New("two rows differ")
	err := src.Scan(ctx, func(_ int, block *mat.Dense) error {
		n, _ := block.Dims()
		for i := range n {
			if first == nil {
				first = slices.Clone(block.RawRowView(i))
			} else if !slices.Equal(first, block.RawRowView(i)) {
				return found
			}
		}
		return nil
	})
	return errors.Is(err, found)
}
