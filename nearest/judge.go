package nearest

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/judging"
	"github.com/inlier-ml/inlier/verdict"
)

// kinds are the kinds of rows beside classes.
var kinds = []verdict.Kind{verdict.Regular, verdict.FarFromClass, verdict.Mislabeled}

// Judge compares the distances of rows from the centers with the cut-offs of the classes.
// Label is the nearest class; Residual is the distance from the given class, or else the
// nearest, over its cut-off. given[i] is the label that row i came with, or -1; nil: none has
// one.
func (m *Model) Judge(ctx context.Context, x *mat.Dense, given []int) (*verdict.Rows, error) {
	distance, err := m.Distances(ctx, x)
	if err != nil {
		return nil, err
	}
	return judgeAs(m.labelsOf(m.inputs.apply(x), distance), distance, m.cutoffs, given), nil
}

// Judge does the same with the distances of rows from the subspaces of the classes.
func (s *Subspaces) Judge(ctx context.Context, x *mat.Dense, given []int) (*verdict.Rows, error) {
	distance, err := s.Distances(ctx, x)
	if err != nil {
		return nil, err
	}
	return judge(distance, s.Cutoffs, given), nil
}

// closest is the class with the smallest distance for every row, the first of equals.
func closest(distance *mat.Dense) []int {
	n, _ := distance.Dims()
	out := make([]int, n)
	for i := range out {
		row := distance.RawRowView(i)
		best := 0
		for k, d := range row {
			if d-d != 0 {
				best = -1
				break
			}
			if d < row[best] {
				best = k
			}
		}
		out[i] = best
	}
	return out
}

// judge compares distances, one row for each row and one column for each class, with the
// cut-offs of the classes. Rows get the label of the nearest class.
func judge(distance *mat.Dense, cutoffs []float64, given []int) *verdict.Rows {
	return judgeAs(closest(distance), distance, cutoffs, given)
}

// judgeAs is judge of rows that get these labels.
func judgeAs(labels []int, distance *mat.Dense, cutoffs []float64, given []int) *verdict.Rows {
	n, _ := distance.Dims()
	v := judging.New(n, kinds)
	v.Label, v.Residual, v.ResidualCutoff = labels, make([]float64, n), 1
	for i := range n {
		label := -1
		if given != nil {
			label = given[i]
		}
		one := judgeRow(distance.RawRowView(i), cutoffs, v.Label[i], label)
		if one.Kind == verdict.Missing {
			judging.SetMissing(v, i)
			continue
		}
		v.Residual[i] = one.Residual
		judging.Set(v, i, one.Kind, one.Outlier)
	}
	return v
}

// judgeRow compares the distances of one row from the classes with their cut-offs. best is
// the nearest class, given the label that the row came with, or -1.
func judgeRow(distance, cutoffs []float64, best, given int) verdict.Row {
	for _, d := range distance {
		if d-d != 0 { // there is no distance
			return verdict.Row{Label: -1, Kind: verdict.Missing, Outlier: true}
		}
	}
	class := best
	if given >= 0 {
		class = given
	}
	out := verdict.Row{Weight: 1, Label: best, Kind: verdict.Regular, Residual: math.Min(distance[class]/cutoffs[class], math.MaxFloat64)}
	switch {
	case distance[class] <= cutoffs[class]:
	case class != best && distance[best] <= cutoffs[best]:
		out.Kind, out.Outlier = verdict.Mislabeled, true
	default:
		out.Kind, out.Outlier = verdict.FarFromClass, true
	}
	return out
}
