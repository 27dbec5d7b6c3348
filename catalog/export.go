package catalog

import (
	"slices"

	"github.com/inlier-ml/inlier/onnx"
)

// exporter is a model that can add itself to an ONNX graph which has its rows. The outputs of the graph
// are made by who asked.
type exporter interface {
	Export(g *onnx.Graph, rows onnx.Value) ([]onnx.Tensor, error)
}

// Export adds a model to a graph that has its rows, and returns what it computes; classes are also told by name. It
// refuses models that need what ONNX does not have.
func Export(m Model, g *onnx.Graph, rows onnx.Value) ([]onnx.Tensor, error) {
	about := m.Describe()
	e, ok := m.(exporter)
	if !ok {
		return nil, &UsageError{Problem: about.Method + " models are not exported to ONNX"}
	}
	out, err := e.Export(g, rows)
	if err != nil {
		return nil, explain(err, "", about.ColumnNames, about.Classes, "")
	}
	at := slices.IndexFunc(out, func(t onnx.Tensor) bool { return t.Name == onnx.LabelIndex })
	if at >= 0 && len(about.Classes) > 0 {
		label := g.With("Gather", map[string]any{"axis": 0}, g.Texts(about.Classes), out[at].Value)
		out = append(out, onnx.Tensor{Name: "label", Value: label, Element: onnx.Text, Meaning: "name of the class; empty: the row is not complete"})
	}
	g.Complete(rows, about.Columns, out)
	return out, nil
}

// Export adds the typed model.
func (a *adapted) Export(g *onnx.Graph, rows onnx.Value) ([]onnx.Tensor, error) {
	e, ok := a.typed.(exporter)
	if !ok {
		return nil, &UsageError{Problem: a.description.Method + " models are not exported to ONNX"}
	}
	return e.Export(g, rows)
}

// Export adds the scaling and the reduction; what is kept of rows is in their units again.
func (r *scaledReducer) Export(g *onnx.Graph, rows onnx.Value) ([]onnx.Tensor, error) {
	e, ok := r.Transformer.(exporter)
	if !ok {
		return nil, &UsageError{Problem: r.description.Method + " models are not exported to ONNX"}
	}
	out, err := e.Export(g, r.scale.Export(g, rows))
	for k, t := range out {
		if t.Name == "reconstruction" {
			out[k].Value = r.scale.ExportBack(g, t.Value)
		}
	}
	return out, err
}

// Export adds the reduction and then what learned from its scores.
func (c *chainModel) Export(g *onnx.Graph, rows onnx.Value) ([]onnx.Tensor, error) {
	first, ok := c.reducer.(exporter)
	second, both := c.learner.(exporter)
	if !ok || !both {
		return nil, &UsageError{Problem: c.description.Method + " models after a reduction are not exported to ONNX"}
	}
	reduced, err := first.Export(g, rows)
	if err != nil {
		return nil, err
	}
	out, err := second.Export(g, reduced[0].Value)
	// Verdicts of a chain are those of both steps and of its classes, which the graph does not have.
	return slices.DeleteFunc(out, func(t onnx.Tensor) bool { return t.Name == "outlier" }), err
}
