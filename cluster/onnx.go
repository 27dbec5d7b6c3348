package cluster

import (
	"github.com/inlier-ml/inlier/onnx"
	"github.com/inlier-ml/inlier/refusal"
)

// Export adds the clustering to a graph that has the rows: the nearest center, the distance from
// it, and whether that is beyond the center's cut-off.
func (m *Model) Export(g *onnx.Graph, rows onnx.Value) ([]onnx.Tensor, error) {
	near, label := g.Largest(g.Do("Neg", g.Distances(rows, m.centers)))
	nearest := g.Do("Neg", near)
	limit := g.With("Gather", map[string]any{"axis": 0}, g.Row(m.cutoffs), label)
	return []onnx.Tensor{
		{Name: onnx.LabelIndex, Value: label, Element: onnx.Integer, Meaning: "number of the cluster, from 0"},
		{Name: "distance", Value: nearest, Meaning: "from the center of the cluster"},
		{Name: "outlier", Value: g.Above(nearest, limit), Element: onnx.Flag, Meaning: "whether the distance is beyond the cut-off of the cluster"},
	}, nil
}

// Export refuses: a row has the cluster of the nearest of all training rows.
func (m *PeakModel) Export(*onnx.Graph, onnx.Value) ([]onnx.Tensor, error) {
	return nil, refusal.Setting("model", "density-peaks compares a row with every training row; that is not exported to ONNX, kmeans is")
}
