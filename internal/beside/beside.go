// Package beside reads tables whose last column is the target of the others, of which not all rows are in memory.
package beside

import (
	"context"
	"errors"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/refusal"
)

// Columns are the columns of a table without its last.
func Columns(table *mat.Dense) *mat.Dense {
	n, width := table.Dims()
	return table.Slice(0, n, 0, width-1).(*mat.Dense)
}

// Sample reads so many rows, drawn with the chances that their weights (nil: ones) give them. A number anywhere in the table
// that is missing or infinite is an error that names it, column 0 for the target.
func Sample(ctx context.Context, table linalg.Source, weights []float64, size int, seed uint64) (*mat.Dense, error) {
	n, width := table.Dims()
	sample := linalg.Pick(table, univariate.NewRows(n, weights).Spaced(size, random.New(seed, "sample of rows").Float64))
	finite, err := sample.Read(ctx, table)
	if err != nil || finite {
		return sample.X, err
	}
	err = linalg.Usable(ctx, table)
	var cell *refusal.CellError
	if errors.As(err, &cell) && cell.Column == width {
		cell.Column = 0
	}
	return nil, err
}
