package tensor

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/onnx"
)

// Export adds the model to a graph that has the samples as rows: their cores, what the factors
// keep of them, both distances, and whether they are outliers.
func (m *Model) Export(g *onnx.Graph, rows onnx.Value) ([]onnx.Tensor, error) {
	forth, back := make([]mat.Matrix, len(m.shape)), make([]mat.Matrix, len(m.shape))
	for k, f := range m.at.factors {
		if f != nil {
			forth[k], back[k] = f, f.T()
		}
	}
	away := g.Do("Sub", rows, g.Row(m.at.mean))
	core := g.Turn(away, m.shape, forth)
	kept := g.Turn(core, m.ranks, back)
	inverse := m.inverseVariances()
	for j, v := range inverse {
		inverse[j] = math.Sqrt(v)
	}
	return onnx.Subspace(g, onnx.Parts{
		Scores: core, Components: product(m.ranks), Kept: g.Do("Add", kept, g.Row(m.at.mean)), Columns: len(m.at.mean),
		Off: g.Length(g.Do("Sub", away, kept), len(m.at.mean)), Along: core, Inverse: inverse,
		OffCutoff: m.orthogonalCutoff, ScoreCutoff: m.scoreCutoff,
	}), nil
}
