package linalg

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/given"
)

// Unusable finds the first number of a source that is missing (NaN) or infinite, for
// messages. Row and column count from 1; they are 0 when every number is finite.
func Unusable(ctx context.Context, src Source) (row, column int, value float64, err error) {
	ctx = given.Context(ctx)
	found := errors.New("found")
	err = src.Scan(ctx, func(first int, block *mat.Dense) error {
		rows, _ := block.Dims()
		for i := range rows {
			for j, v := range block.RawRowView(i) {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					row, column, value = first+i+1, j+1, v
					return found
				}
			}
		}
		return nil
	})
	if errors.Is(err, found) {
		err = nil
	}
	return row, column, value, err
}
