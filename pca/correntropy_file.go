package pca

import (
	"fmt"
	"io"
	"strconv"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/irls"
)

// Describe tells what was fitted. The objective is the part of the trace of the matrix that
// the components leave.
func (m *CorrentropyModel) Describe(archive.Names) archive.Description {
	if d, ok := m.kept.Description(); ok {
		return d
	}
	rows, columns, components := m.dims()
	d := archive.Description{
		Method: "correntropy-pca", Family: "correntropy-pca", Task: archive.Reduce, Rows: rows, Columns: columns,
		Parameters: archive.Parameters{"components": strconv.Itoa(components), "sigma": archive.FormatNumber(m.sigma)},
		Status:     irls.Converged.String(), Objective: 1, Effective: m.effective, Outliers: m.training.Count(),
		Numbers: map[string]any{"explained_by_component": m.ExplainedVariance(), "eigenvalues": m.Eigenvalues(), "score_cutoff": m.cutoff},
	}
	for _, part := range m.ExplainedVariance() {
		d.Objective -= part
	}
	return d
}

// State is everything a model file holds; arrays without entries are left out.
func (m *CorrentropyModel) State() archive.State {
	p := m.parts()
	arrays := map[string]archive.Array{
		"matrix": archive.Matrix(p.Matrix), "components": archive.Matrix(p.Components), "eigenvalues": archive.Vector(p.Eigenvalues),
		"input_offset": archive.Vector(p.Offset), "input_scale": archive.Vector(p.Scale), "point_count": archive.Vector(p.PointCount),
		"score_centre": archive.Vector(p.ScoreCenter), "score_below": archive.Vector(p.ScoreBelow), "score_above": archive.Vector(p.ScoreAbove),
	}
	if p.Segments != nil {
		arrays["segments"], arrays["features"] = archive.Matrix(p.Segments), archive.Matrix(p.Features)
	}
	if len(p.Points) > 0 {
		arrays["points"], arrays["point_mass"] = archive.Vector(p.Points), archive.Vector(p.PointMass)
	}
	extra := map[string]any{"kernel_size": p.Sigma, "score_cutoff": p.ScoreCutoff}
	if p.Uncentered {
		extra["uncentred"] = true
	}
	return m.kept.State(m.Describe(archive.Names{}), arrays, extra)
}

// RestoreCorrentropy makes the model again from its state.
func RestoreCorrentropy(s archive.State) (*CorrentropyModel, error) {
	if err := s.Of("correntropy-pca"); err != nil {
		return nil, err
	}
	r := s.Reader()
	p := correntropyParts{
		Rows: s.Description.Rows, Sigma: r.Number("kernel_size"), Uncentered: r.Flag("uncentred"), ScoreCutoff: r.Number("score_cutoff"),
		Matrix: r.Matrix("matrix"), Components: r.Matrix("components"), Eigenvalues: r.Vector("eigenvalues"),
		Offset: r.Vector("input_offset"), Scale: r.Vector("input_scale"), PointCount: r.Vector("point_count"),
		ScoreCenter: r.Vector("score_centre"), ScoreBelow: r.Vector("score_below"), ScoreAbove: r.Vector("score_above"),
	}
	if r.Has("segments") {
		p.Segments, p.Features = r.Matrix("segments"), r.Matrix("features")
	}
	if r.Has("points") {
		p.Points, p.PointMass = r.Vector("points"), r.Vector("point_mass")
	}
	if r.Err() != nil {
		return nil, r.Err()
	}
	m, err := correntropyFromParts(p)
	if err != nil {
		return nil, fmt.Errorf("correntropy-pca: %w", err)
	}
	m.kept = archive.Keep(s)
	return m, nil
}

// WriteTo writes the model as the bytes of a model file.
func (m *CorrentropyModel) WriteTo(w io.Writer) (int64, error) { return archive.WriteTo(w, m.State()) }

// Save writes the model to a file, whole or not at all.
func (m *CorrentropyModel) Save(path string) error { return archive.Save(path, m.State()) }

// ReadCorrentropy reads a model from r, to its end.
func ReadCorrentropy(r io.Reader) (*CorrentropyModel, error) {
	return archive.Read(r, RestoreCorrentropy)
}

// LoadCorrentropy reads the model file at path.
func LoadCorrentropy(path string) (*CorrentropyModel, error) {
	return archive.Load(path, RestoreCorrentropy)
}
