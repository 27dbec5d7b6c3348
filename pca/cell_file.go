package pca

import (
	"fmt"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/loss"
)

// store adds what judges cells to what a model file holds.
func (c *cellwise) store(arrays map[string]archive.Array, numbers map[string]any) {
	if c == nil {
		return
	}
	arrays["column_centre"], arrays["column_spread"] = archive.Vector(c.centre), archive.Vector(c.spread)
	arrays["cell_units"], arrays["cell_tolerance"] = archive.Vector(c.unit), archive.Vector(c.tolerance)
	numbers["cell_loss_at"], numbers["row_cutoff"], numbers["cell_cutoff"] = c.loss.at.String(), c.rowCutoff, c.cellCutoff
}

// restoreCells reads what store has added; what is wrong with it the reader remembers.
func restoreCells(r *archive.Reader) *cellwise {
	c := &cellwise{
		centre: r.Vector("column_centre"), spread: r.Vector("column_spread"), unit: r.Vector("cell_units"), tolerance: r.Vector("cell_tolerance"),
		rowCutoff: r.Number("row_cutoff"), cellCutoff: r.Number("cell_cutoff"),
	}
	text := r.Text("cell_loss_at")
	if r.Err() != nil {
		return c
	}
	spec, err := loss.Parse(text)
	if err != nil {
		r.Fail("cell loss: %v", err)
		return c
	}
	c.loss = newCellLoss(spec)
	return c
}

// check refuses parts that do not belong to d columns.
func (c *cellwise) check(d int) error {
	for _, v := range [][]float64{c.centre, c.spread, c.unit, c.tolerance} {
		if len(v) != d {
			return fmt.Errorf("pca: %d numbers for the cells of %d columns", len(v), d)
		}
	}
	for _, v := range slices.Concat(c.spread, c.unit, c.tolerance) {
		if !(v > 0 && v <= math.MaxFloat64) {
			return fmt.Errorf("pca: a spread of %g", v)
		}
	}
	for _, v := range append([]float64{c.rowCutoff, c.cellCutoff}, c.centre...) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("pca: the model holds a number that is not finite")
		}
	}
	return nil
}
