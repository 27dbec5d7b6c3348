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
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/verdict"
)

const (
	// blockCells is how many numbers are judged at a time, so that the contributions
	// of a large table, which are as large as the table itself, never exist at once.
	blockCells = 1 << 21
	// scanCells is the same for a table that is not in memory.
	scanCells = 1 << 18
	// listCells is the size of a table up to which training rows are judged to name the outlying ones.
	listCells = 1 << 24
)

// blocks asks the model about all rows, block by block, so that what a verdict holds of a
// large table never exists at once. first is the position of the block's first row.
func blocks(ctx context.Context, m catalog.Detector, set *dataset.Set, each func(first int, block *dataset.Set, o *verdict.Rows) error) error {
	n, d := set.X.Dims()
	rows := max(1, blockCells/max(1, d))
	for first := 0; first < n; first += rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		block := part(set, first, min(first+rows, n))
		o, err := m.Outliers(ctx, block)
		if err != nil {
			return err
		}
		if err := each(first, block, o); err != nil {
			return err
		}
	}
	return nil
}

// Rows is what the model says of all rows, without contributions and cells.
func Rows(ctx context.Context, m catalog.Detector, set *dataset.Set) (*verdict.Rows, error) {
	var all *verdict.Rows
	err := blocks(given.Context(ctx), m, set, func(_ int, _ *dataset.Set, o *verdict.Rows) error {
		all = all.Append(o)
		return nil
	})
	return all, err
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
	part.Target = targetPart(set.Target, first, last)
	return &part
}

// targetPart is the target of consecutive rows.
func targetPart(t *dataset.Target, first, last int) *dataset.Target {
	if t == nil {
		return nil
	}
	part := *t
	if t.Values != nil {
		part.Values = t.Values[first:last]
	}
	if t.Labels != nil {
		part.Labels = t.Labels[first:last]
	}
	return &part
}

// scanned is blocks for a table that is not in memory: it is read once.
func scanned(ctx context.Context, m catalog.Detector, src dataset.Source, each func(first int, o *verdict.Rows) error) error {
	target, err := src.Target(ctx)
	if err != nil {
		return err
	}
	n, d := src.Dims()
	room := mat.NewDense(min(n, max(1, scanCells/d)), d, nil)
	first, filled := 0, 0
	ask := func() error {
		part := &dataset.Set{Name: src.Name(), X: room.Slice(0, filled, 0, d).(*mat.Dense), Columns: src.Columns(), Shape: src.Shape(),
			Target: targetPart(target, first, first+filled)}
		o, err := m.Outliers(ctx, part)
		if err == nil {
			err = each(first, o)
		}
		first, filled = first+filled, 0
		return err
	}
	err = src.Scan(ctx, func(_ int, block *mat.Dense) error {
		rows, _ := block.Dims()
		for i := range rows {
			copy(room.RawRowView(filled), block.RawRowView(i))
			if filled++; filled == room.RawMatrix().Rows {
				if err := ask(); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err == nil && filled > 0 {
		err = ask()
	}
	return err
}

// TrainingOutliers names the outlying training rows, from 1; nil for models that do not tell, and for
// large tables whose rows would have to be judged again.
func TrainingOutliers(ctx context.Context, m catalog.Model, src dataset.Source) ([]int, error) {
	ctx = given.Context(ctx)
	d, ok := m.(catalog.Detector)
	if !ok || m.Describe().Outliers == 0 {
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
	if many, ok := catalog.As[interface{ OutlyingRows() ([]int, bool) }](m); ok { // which has read all rows
		rows, _ := many.OutlyingRows()
		for k := range rows {
			rows[k]++
		}
		return rows, nil
	}
	if n, columns := src.Dims(); n > listCells/columns {
		return nil, nil
	}
	each := func(first int, o *verdict.Rows) error { note(first, o.Outlier); return nil }
	if _, ok := src.(linalg.InMemory); !ok {
		err := scanned(ctx, d, src, each)
		return rows, err
	}
	set, err := dataset.Read(ctx, src)
	if err == nil {
		err = blocks(ctx, d, set, func(first int, _ *dataset.Set, o *verdict.Rows) error { return each(first, o) })
	}
	return rows, err
}
