package pca

import (
	"errors"
	"io"
	"strconv"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/loss"
)

// Describe tells what was fitted and how the fit ended.
func (m *Model) Describe(archive.Names) archive.Description {
	if d, ok := m.kept.Description(); ok {
		return d
	}
	columns, components := m.dims()
	found := archive.Parameters{"components": strconv.Itoa(components)}
	if scale := m.loss.Scale(); scale > 0 {
		found["sigma"], found["cutoff"] = archive.FormatNumber(scale), archive.FormatNumber(scale)
	}
	if m.cells != nil {
		found["cell-loss"] = m.cells.loss.at.String()
	}
	d := archive.Description{
		Method: m.method, Family: "pca", Task: archive.Reduce, Rows: m.rows, Columns: columns, Parameters: found, Loss: m.loss.String(),
		Status: m.status.String(), Warnings: m.Warnings(),
	}
	if m.seen != nil {
		d.Outliers, d.Effective = m.seen.Flagged, m.seen.effective()
	} else {
		d.Outliers, d.Effective = m.training.Count(), loss.EffectiveSampleSize(m.weights)
	}
	d.EndedWith(m.steps)
	e := m.explained
	d.Numbers = map[string]any{
		"explained_variance_classical": e.Classical, "explained_variance_robust": e.Robust, "explained_by_component": e.Components,
		"eigenvalues": m.Eigenvalues(), "orthogonal_cutoff": m.orthogonalCutoff, "score_cutoff": m.scoreCutoff,
	}
	if m.cells != nil {
		d.Numbers["cell_cutoff"] = m.cells.cellCutoff
	}
	return d
}

// State is everything a model file holds, under the names it has there.
func (m *Model) State() archive.State {
	p := m.parts()
	arrays := map[string]archive.Array{
		"mean": archive.Vector(p.Mean), "components": archive.Matrix(p.Components), "eigenvalues": archive.Saturated(p.Eigenvalues),
		"weights": archive.Vector(p.Weights), "objective": archive.Objectives(p.Steps),
	}
	if p.Axes != nil {
		arrays["score_axes"], arrays["score_variances"] = archive.Matrix(p.Axes), archive.Saturated(p.AxisVariances)
	}
	numbers := map[string]any{
		"loss_at": p.Loss, "largest_log_weight": p.LargestLogWeight,
		"orthogonal_cutoff": p.OrthogonalCutoff, "score_cutoff": p.ScoreCutoff,
	}
	p.Cells.store(arrays, numbers)
	m.past.store(arrays, numbers)
	return m.kept.State(m.Describe(archive.Names{}), arrays, numbers)
}

// Restore makes the model again from its state.
func Restore(s archive.State) (*Model, error) {
	if err := s.Of("pca"); err != nil {
		return nil, err
	}
	r := s.Reader()
	if r.Has("input_scale") {
		return nil, errors.New("its columns are scaled first, which a subspace alone does not do; model.Load reads it whole, and catalog.As finds TransformRow and JudgeRow there")
	}
	p := parts{
		Method: s.Description.Method, Components: r.Matrix("components"), Mean: r.Vector("mean"), Eigenvalues: r.Vector("eigenvalues"),
		Weights: r.Vector("weights"), Steps: r.Trace(), Loss: r.Text("loss_at"), LargestLogWeight: r.Number("largest_log_weight"),
		OrthogonalCutoff: r.Number("orthogonal_cutoff"), ScoreCutoff: r.Number("score_cutoff"), Status: r.Status(), Warnings: s.Description.Warnings,
	}
	if r.Has("score_axes") { // of PCA-L1
		p.Axes, p.AxisVariances = r.Matrix("score_axes"), r.Vector("score_variances")
	}
	if r.Has("cell_units") {
		p.Cells = restoreCells(r)
	}
	if r.Err() == nil {
		if _, d := p.Components.Dims(); d != s.Description.Columns {
			r.Fail("components of %d columns do not go with a model of %d", d, s.Description.Columns)
		}
	}
	if r.Err() != nil {
		return nil, r.Err()
	}
	m, err := fromParts(p)
	if err != nil {
		return nil, err
	}
	m.kept, m.rows, m.past = archive.Keep(s), s.Description.Rows, restorePast(r, len(m.mean))
	return m, r.Err()
}

// WriteTo writes the model as the bytes of a model file, which the inlier command and package
// model read as well.
func (m *Model) WriteTo(w io.Writer) (int64, error) { return archive.WriteTo(w, m.State()) }

// Save writes the model to a file, whole or not at all.
func (m *Model) Save(path string) error { return archive.Save(path, m.State()) }

// Read reads a model from r, to its end.
func Read(r io.Reader) (*Model, error) { return archive.Read(r, Restore) }

// Load reads the model file at path, written by [Model.Save] or by the inlier command.
func Load(path string) (*Model, error) { return archive.Load(path, Restore) }
