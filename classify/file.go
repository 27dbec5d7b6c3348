package classify

import (
	"fmt"
	"io"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/internal/belief"
	"github.com/inlier-ml/inlier/internal/scaling"
	"github.com/inlier-ml/inlier/kernel"
)

// Describe tells what was trained and how the training ended.
func (m *Model) Describe(names archive.Names) archive.Description {
	if d, ok := m.kept.Description(); ok {
		return d
	}
	p := m.parts
	columns, classes := m.dims()
	_, features := p.Coef.Dims()
	outliers, doubtful, far := m.counts()
	found := archive.Parameters{"lambda": archive.FormatNumber(p.Lambda)}
	numbers := map[string]any{
		"classes": classes, "features": features, "kernel": p.Kernel, "probabilities": m.Probabilistic(),
		"training_accuracy": float64(m.right) / float64(m.Rows()), "doubtful_labels": doubtful, "far_from_all_classes": far,
	}
	if m.kernel.Kind != kernel.Linear {
		found["gamma"], found["approximation"] = archive.FormatNumber(m.kernel.Gamma), string(p.Approximation)
		numbers["approximation"] = string(p.Approximation)
	}
	if scale := m.bandwidth(); scale > 0 {
		found["sigma"] = archive.FormatNumber(scale)
	}
	d := archive.Description{
		Method: p.Method, Family: "classify", Task: archive.Classify, Rows: m.Rows(), Columns: columns, Parameters: found, Loss: p.Loss,
		Status: p.Status.String(), Warnings: m.named(names), Outliers: outliers, Effective: m.Effective(), Numbers: numbers,
	}
	for k := range classes {
		d.Classes = append(d.Classes, names.Class(k))
	}
	d.EndedWith(p.Steps)
	return d
}

// named is the list of warnings with columns and classes by name.
func (m *Model) named(names archive.Names) []string {
	var out []string
	for _, w := range m.warnings {
		text := w.Text
		if w.Class >= 0 {
			text = fmt.Sprintf("class %q %s", names.Class(w.Class), text)
		}
		out = append(out, text)
	}
	return append(out, m.left.Remark(m.Rows(), names.Column)...)
}

// State is everything a model file holds, under the names it has there.
func (m *Model) State() archive.State {
	p := m.parts
	weights := archive.Vector(p.Weights)
	if p.PerElement {
		weights.Shape = []int{len(p.Weights) / len(p.Intercept), len(p.Intercept)}
	}
	arrays := map[string]archive.Array{
		"coef": archive.Matrix(p.Coef), "intercept": archive.Vector(p.Intercept), "weights": weights, "objective": archive.Objectives(p.Steps),
	}
	p.Scaling.Store(arrays)
	p.Places.Store(arrays)
	p.Belief.Store(arrays, &p.Known)
	if p.Support != nil {
		arrays["support"] = archive.Matrix(p.Support)
	}
	if p.Frequencies != nil {
		arrays["frequencies"] = archive.Matrix(p.Frequencies)
	}
	if p.Sigmoids != nil {
		slope, shift := make([]float64, len(p.Sigmoids)), make([]float64, len(p.Sigmoids))
		for l, g := range p.Sigmoids {
			slope[l], shift[l] = g.Slope, g.Shift
		}
		arrays["sigmoid_slope"], arrays["sigmoid_shift"] = archive.Vector(slope), archive.Vector(shift)
	}
	more := map[string]any{"kernel": p.Kernel, "approximation": string(p.Approximation), "loss_at": p.Loss, "best_cutoff": p.BestCutoff, "lambda": p.Lambda}
	if p.Joint {
		more["multiclass"] = string(Joint)
	}
	return m.kept.State(m.Describe(archive.Names{}), arrays, more)
}

// Restore makes the model again from its state.
func Restore(s archive.State) (*Model, error) {
	if err := s.Of("classify"); err != nil {
		return nil, err
	}
	r := s.Reader()
	p := parts{
		Method: s.Description.Method, Own: s.Description.Method == "logistic", Coef: r.Matrix("coef"), Intercept: r.Vector("intercept"), Steps: r.Trace(),
		Kernel: r.Text("kernel"), Approximation: Approximation(r.Text("approximation")), Loss: r.Text("loss_at"), BestCutoff: r.Number("best_cutoff"),
	}
	if r.Knows("lambda") {
		p.Lambda = r.Number("lambda")
	}
	p.Joint = r.Knows("multiclass") && Multiclass(r.Text("multiclass")) == Joint
	p.Scaling = scaling.Restore(r, len(s.Arrays["input_offset"].Data))
	p.Places = scaling.RestoreClasses(r, len(p.Intercept), len(p.Scaling.Offset))
	p.Belief, p.Known = belief.Restore(r, len(p.Intercept))
	if r.Has("sigmoid_slope") {
		slope, shift := r.Vector("sigmoid_slope"), r.Vector("sigmoid_shift")
		if r.Err() == nil && len(slope) != len(shift) {
			r.Fail("%d slopes and %d shifts of sigmoids", len(slope), len(shift))
		}
		if r.Err() != nil {
			return nil, r.Err()
		}
		for l := range slope {
			p.Sigmoids = append(p.Sigmoids, plattCurve{Slope: slope[l], Shift: shift[l]})
		}
	}
	if r.Has("support") {
		p.Support = r.Matrix("support")
	}
	if r.Has("frequencies") {
		p.Frequencies = r.Matrix("frequencies")
	}
	weights := s.Arrays["weights"]
	if p.Weights, p.PerElement = weights.Data, len(weights.Shape) == 2; !p.PerElement {
		p.Weights = r.Vector("weights")
	}
	p.Status = r.Status()
	if r.Err() == nil && len(s.Description.Classes) != len(p.Intercept) {
		r.Fail("%d class names for %d classes", len(s.Description.Classes), len(p.Intercept))
	}
	if r.Err() != nil {
		return nil, r.Err()
	}
	m, err := fromParts(p)
	if err != nil {
		return nil, err
	}
	if m.kept = archive.Keep(s); len(p.Weights) == 0 { // of rows that were not in memory
		m.rows = s.Description.Rows
	}
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
