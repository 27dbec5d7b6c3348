package nearest

import (
	"github.com/inlier-ml/inlier/onnx"
	"github.com/inlier-ml/inlier/refusal"
)

// Export adds the model to a graph that has the rows: scores as [Model.Predict] has them, and
// classes. Spectral norms and the elementwise similarity of the papers have no operator.
func (m *Model) Export(g *onnx.Graph, rows onnx.Value) ([]onnx.Tensor, error) {
	if m.shape != nil || m.elementwise {
		return nil, refusal.Setting("model", "centers are compared by a spectral norm or number by number here, which is not exported to ONNX; plain distances are")
	}
	if m.inputs != nil {
		rows = m.inputs.Export(g, rows)
	}
	near := g.Do("Neg", g.Distances(rows, m.scaled))
	scores := near
	if m.similar {
		scores = g.Do("Exp", g.Do("Neg", g.Do("Pow", g.Do("Mul", near, g.Number(-1/m.beta)), g.Number(m.alpha))))
	}
	return onnx.Classes(g, scores, "", near, m.Classes()), nil
}

// exporter is a subspace that can be exported.
type exporter interface {
	Export(g *onnx.Graph, rows onnx.Value) ([]onnx.Tensor, error)
}

// Export adds the model to a graph that has the rows: negative residuals as scores, and classes.
func (s *Subspaces) Export(g *onnx.Graph, rows onnx.Value) ([]onnx.Tensor, error) {
	if s.inputs != nil {
		rows = s.inputs.Export(g, rows)
	}
	var away []onnx.Value
	for _, class := range s.Classes {
		one, ok := class.(exporter)
		if !ok {
			return nil, refusal.Setting("model", "the subspaces of the classes are not exported to ONNX")
		}
		outputs, err := one.Export(g, rows)
		if err != nil {
			return nil, err
		}
		for _, t := range outputs {
			if t.Name == "orthogonal_distance" {
				away = append(away, g.Column(t.Value))
			}
		}
	}
	near := g.Do("Neg", g.Beside(away...))
	return onnx.Classes(g, near, "", near, len(s.Classes)), nil
}
