package nearest

import (
	"fmt"
	"io"
	"strconv"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/verdict"
)

// Describe tells what was fitted.
func (m *Model) Describe(names archive.Names) archive.Description {
	if d, ok := m.kept.Description(); ok {
		return d
	}
	classes, columns := m.centers.Dims()
	d := archive.Description{
		Method: "nearest-center", Family: "chain", Task: archive.Classify, Rows: m.Rows(), Columns: columns,
		Parameters: archive.Parameters{"beta": archive.FormatNumber(m.beta)}, Status: irls.Converged.String(),
		Objective: m.squared, Effective: loss.EffectiveSampleSize(m.weights), Outliers: m.training.Count(), Numbers: numbers(m.training, m.labels),
	}
	count := make([]int, classes)
	for _, k := range m.labels {
		count[k]++
	}
	for k, rows := range count {
		if d.Classes = append(d.Classes, names.Class(k)); rows == 1 {
			d.Warnings = append(d.Warnings, fmt.Sprintf("class %q has a single row", names.Class(k)))
		}
	}
	return d
}

// numbers are the results worth showing of a verdict on rows with these labels.
func numbers(judged *verdict.Rows, labels []int) map[string]any {
	right := 0
	for i, k := range judged.Label {
		if k == labels[i] {
			right++
		}
	}
	return map[string]any{"training_accuracy": float64(right) / float64(len(labels)), "mislabelled": judged.CountKind(verdict.Mislabeled)}
}

// State is everything a model file holds, under the names it has there.
func (m *Model) State() archive.State {
	shape := []any{}
	for _, n := range m.shape {
		shape = append(shape, float64(n))
	}
	extra := map[string]any{"alpha": m.alpha, "beta": m.beta, "similar": m.similar, "core_shape": shape}
	if m.elementwise {
		extra["elementwise"] = true
	}
	if scale := m.Bandwidth(); scale > 0 {
		extra["loss_scale"] = scale
	}
	arrays := map[string]archive.Array{"centers": archive.Matrix(m.centers), "cutoffs": archive.Vector(m.cutoffs), "weights": archive.Vector(m.weights)}
	m.inputs.store(arrays)
	return m.kept.State(m.Describe(archive.Names{}), arrays, extra)
}

// Restore makes the model again from its state.
func Restore(s archive.State) (*Model, error) {
	if err := s.Of("chain"); err != nil {
		return nil, err
	}
	r := s.Reader()
	m := &Model{
		centers: r.Matrix("centers"), cutoffs: r.Vector("cutoffs"), weights: r.Vector("weights"), alpha: r.Number("alpha"), beta: r.Number("beta"),
		similar: r.Flag("similar"), elementwise: r.Flag("elementwise"), squared: s.Description.Objective, kept: archive.Keep(s),
	}
	if r.Knows("loss_scale") { // files of old do not tell
		m.scales = []float64{r.Number("loss_scale")}
	}
	if list, ok := s.Extra["core_shape"].([]any); ok && len(list) > 0 {
		for _, n := range r.Numbers("core_shape") {
			m.shape = append(m.shape, int(n))
		}
	}
	if r.Err() != nil {
		return nil, r.Err()
	}
	k, d := m.centers.Dims()
	if m.inputs = restoreInputs(r, d); r.Err() != nil {
		return nil, r.Err()
	}
	m.scaled = m.inputs.apply(m.centers)
	switch {
	case k != len(s.Description.Classes):
		return nil, fmt.Errorf("%d centers for %d classes", k, len(s.Description.Classes))
	case len(m.cutoffs) != k:
		return nil, fmt.Errorf("nearest: %d cut-offs for %d classes", len(m.cutoffs), k)
	case len(m.shape) != 0 && (len(m.shape) != 2 || m.shape[0]*m.shape[1] != d || m.shape[0] < 1):
		return nil, fmt.Errorf("nearest: shape %v does not hold %s numbers", m.shape, strconv.Itoa(d))
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
