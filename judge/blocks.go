// Package judge asks a model about the rows of a table: which are outliers, of what kind,
// how far out, and which columns make them so.
//
//	verdict, err := judge.All(ctx, model, set, true)
//	for _, row := range verdict.Select(true, 10) { // the ten worst
//		fmt.Println(row.Row, row.Kind, judge.ReasonText(row.Why))
//	}
package judge

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/verdict"
)

const (
	// blockCells is how many numbers are judged at a time, so that the contributions
	// of a large table, which are as large as the table itself, never exist at once.
	blockCells = 1 << 21
	// listCells is the size of a table up to which the outlying training rows are named.
	listCells = 1 << 24
)

// blocks asks the model about all rows, block by block, so that what a verdict holds of a
// large table never exists at once. first is the position of the block's first row.
func blocks(ctx context.Context, m catalog.Detector, set *dataset.Set, each func(first int, o *verdict.Rows) error) error {
	n, d := set.X.Dims()
	rows := max(1, blockCells/max(1, d))
	for first := 0; first < n; first += rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		o, err := m.Outliers(ctx, part(set, first, min(first+rows, n)))
		if err != nil {
			return err
		}
		if err := each(first, o); err != nil {
			return err
		}
	}
	return nil
}

// part is a view of consecutive rows.
func part(set *dataset.Set, first, last int) *dataset.Set {
	if first == 0 && last == set.Rows() {
		return set
	}
	part := *set
	part.X = set.X.Slice(first, last, 0, set.Dim()).(*mat.Dense)
	if set.IDs != nil {
		part.IDs = set.IDs[first:last]
	}
	if t := set.Target; t != nil {
		pt := *t
		if t.Values != nil {
			pt.Values = t.Values[first:last]
		}
		if t.Labels != nil {
			pt.Labels = t.Labels[first:last]
		}
		part.Target = &pt
	}
	return &part
}

// TrainingOutliers names the outlying training rows, from 1; nil for large tables and
// for models that do not tell.
func TrainingOutliers(ctx context.Context, m catalog.Model, set *dataset.Set) ([]int, error) {
	ctx = given.Context(ctx)
	d, ok := m.(catalog.Detector)
	n, columns := set.X.Dims()
	if !ok || n > listCells/columns || m.Describe().Outliers == 0 {
		return nil, nil
	}
	var rows []int
	note := func(first int, outlier []bool) {
		for i, out := range outlier {
			if out {
				rows = append(rows, first+i+1)
			}
		}
	}
	if r, ok := m.(catalog.Rememberer); ok {
		if outlier := r.TrainingOutliers(); outlier != nil {
			note(0, outlier)
			return rows, nil
		}
	}
	err := blocks(ctx, d, set, func(first int, o *verdict.Rows) error {
		note(first, o.Outlier)
		return nil
	})
	return rows, err
}
