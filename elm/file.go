package elm

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/internal/belief"
	"github.com/inlier-ml/inlier/internal/leverage"
	"github.com/inlier-ml/inlier/internal/scaling"
	"github.com/inlier-ml/inlier/loss"
)

// Describe tells what was fitted and how the fit ended.
func (m *Model) Describe(names archive.Names) archive.Description {
	if d, ok := m.kept.Description(); ok {
		return d
	}
	columns, hidden, outputs := m.dims()
	if m.inputs.offset != nil { // the constant is a node
		hidden++
	}
	found := archive.Parameters{"hidden": strconv.Itoa(hidden), "lambda": archive.FormatNumber(m.lambda), "task": string(archive.Regress)}
	if scale := m.loss.Scale(); scale > 0 {
		found["sigma"] = archive.FormatNumber(scale)
	}
	m.describeApart(found)
	for k, r := range m.drawn {
		name := []string{"weight", "bias"}[k]
		found[name+"-low"], found[name+"-high"] = archive.FormatNumber(r.Low), archive.FormatNumber(r.High)
	}
	if m.robust {
		found["weighting"] = "element"
		if m.perRow {
			found["weighting"] = "row"
		}
	}
	d := archive.Description{
		Method: m.method, Family: "elm", Task: archive.Regress, Rows: m.rows, Columns: columns, Parameters: found, Loss: m.loss.String(),
		Status: m.status.String(), Warnings: m.Warnings(), Outliers: m.outliers(),
	}
	for _, k := range m.lonely {
		d.Warnings = append(d.Warnings, fmt.Sprintf("class %q has a single row", names.Class(k)))
	}
	d.Warnings = append(d.Warnings, m.inputs.left.Remark(m.rows, names.Column)...)
	if d.Effective = m.effective; d.Effective == 0 {
		weights := m.EntryWeights().RawMatrix() // one or several per row; the effective sample is in rows
		d.Effective = loss.EffectiveSampleSize(weights.Data) / float64(weights.Cols)
	}
	d.EndedWith(m.steps)
	if m.labels {
		d.Task = archive.Classify
		found["task"] = string(archive.Classify)
		for k := range outputs {
			d.Classes = append(d.Classes, names.Class(k))
		}
	} else {
		d.Numbers = map[string]any{"scale": m.scale[0]}
	}
	return d
}

// lonely lists the classes with a single row, which nothing can be learned about.
func lonely(targets *mat.Dense) (classes []int) {
	_, k := targets.Dims()
	count := make([]int, k)
	for _, label := range classesOf(targets) {
		count[label]++
	}
	for c, n := range count {
		if n == 1 {
			classes = append(classes, c)
		}
	}
	return classes
}

// outliers is the number of training rows that are flagged.
func (m *Model) outliers() int {
	if m.seen != nil {
		return m.seen.Flagged
	}
	if m.training == nil { // learned online
		return 0
	}
	return m.training.Count()
}

// State is everything a model file holds, under the names it has there.
func (m *Model) State() archive.State {
	p := m.parts()
	layer, beta := m.withConstant()
	weights := archive.Matrix(p.Weights)
	if _, each := p.Weights.Dims(); each <= 1 {
		weights = archive.Vector(weights.Data)
	}
	arrays := map[string]archive.Array{
		"hidden_weights": archive.Matrix(layer.Weights), "hidden_bias": archive.Vector(layer.Bias), "output_weights": archive.Matrix(beta),
		"weights": weights, "objective": archive.Objectives(p.Steps),
	}
	columns, _, _ := m.dims()
	scale := m.inputs.scaling
	if scale.Offset == nil {
		scale = scaling.Identity(columns)
	}
	scale.Store(arrays)
	m.inputs.places.Store(arrays)
	m.belief.Store(arrays, &m.known)
	m.inputs.span.store(arrays)
	extra := map[string]any{
		"activation": string(p.Layer.Activation), "loss_at": p.Loss, "largest_weight": p.Largest, "lambda": p.Lambda, "scale": p.Scale, "flag": p.Flag,
		"per_row": p.PerRow, "robust": p.Robust,
	}
	m.storeApart(extra)
	if m.inputs.offset != nil {
		extra["constant_node"] = true
	}
	s := m.kept.State(m.Describe(archive.Names{}), arrays, extra)
	if m.inputs.leverage != nil {
		m.inputs.leverage.Store(s.Arrays)
		s.Extra["leverage_cutoff"] = m.inputs.leverage.Cutoff
	}
	return s
}

// Restore makes the model again from its state.
func Restore(s archive.State) (*Model, error) {
	if err := s.Of("elm"); err != nil {
		return nil, err
	}
	r := s.Reader()
	p := parts{
		Method:        s.Description.Method,
		Layer:         &Layer{Weights: r.Matrix("hidden_weights"), Bias: r.Vector("hidden_bias"), Activation: Activation(r.Text("activation"))},
		OutputWeights: r.Matrix("output_weights"), Steps: r.Trace(), Loss: r.Text("loss_at"), Largest: r.Number("largest_weight"),
		Lambda: r.Number("lambda"), Scale: r.Numbers("scale"), PerRow: r.Flag("per_row"), Robust: r.Flag("robust"), Warnings: s.Description.Warnings,
	}
	if weights := s.Arrays["weights"]; len(weights.Shape) == 1 && len(weights.Data) > 0 {
		p.Weights = mat.NewDense(len(weights.Data), 1, weights.Data)
	} else if len(weights.Shape) == 1 { // of rows that were not in memory
		p.Weights, p.Rows = &mat.Dense{}, s.Description.Rows
	} else {
		p.Weights = r.Matrix("weights")
	}
	p.Status = r.Status()
	if r.Knows("flag") {
		p.Flag = r.Number("flag")
	}
	if r.Err() != nil {
		return nil, r.Err()
	}
	var err error
	if p.Apart, err = restoreApart(r); err != nil {
		return nil, err
	}
	offset, err := p.takeConstant(r)
	if err != nil {
		return nil, err
	}
	m, err := fromParts(p)
	if err != nil {
		return nil, err
	}
	columns, _, outputs := m.dims()
	if m.labels = s.Description.Task == archive.Classify; m.labels && len(s.Description.Classes) != outputs {
		return nil, fmt.Errorf("%d outputs for %d classes", outputs, len(s.Description.Classes))
	}
	m.inputs.scaling = scaling.Restore(r, columns)
	m.inputs.span = restoreSpan(r, columns)
	if m.labels {
		m.inputs.places = scaling.RestoreClasses(r, outputs, columns)
		m.belief, m.known = belief.Restore(r, outputs)
	}
	m.inputs.offset = offset
	if r.Knows("target_offset") { // files of old
		if v := r.Number("target_offset"); v != 0 {
			m.inputs.offset = slices.Repeat([]float64{v}, outputs)
		}
	}
	if far := leverage.Restore(r); r.Err() == nil && len(far.Columns) > 0 {
		if err := far.Check(columns); err != nil {
			return nil, err
		}
		if !(far.Cutoff > 0) {
			return nil, fmt.Errorf("a leverage with cut-off %g", far.Cutoff)
		}
		m.inputs.leverage = far
	}
	m.kept = archive.Keep(s)
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
