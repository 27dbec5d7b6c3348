package catalog

import (
	"github.com/inlier-ml/inlier/linear"
)

// storeLeverage adds the distances in the columns to the arrays of a model file, under the
// same names for every regression. Without columns there is nothing to add.
func storeLeverage(arrays map[string]Array, p linear.LeverageParts) {
	if len(p.Columns) == 0 {
		return
	}
	columns := make([]float64, len(p.Columns))
	for i, j := range p.Columns {
		columns[i] = float64(j)
	}
	arrays["leverage_columns"], arrays["leverage_center"] = Vector(columns), Vector(p.Centre)
	arrays["leverage_whiten"] = Matrix(p.Whiten)
}

// leverage reads what storeLeverage wrote; nothing, if there is none.
func (r *reader) leverage() (p linear.LeverageParts) {
	if !r.has("leverage_columns") {
		return p
	}
	for _, j := range r.vector("leverage_columns") {
		p.Columns = append(p.Columns, int(j))
	}
	p.Centre, p.Whiten, p.Cutoff = r.vector("leverage_center"), r.matrix("leverage_whiten"), r.number("leverage_cutoff")
	return p
}
