// Package verdict is the one vocabulary of judging: what a fitted model, of whatever family,
// says of rows. [Rows] is the verdict on many, column by column; [Row] is the verdict on one,
// a plain value. Training rows and new rows are judged alike.
package verdict

import (
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Rows is the verdict on rows. Slices that do not apply to the family are nil, the others
// have one entry per row.
type Rows struct {
	// Weight is the vote that the model's loss gives the row: 1 = full, 0 = none. It is nil where
	// there is no loss and every row has its full vote.
	Weight []float64
	// OrthogonalDistance is the distance from the subspace, in units of the data.
	OrthogonalDistance []float64
	// ScoreDistance is the distance from the center within the subspace or, for regressions, of
	// the columns (leverage), in robust standard deviations.
	ScoreDistance []float64
	// Residual is target minus prediction in units of its scale (regression), distance over
	// cut-off (clusters and nearest classes; the row's or that of its worst cell, whichever is more,
	// where cells are judged), or the margin (see [Rows.Margins]).
	Residual []float64
	// Label is the class or cluster that the model gives the row, from 0.
	Label []int

	Outlier []bool
	Kind    []Kind
	Kinds   []Kind // all kinds that can occur, the regular one first

	OrthogonalCutoff float64 // 0: none, or rows lie in the subspace to rounding
	ScoreCutoff      float64 // 0: none
	ResidualCutoff   float64 // 0: none; absolute

	// Suggested names the class that the model would give; nil where classes have no names.
	Suggested []string
	// Contributions is each column's part of the row's distance; nil where there is none, and where
	// the model has a method Contributions, which computes it when asked.
	Contributions *mat.Dense
	// Cells is the verdict on single cells; nil where the model judges rows alone.
	Cells *Cells
}

// Cells is the verdict on the single cells of rows.
type Cells struct {
	// Expected is what the rest of its row lets expect of a cell, known or missing, in the column's unit.
	Expected *mat.Dense
	// Deviation is value minus expectation in units of Tolerance; 0 where the cell is missing.
	Deviation *mat.Dense
	// Tolerance is the standard deviation of a regular cell about its expectation: the more, the less
	// the rest of its row tells.
	Tolerance *mat.Dense
	// Cutoff is the absolute deviation beyond which a cell is wrong; 0: none is.
	Cutoff float64
}

// Wrong tells whether cell j of row i is beyond the cut-off.
func (c *Cells) Wrong(i, j int) bool {
	v := c.Deviation.At(i, j)
	return c.Cutoff > 0 && (v > c.Cutoff || v < -c.Cutoff)
}

// Count is the number of wrong cells.
func (c *Cells) Count() int {
	n, d := c.Deviation.Dims()
	count := 0
	for i := range n {
		for j := range d {
			if c.Wrong(i, j) {
				count++
			}
		}
	}
	return count
}

// Row is the verdict on one row; the fields mean what those of [Rows] mean, and are 0 where
// they do not apply. Label is -1 where the model gives none. Weight is 1 where the model has no
// loss, as every row has its full vote there, but for a row that cannot be judged.
type Row struct {
	Weight             float64
	OrthogonalDistance float64
	ScoreDistance      float64
	Residual           float64
	Label              int
	Outlier            bool
	Kind               Kind
}

// Len is the number of rows.
func (r *Rows) Len() int { return len(r.Kind) }

// Count is the number of outliers.
func (r *Rows) Count() int {
	n := 0
	for _, out := range r.Outlier {
		if out {
			n++
		}
	}
	return n
}

// CountKind is the number of rows of a kind.
func (r *Rows) CountKind(k Kind) int {
	n := 0
	for _, kind := range r.Kind {
		if kind == k {
			n++
		}
	}
	return n
}

// Row is the verdict on row i.
func (r *Rows) Row(i int) Row {
	at := func(v []float64) float64 {
		if v == nil {
			return 0
		}
		return v[i]
	}
	out := Row{
		Weight: at(r.Weight), OrthogonalDistance: at(r.OrthogonalDistance), ScoreDistance: at(r.ScoreDistance), Residual: at(r.Residual),
		Label: -1, Outlier: r.Outlier[i], Kind: r.Kind[i],
	}
	if r.Label != nil {
		out.Label = r.Label[i]
	}
	if r.Weight == nil && out.Kind != Missing {
		out.Weight = 1
	}
	return out
}

// Append adds the verdict on further rows by the same model to r, which may be nil, and returns
// the verdict on all. Contributions and cells are left out.
func (r *Rows) Append(more *Rows) *Rows {
	if r == nil {
		first := *more
		first.Contributions, first.Cells = nil, nil
		return &first
	}
	r.Weight, r.OrthogonalDistance = append(r.Weight, more.Weight...), append(r.OrthogonalDistance, more.OrthogonalDistance...)
	r.ScoreDistance, r.Residual = append(r.ScoreDistance, more.ScoreDistance...), append(r.Residual, more.Residual...)
	r.Label, r.Suggested = append(r.Label, more.Label...), append(r.Suggested, more.Suggested...)
	r.Outlier, r.Kind = append(r.Outlier, more.Outlier...), append(r.Kind, more.Kind...)
	for _, k := range more.Kinds {
		if !slices.Contains(r.Kinds, k) {
			r.Kinds = append(slices.Clone(r.Kinds), k)
		}
	}
	r.Contributions, r.Cells = nil, nil
	return r
}

// Margins tells whether Residual holds margins: the score of a row's label less that of the
// best other. They have no cut-off and a sign: rows whose label is doubtful have negative
// ones, and the larger a margin the more regular is the row.
func (r *Rows) Margins() bool { return r.Label != nil && r.Residual != nil && r.ResidualCutoff == 0 }
