// Package beside reads tables whose last column is the target of the others, of which not all rows are in memory.
package beside

import (
	"context"
	"errors"
	"slices"

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

// fewest is how many rows a sample has of every class at least, or all that the table has.
const fewest = 50

// Classed is [Sample] of a table whose last column tells one of so many classes, and how much each row counts (nil: all alike). A class of
// which the sample has few rows or none has its own rows in it, in two more readings, which count as much as it weighs in the table: rare classes
// are known by them, and none that has weight is missing.
func Classed(ctx context.Context, table linalg.Source, weights []float64, classes, size int, seed uint64) (sample *mat.Dense, counts []float64, err error) {
	if sample, err = Sample(ctx, table, weights, size, seed); err != nil {
		return nil, nil, err
	}
	n, width := table.Dims()
	there := make([]int, classes)
	for i := range size {
		there[int(sample.At(i, width-1))]++
	}
	if slices.Min(there) >= fewest {
		return sample, nil, nil
	}
	found, err := linalg.Pass(ctx, table,
		func() *rare { return &rare{make([]float64, classes*fewest), make([]float64, classes)} },
		func(r *rare, first int, block *mat.Dense) {
			rows, _ := block.Dims()
			part := univariate.Part(weights, first, rows)
			for i := range rows {
				l, w := int(block.At(i, width-1)), 1.0
				if part != nil {
					w = part[i]
				}
				if there[l] < fewest && w > 0 {
					r.Weight[l] += w
					r.take(l, float64(first+i+1))
				}
			}
		},
		func(into, from *rare) {
			linalg.Axpy(1, from.Weight, into.Weight)
			for at, row := range from.Rows {
				into.take(at/fewest, row)
			}
		})
	if err != nil {
		return nil, nil, err
	}
	var rows []int
	for _, row := range found.Rows {
		if row > 0 {
			rows = append(rows, int(row)-1)
		}
	}
	if rows == nil { // nobody else has weight
		return sample, nil, nil
	}
	slices.Sort(rows)
	picked := linalg.Pick(table, rows)
	if _, err := picked.Read(ctx, table); err != nil {
		return nil, nil, err
	}
	return found.join(sample, picked.X, there, rows, weights, float64(size)/univariate.NewRows(n, weights).Total())
}

// rare are rows of classes of which a sample has few.
type rare struct {
	Rows   []float64 // from 1, fewest of each class; 0: none
	Weight []float64 // of all rows of a class
}

// Parts are the kept ones.
func (r *rare) Parts() []any { return []any{r.Rows, r.Weight} }

// take takes in a row of a class if it is among the first in an order that has nothing to do with where rows stand.
func (r *rare) take(class int, row float64) {
	rows := r.Rows[class*fewest : (class+1)*fewest]
	for at, other := range rows {
		if row == 0 {
			return
		}
		if other == 0 || shuffled(row) < shuffled(other) {
			rows[at], row = row, other
		}
	}
}

// shuffled is the place of a row in that order.
func shuffled(row float64) uint64 {
	h := uint64(row) * 0x9e3779b97f4a7c15
	h = (h ^ h>>29) * 0xbf58476d1ce4e5b9
	return h ^ h>>32
}

// join puts the picked rows in the place of those that the sample has of their classes; a weight of one in the table is a share of a row of the sample.
func (r *rare) join(sample, picked *mat.Dense, there, rows []int, weights []float64, share float64) (*mat.Dense, []float64, error) {
	_, width := sample.Dims()
	var data, counts []float64
	size, _ := sample.Dims()
	for i := range size {
		if row := sample.RawRowView(i); there[int(row[width-1])] >= fewest {
			data, counts = append(data, row...), append(counts, 1)
		}
	}
	sum := make([]float64, len(there))
	of := func(i int) (class int, weight float64) {
		if weight = 1; weights != nil {
			weight = weights[rows[i]]
		}
		return int(picked.At(i, width-1)), weight
	}
	for i := range rows {
		l, w := of(i)
		sum[l] += w
	}
	for i := range rows {
		l, w := of(i)
		data, counts = append(data, picked.RawRowView(i)...), append(counts, share*r.Weight[l]*(w/sum[l]))
	}
	return mat.NewDense(len(counts), width, data), counts, nil
}
