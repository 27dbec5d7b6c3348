package inlier

import (
	"fmt"
	"io"
	"math"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/report"
)

// Points writes what linked pictures of the fit draw: of every row its vote, whether it is an outlier, its distances, its values, and
// where rows of the file were left out its number there. There are
// none of a table that does not fit into memory.
func (r *MonitorResult) Points(w io.Writer) (Points, error) {
	if r.set == nil {
		return Points{}, nil
	}
	n, d := r.set.X.Dims()
	p := newPoints(w, n, nil)
	outlier := make([]bool, n)
	for _, row := range r.outlying {
		outlier[row-1] = true
	}
	v := r.judged
	switch {
	case v == nil:
		p.add(PointColumn{Name: "vote", Kind: "score", Scale: 1}, func(int) float64 { return 1 })
	default:
		p.add(PointColumn{Name: "vote", Kind: "score", Scale: 1}, func(i int) float64 { return v.Row(i).Weight })
		if r.outlying == nil {
			copy(outlier, v.Outlier)
		}
	}
	p.add(PointColumn{Name: "verdict", Kind: "verdict", Scale: 1}, func(i int) float64 {
		switch {
		case outlier[i]:
			return wrongRow
		case v != nil && v.Kind[i] != v.Kinds[0]:
			return extremeRow
		}
		return fineRow
	})
	if v != nil {
		if v.ScoreDistance != nil {
			p.distance("distance within", v.ScoreDistance, v.ScoreCutoff)
		}
		if v.OrthogonalDistance != nil {
			p.distance("distance from the subspace", v.OrthogonalDistance, v.OrthogonalCutoff)
		} else if v.Residual != nil {
			c := PointColumn{Name: "scaled residual", Kind: "distance"}
			c.Centre, c.Scale = middle(v.Residual)
			if v.ResidualCutoff > 0 {
				c.Cuts = []report.Number{report.Number(-v.ResidualCutoff), report.Number(v.ResidualCutoff)}
			}
			p.add(c, func(i int) float64 { return v.Residual[i] })
		}
	}
	if t := r.set.Target; t != nil && t.Values != nil {
		p.values(t.Name, t.Values)
	} else if t != nil && levels(t.Classes) != nil {
		p.add(PointColumn{Name: t.Name, Kind: "category", Scale: 1, Levels: t.Classes}, func(i int) float64 { return classOf(t, i) })
	}
	column := make([]float64, n)
	for j := 0; j < d && len(p.Columns) < mostPointColumns; j++ {
		for i := range column {
			column[i] = r.set.X.At(i, j)
		}
		name := fmt.Sprint("column ", j+1)
		if j < len(r.set.Columns) {
			name = r.set.Columns[j]
		}
		if p.values(name, column); r.dates[name] {
			p.Columns[len(p.Columns)-1].dated(column, 86400)
		}
	}
	if numbers := r.numbers; numbers != nil {
		p.add(PointColumn{Name: "row", Kind: "row", Scale: 1}, func(i int) float64 { return numbers[i] })
	}
	return p.end()
}

func classOf(t *dataset.Target, i int) float64 {
	if t.Labels[i] < 0 {
		return math.NaN()
	}
	return float64(t.Labels[i])
}

// values writes a column of numbers.
func (p *pointWriter) values(name string, values []float64) {
	c := PointColumn{Name: name, Kind: "number"}
	c.Centre, c.Scale = middle(values)
	p.add(c, func(i int) float64 { return values[i] })
}

// WriteVotes writes a byte for each row of each fit along the scale, fit by fit: 128 where the row is an outlier there, plus its
// vote from 0 to 127.
func (r *MonitorResult) WriteVotes(w io.Writer) error {
	line := make([]byte, r.set.Rows())
	for k, votes := range r.Votes {
		for i, v := range votes {
			if line[i] = 0; v > 0 {
				line[i] = byte(math.Round(127 * min(1, float64(v))))
			}
			if r.Outlying[k][i] {
				line[i] |= 128
			}
		}
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return nil
}
