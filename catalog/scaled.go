package catalog

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/scaling"
	"github.com/inlier-ml/inlier/internal/workspace"
	"github.com/inlier-ml/inlier/verdict"
)

// Subspace methods see the units of their columns. The parameter scaling brings these to a common size first; it is
// put on by the table, alike for all of them: the model file keeps the scaling beside the method's own arrays, rows
// come and go in their units, and distances are in those of the scaled columns.

// ownScaling is the parameter of methods that learn from columns as they are.
var ownScaling = Param{
	Name: "scaling", Kind: Choice, Default: string(scaling.None), Choices: []string{string(scaling.None), string(scaling.Robust), string(scaling.Standard)},
	Meaning: "columns before the fit: as they are, by median and absolute deviation, or by mean and standard deviation; distances are in these units then",
}

// makeScaled gives an entry the parameter; its Build and Restore, which know nothing of that, become those of a model
// behind a scaling.
func makeScaled(m *Method) {
	m.Params, m.scaled = slices.Concat(m.Params, []Param{ownScaling}), true
	build, restore := m.Build, m.Restore
	m.Build = func(v Values) (Fitter, error) {
		fitter, err := build(v)
		if how := v[ownScaling.Name]; err == nil && how != "" && how != ownScaling.Default {
			fitter = scaledFitter{Fitter: fitter, how: how, alone: true}
		}
		return fitter, err
	}
	m.Restore = func(s State) (Model, error) {
		about := s.Description
		s, scale, err := splitScaling(m, s)
		if err != nil {
			return nil, err
		}
		inner, err := restore(s)
		if err != nil || scale == nil {
			return inner, err
		}
		return newScaled(inner.(Transformer), *scale, about), nil
	}
}

// scalesItself tells whether a method brings columns to a common size by itself.
func (m *Method) scalesItself() bool {
	_, has := m.Param(ownScaling.Name)
	return has && !m.scaled
}

// unitless lets columns that never change stay visible: what differs from them in new rows counts in their own unit.
func unitless(s scaling.Scaling) scaling.Scaling {
	s.Low, s.High = nil, nil // there is no other clipping
	return s
}

// TransformRow writes the scores of one row to dst (nil: it is made) and returns it: what Transform returns for the
// row, to rounding. It allocates nothing where the subspace's own does not.
func (r *scaledReducer) TransformRow(dst, row []float64) []float64 {
	inner, _ := As[interface {
		TransformRow(dst, row []float64) []float64
	}](r.Transformer)
	room := workspace.Get(len(row))
	defer room.Put()
	return inner.TransformRow(dst, r.scaledRow(room.Take(len(row)), row))
}

// JudgeRow is the verdict on one row: what Outliers says of it, to rounding; see TransformRow.
func (r *scaledDetector) JudgeRow(row []float64) verdict.Row {
	inner, _ := As[interface {
		JudgeRow(row []float64) verdict.Row
	}](r.Transformer)
	room := workspace.Get(len(row))
	defer room.Put()
	return inner.JudgeRow(r.scaledRow(room.Take(len(row)), row))
}

// scaledRow is scaledRows of one row.
func (r *scaledReducer) scaledRow(to, row []float64) []float64 {
	if len(row) != len(r.scale.Offset) {
		panic(fmt.Sprintf("catalog: the row has %d columns; the model has %d", len(row), len(r.scale.Offset)))
	}
	r.scale.ApplyRow(to, row)
	for j, v := range row {
		if v-v != 0 {
			to[j] = v
		}
	}
	return to
}

// inUnits turns what was expected of cells to the units that rows came in.
func (r *scaledReducer) inUnits(v *verdict.Rows) *verdict.Rows {
	if v == nil || v.Cells == nil {
		return v
	}
	cells, out := *v.Cells, *v
	cells.Expected, cells.Tolerance = r.back(cells.Expected), mat.DenseCopyOf(cells.Tolerance)
	cells.Tolerance.Apply(func(_, j int, v float64) float64 { return r.scale.Scale[j] * v }, cells.Tolerance)
	out.Cells = &cells
	return &out
}
