package main

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
)

const (
	// judgeCells is how many numbers are judged at a time, so that the contributions
	// of a large table, which are as large as the table itself, never exist at once.
	judgeCells = 1 << 21
	// listCells is the size of a table up to which `fit` names the outlying rows.
	listCells = 1 << 24
)

// judge asks the model about all rows, block by block.
func judge(ctx context.Context, m catalog.Detector, set *dataset.Set, each func(first int, o *catalog.Outliers) error) error {
	n, d := set.X.Dims()
	rows := max(1, judgeCells/max(1, d))
	for first := 0; first < n; first += rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		o, err := m.Outliers(ctx, rowsOf(set, first, min(first+rows, n)))
		if err != nil {
			return err
		}
		if err := each(first, o); err != nil {
			return err
		}
	}
	return nil
}

// rowsOf is a view of consecutive rows.
func rowsOf(set *dataset.Set, first, last int) *dataset.Set {
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

// trainingOutliers names the outlying training rows, from 1; nil for large tables and
// for models that do not tell.
func trainingOutliers(ctx context.Context, m catalog.Model, set *dataset.Set) ([]int, error) {
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
	err := judge(ctx, d, set, func(first int, o *catalog.Outliers) error {
		note(first, o.Outlier)
		return nil
	})
	return rows, err
}

// ranges writes ascending row numbers as "1-14, 23, 40", at most so many parts.
func ranges(rows []int, most int) string {
	var parts []string
	for i := 0; i < len(rows); {
		j := i
		for j+1 < len(rows) && rows[j+1] == rows[j]+1 {
			j++
		}
		if len(parts) == most {
			parts = append(parts, fmt.Sprintf("and %d more", len(rows)-i))
			break
		}
		switch j - i {
		case 0:
			parts = append(parts, strconv.Itoa(rows[i]))
		case 1:
			parts = append(parts, strconv.Itoa(rows[i]), strconv.Itoa(rows[j]))
		default:
			parts = append(parts, fmt.Sprintf("%d-%d", rows[i], rows[j]))
		}
		i = j + 1
	}
	return strings.Join(parts, ", ")
}

// named writes rows with their names as "3 (c17), 9 (c20)", at most so many.
func named(rows []int, names []string, most int) string {
	var parts []string
	for i, row := range rows {
		if i == most {
			parts = append(parts, fmt.Sprintf("and %d more", len(rows)-i))
			break
		}
		parts = append(parts, fmt.Sprintf("%d (%s)", row, names[i]))
	}
	return strings.Join(parts, ", ")
}

func columnName(columns []string, j int) string {
	if j < len(columns) && columns[j] != "" {
		return columns[j]
	}
	return "column " + strconv.Itoa(j+1)
}

// outlyingness orders rows from regular to far out: by the largest distance in units of
// its cut-off; for classifiers by how far another label is ahead of the row's own, or by a
// distance beyond its cut-off where that is more; for regressions by the residual.
func outlyingness(o *catalog.Outliers, i int) float64 {
	if o.Margins() {
		far := -o.Residual[i]
		if o.OrthogonalCutoff > 0 { // of a reduction before the classifier
			far = math.Max(far, o.OrthogonalDistance[i]/o.OrthogonalCutoff-1)
		}
		return far
	}
	far := 0.0
	for _, d := range distancesOf(o) {
		if d.merely && o.Residual != nil { // a row that fits is not wrong, however far out
			continue
		}
		far = math.Max(far, d.ratio(i))
	}
	if far == 0 && o.Weight != nil {
		far = 1 - o.Weight[i]
	}
	return far
}

// measured is one of the distances of a verdict.
type measured struct {
	distance []float64
	cutoff   float64
	merely   bool // beyond it a row is far, but not wrong
}

// ratio is the distance of a row in units of the cut-off; without a cut-off a distance
// only breaks ties.
func (m measured) ratio(i int) float64 {
	v := math.Abs(m.distance[i])
	if m.cutoff > 0 {
		return v / m.cutoff
	}
	return v * 1e-6
}

func distancesOf(o *catalog.Outliers) []measured {
	var list []measured
	for _, m := range []measured{{o.OrthogonalDistance, o.OrthogonalCutoff, false}, {o.ScoreDistance, o.ScoreCutoff, true}, {o.Residual, o.ResidualCutoff, false}} {
		if m.distance != nil {
			list = append(list, m)
		}
	}
	return list
}

// graveness sorts rows into those that are wrong (2), those that are outliers only because
// they are far out among right ones (1), and the others (0).
func graveness(o *catalog.Outliers, i int) int {
	switch {
	case !o.Outlier[i]:
		return 0
	case o.Margins():
		return 2
	}
	merely := false
	for _, d := range distancesOf(o) {
		if d.cutoff > 0 && math.Abs(d.distance[i]) > d.cutoff {
			if !d.merely {
				return 2
			}
			merely = true
		}
	}
	if merely && (o.Residual != nil || o.OrthogonalDistance != nil) {
		return 1
	}
	return 2
}
