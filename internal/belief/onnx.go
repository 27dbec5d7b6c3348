package belief

import (
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/onnx"
)

// Export adds to a graph what the scores of rows say: the standing of every class, whose largest
// is the most probable, and the probabilities.
func (c *Curve) Export(g *onnx.Graph, scores onnx.Value) (standing, probabilities onnx.Value) {
	k := len(c.Shift)
	turn := mat.NewDense(k, k, nil)
	for l := range k {
		for m := range k {
			if c.Mix != nil {
				turn.Set(m, l, c.Mix[l*k+m])
			}
		}
		turn.Set(l, l, turn.At(l, l)+c.Slope)
	}
	standing = g.Do("Add", g.Do("MatMul", scores, g.Matrix(turn)), g.Row(c.Shift))
	probabilities = g.With("Softmax", map[string]any{"axis": -1}, standing)
	spread := g.Do("Mul", g.Do("Sub", g.Number(1/float64(k)), probabilities), g.Number(c.Spread))
	return standing, g.Do("Add", probabilities, spread) // a factor of 1 less a little would be taken for 1 by ONNX Runtime
}
