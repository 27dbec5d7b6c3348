package main

import (
	"context"
	"fmt"
	"math"
	"sort"
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

// reason is one column's part of a row's distance.
type reason struct {
	Column       string `json:"column"`
	Value        number `json:"value"`        // what the row has there
	Contribution number `json:"contribution"` // how far that is from what the model expects, in units of the column
	Share        number `json:"share"`        // of the squared distance
}

// reasons returns the columns that contribute most to the squared distance of a row,
// largest first: at most so many, and none after nine tenths of it are explained. A
// distance of 0 or less stands for the sum of the contributions' squares.
func reasons(row, contributions []float64, squared float64, columns []string, most int) []reason {
	order := make([]int, len(contributions))
	total := 0.0
	for j, v := range contributions {
		order[j] = j
		total += v * v
	}
	if squared > 0 {
		total = squared
	}
	sort.SliceStable(order, func(i, j int) bool {
		return math.Abs(contributions[order[i]]) > math.Abs(contributions[order[j]])
	})
	var list []reason
	explained := 0.0
	for _, j := range order {
		v := contributions[j]
		if len(list) == most || v == 0 || explained >= 0.9*total {
			break
		}
		explained += v * v
		list = append(list, reason{Column: columnName(columns, j), Value: number(row[j]), Contribution: number(v), Share: number(math.Min(1, v*v/total))})
	}
	return list
}

func columnName(columns []string, j int) string {
	if j < len(columns) && columns[j] != "" {
		return columns[j]
	}
	return "column " + strconv.Itoa(j+1)
}

// outlyingness orders rows from regular to far out: by the largest distance in units of
// its cut-off; for classifiers by how far another label is ahead of the row's own, or by a
// distance beyond its cut-off where that is more.
func outlyingness(o *catalog.Outliers, i int) float64 {
	if o.Margins() {
		far := -o.Residual[i]
		if o.OrthogonalCutoff > 0 { // of a reduction before the classifier
			far = math.Max(far, o.OrthogonalDistance[i]/o.OrthogonalCutoff-1)
		}
		return far
	}
	far := 0.0
	for _, d := range []struct {
		distance []float64
		cutoff   float64
	}{{o.OrthogonalDistance, o.OrthogonalCutoff}, {o.ScoreDistance, o.ScoreCutoff}, {o.Residual, o.ResidualCutoff}} {
		if d.distance == nil {
			continue
		}
		v := math.Abs(d.distance[i])
		if d.cutoff > 0 {
			v /= d.cutoff
		} else {
			v *= 1e-6 // without a cut-off a distance only breaks ties
		}
		far = math.Max(far, v)
	}
	if far == 0 && o.Weight != nil {
		far = 1 - o.Weight[i]
	}
	return far
}

// squaredDistance is the squared distance that a row's contributions explain: from the
// subspace when it lies beyond that cut-off; 0, for their own sum, otherwise.
func squaredDistance(o *catalog.Outliers, i int) float64 {
	if o.OrthogonalDistance != nil && o.OrthogonalCutoff > 0 && o.OrthogonalDistance[i] > o.OrthogonalCutoff {
		return o.OrthogonalDistance[i] * o.OrthogonalDistance[i]
	}
	return 0
}
