package linear

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/onnx"
)

// Export adds the model to a graph that has the rows. The centre of the rows is taken off first,
// so that columns far from zero lose no digits.
func (m *Model) Export(g *onnx.Graph, rows onnx.Value) ([]onnx.Tensor, error) {
	centre := make([]float64, len(m.coef))
	if m.leverage != nil {
		for k, j := range m.leverage.Columns {
			centre[j] = m.leverage.Offset[k]
		}
	}
	at := m.intercept + linalg.Dot(centre, m.coef)
	coef := g.Matrix(mat.NewDense(len(m.coef), 1, slices.Clone(m.coef)))
	out := g.Do("Add", g.Do("MatMul", g.Do("Sub", rows, g.Row(centre)), coef), g.Number(at))
	return []onnx.Tensor{{Name: "prediction", Value: g.Single(out)}}, nil
}
