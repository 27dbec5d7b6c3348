package inlier

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
)

// constantColumn is the first column that is the same in every row, and its value; -1 when all change. It reads
// as far as it takes to know.
func (b *blockwise) constantColumn(ctx context.Context) (column int, value float64, err error) {
	var first []float64
	column = 0
	known := errors.New("all columns change")
	open := make([]bool, len(b.Columns())) // columns that have changed
	err = b.Source.Scan(ctx, func(at int, block *mat.Dense) error {
		if at == 0 {
			first = append(first, block.RawRowView(0)...)
		}
		rows, _ := block.Dims()
		for ; column < len(open); column++ {
			for j := column; j < len(open); j++ {
				for i := 0; i < rows && !open[j]; i++ {
					open[j] = block.At(i, j) != first[j] && (at > 0 || i > 0)
				}
			}
			if !open[column] {
				return nil
			}
		}
		return known
	})
	if errors.Is(err, known) {
		return -1, 0, nil
	}
	if err != nil || column == len(open) {
		return -1, 0, err
	}
	return column, first[column], nil
}

// unvaried refuses a column that never changes.
func unvaried(data, column string, value float64) error {
	hint := fmt.Sprintf("it tells nothing, and often means a broken sensor or export: leave it out with --drop %s, or use --constant keep", column)
	return usage(hint, "%s: column %q is %g in every row", data, column, value)
}

// constantColumn is the first column that never changes, or -1.
func constantColumn(set *dataset.Set) int {
	n, d := set.X.Dims()
	first := set.X.RawRowView(0)
	for j := 0; j < d; j++ {
		i := 1
		for i < n && set.X.At(i, j) == first[j] {
			i++
		}
		if i == n {
			return j
		}
	}
	return -1
}
