package tensor

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/loss"
)

// Describe tells what was fitted and how the fit ended.
func (m *Model) Describe(archive.Names) archive.Description {
	if d, ok := m.kept.Description(); ok {
		return d
	}
	found := archive.Parameters{"rank": times(m.ranks), "shape": times(m.shape), "learn-rank": times(m.learnRank)}
	if scale := m.loss.Scale(); scale > 0 {
		if unit := m.Unit(); unit > 0 {
			scale /= unit
		}
		found["beta"] = archive.FormatNumber(scale)
	}
	d := archive.Description{
		Method: m.method, Family: "tensor", Task: archive.Reduce, Rows: m.rows, Columns: product(m.shape), Parameters: found,
		Status: m.status.String(), Shape: m.Shape(), Warnings: m.Warnings(),
	}
	if m.seen != nil {
		d.Outliers, d.Effective = m.seen.Flagged, m.seen.effective()
	} else {
		d.Outliers, d.Effective = m.training.Count(), loss.EffectiveSampleSize(m.weights)
	}
	if !m.unweighted {
		d.Loss = m.loss.String()
	}
	d.EndedWith(m.steps)
	e := m.TrainingErrors()
	d.Numbers = map[string]any{
		"explained_classical": m.explained.Classical, "explained_robust": m.explained.Robust,
		"reconstruction_error": e.Norm, "squared_reconstruction_error": e.Squared, "sweeps_at_full_rank": m.Sweeps(),
		"orthogonal_cutoff": m.orthogonalCutoff, "score_cutoff": m.scoreCutoff,
	}
	return d
}

// State is everything a model file holds, under the names it has there.
func (m *Model) State() archive.State {
	p := m.parts()
	arrays := map[string]archive.Array{
		"mean": {Shape: p.Shape, Data: p.Mean}, "weights": archive.Vector(p.Weights), "objective": archive.Objectives(p.Steps),
	}
	extra := map[string]any{
		"loss_at": p.Loss, "judging_loss_at": p.Judging, "largest_log_weight": p.LargestLogWeight,
		"orthogonal_cutoff": p.OrthogonalCutoff, "score_cutoff": p.ScoreCutoff,
	}
	for k, u := range p.Factors {
		arrays[fmt.Sprintf("factor_%d", k)] = archive.Matrix(u)
		extra[fmt.Sprintf("variances_%d", k)] = p.Variances[k]
	}
	return m.kept.State(m.Describe(archive.Names{}), arrays, extra)
}

// Restore makes the model again from its state.
func Restore(s archive.State) (*Model, error) {
	if err := s.Of("tensor"); err != nil {
		return nil, err
	}
	if _, scaled := s.Arrays["input_scale"]; scaled {
		return nil, errors.New("its columns are scaled first, which factors alone do not do; model.Load reads it whole, and catalog.As finds TransformRow and JudgeRow there")
	}
	shape := s.Description.Shape
	mean, ok := s.Arrays["mean"]
	if !ok {
		return nil, fmt.Errorf("array %q is missing", "mean")
	}
	if !slices.Equal(mean.Shape, shape) {
		return nil, fmt.Errorf("array %q has shape %v, the model's is %v", "mean", mean.Shape, shape)
	}
	r := s.Reader()
	p := parts{
		Method: s.Description.Method, Shape: shape, Mean: mean.Data, Weights: r.Vector("weights"), Steps: r.Trace(),
		Loss: r.Text("loss_at"), Judging: r.Text("judging_loss_at"), LargestLogWeight: r.Number("largest_log_weight"),
		OrthogonalCutoff: r.Number("orthogonal_cutoff"), ScoreCutoff: r.Number("score_cutoff"), Status: r.Status(),
	}
	for k := range shape {
		p.Factors = append(p.Factors, r.Matrix(fmt.Sprintf("factor_%d", k)))
		p.Variances = append(p.Variances, r.Numbers(fmt.Sprintf("variances_%d", k)))
	}
	if r.Err() != nil {
		return nil, r.Err()
	}
	m, err := fromParts(p)
	if err != nil {
		return nil, err
	}
	m.rows = s.Description.Rows
	m.kept, m.warnings = archive.Keep(s), s.Description.Warnings
	return m, nil
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
