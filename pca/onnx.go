package pca

import (
	"math"

	"github.com/inlier-ml/inlier/onnx"
	"github.com/inlier-ml/inlier/refusal"
)

// Export adds the model to a graph that has the rows: their scores, what the subspace keeps of
// them, both distances, and whether they are outliers. A model that looks at single cells
// solves an equation for every row anew, for which there is no operator.
func (m *Model) Export(g *onnx.Graph, rows onnx.Value) ([]onnx.Tensor, error) {
	if m.cells != nil {
		return nil, refusal.Setting("model", "%s finds the scores of every row by reweighting its cells, which ONNX has no operator for", m.method)
	}
	columns, components := m.dims()
	away := g.Do("Sub", rows, g.Row(m.mean))
	scores := g.Do("MatMul", away, g.Matrix(m.basis))
	kept := g.Do("MatMul", scores, g.Matrix(m.basis.T()))
	along, variances := scores, m.eigenvalues
	if m.axes != nil {
		along, variances = g.Do("MatMul", scores, g.Matrix(m.axes.directions)), m.axes.variances
	}
	return onnx.Subspace(g, onnx.Parts{
		Scores: scores, Components: components, Kept: g.Do("Add", kept, g.Row(m.mean)), Columns: columns,
		Off: g.Length(g.Do("Sub", away, kept), columns), Along: along, Inverse: inverses(variances, noVariance(variances)),
		OffCutoff: m.orthogonalCutoff, ScoreCutoff: m.scoreCutoff,
	}), nil
}

// inverses are the factors of scores whose squares add up to the squared score distance: none where there is no
// variance.
func inverses(variances []float64, floor float64) []float64 {
	out := make([]float64, len(variances))
	for k, v := range variances {
		if v > floor {
			out[k] = 1 / math.Sqrt(v)
		}
	}
	return out
}

// Export refuses: a score is a sum over all training rows.
func (m *CorrentropyModel) Export(*onnx.Graph, onnx.Value) ([]onnx.Tensor, error) {
	return nil, refusal.Setting("model", "scores of correntropy-pca are sums over all training rows; that is not exported to ONNX")
}
