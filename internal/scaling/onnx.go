package scaling

import (
	"slices"

	"github.com/inlier-ml/inlier/onnx"
)

// Export adds the scaling of rows to a graph.
func (s Scaling) Export(g *onnx.Graph, rows onnx.Value) onnx.Value {
	if s.Offset == nil || s.identity() {
		return rows
	}
	if s.Low != nil {
		rows = g.Do("Min", g.Do("Max", rows, g.Row(s.Low)), g.Row(s.High))
	}
	factor := slices.Clone(s.Scale)
	for j, v := range factor {
		factor[j] = 1 / v
	}
	return g.Scaled(g.Do("Sub", rows, g.Row(s.Offset)), factor)
}

// ExportBack adds what takes scaled rows to where they came from.
func (s Scaling) ExportBack(g *onnx.Graph, rows onnx.Value) onnx.Value {
	return g.Do("Add", g.Scaled(rows, s.Scale), g.Row(s.Offset))
}
