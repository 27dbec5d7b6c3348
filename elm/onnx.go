package elm

import (
	"math"

	"github.com/inlier-ml/inlier/onnx"
)

// Export adds the machine to a graph that has the rows: predictions, or scores, probabilities and
// classes.
func (m *Model) Export(g *onnx.Graph, rows onnx.Value) ([]onnx.Tensor, error) {
	_, _, outputs := m.dims()
	nodes := m.layer.export(g, m.inputs.scaling.Export(g, rows))
	out := g.Do("MatMul", nodes, g.Matrix(m.beta))
	if m.inputs.offset != nil {
		out = g.Do("Add", out, g.Row(m.inputs.offset))
	}
	switch {
	case m.labels && m.belief != nil:
		standing, probabilities := m.belief.Export(g, out)
		return onnx.Classes(g, out, probabilities, standing, outputs), nil
	case m.labels:
		return onnx.Classes(g, out, "", out, outputs), nil
	case outputs == 1:
		return []onnx.Tensor{{Name: "prediction", Value: g.Single(out)}}, nil
	}
	return []onnx.Tensor{{Name: "prediction", Value: out, Columns: []int{outputs}}}, nil
}

// export adds the hidden nodes.
func (l *Layer) export(g *onnx.Graph, rows onnx.Value) onnx.Value {
	if l.Activation == Gaussian {
		width := make([]float64, len(l.Bias))
		for j, b := range l.Bias {
			width[j] = -math.Abs(b)
		}
		return g.Do("Exp", g.Do("Mul", g.Squares(rows, l.Weights), g.Row(width)))
	}
	z := g.Do("Add", g.Do("MatMul", rows, g.Matrix(l.Weights.T())), g.Row(l.Bias))
	return g.Do(map[Activation]string{Sigmoid: "Sigmoid", Tanh: "Tanh", ReLU: "Relu", Sine: "Sin"}[l.Activation], z)
}
