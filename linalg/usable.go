package linalg

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/refusal"
)

// Usable returns a [refusal.CellError] that names the first number of a source which is missing (NaN) or infinite;
// nil: every number is finite.
func Usable(ctx context.Context, src Source) error {
	return src.Scan(given.Context(ctx), func(first int, block *mat.Dense) error {
		rows, _ := block.Dims()
		for i := range rows {
			for j, v := range block.RawRowView(i) {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					return &refusal.CellError{Row: first + i + 1, Column: j + 1, Value: v}
				}
			}
		}
		return nil
	})
}
