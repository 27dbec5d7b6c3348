package classify

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/kernel"
	"github.com/inlier-ml/inlier/onnx"
	"github.com/inlier-ml/inlier/refusal"
)

// Export adds the classifier to a graph that has the rows: scores, probabilities where it has
// them, and classes.
func (m *Model) Export(g *onnx.Graph, rows onnx.Value) ([]onnx.Tensor, error) {
	p := m.parts
	features, err := m.exportFeatures(g, p.Scaling.Export(g, rows))
	if err != nil {
		return nil, err
	}
	coef := p.Coef
	if p.Frequencies != nil { // features have this size
		_, pairs := p.Frequencies.Dims()
		coef = mat.DenseCopyOf(coef)
		coef.Scale(1/math.Sqrt(float64(pairs)), coef)
	}
	scores := g.Do("Add", g.Do("MatMul", features, g.Matrix(coef.T())), g.Row(p.Intercept))
	standing, probabilities := scores, onnx.Value("")
	switch {
	case p.Belief != nil:
		standing, probabilities = p.Belief.Export(g, scores)
	case p.Joint:
		probabilities = g.With("Softmax", map[string]any{"axis": -1}, scores)
	case p.Own:
		probabilities = shared(g, g.Do("Sigmoid", scores), len(p.Intercept))
	case p.Sigmoids != nil:
		slope, shift := make([]float64, len(p.Sigmoids)), make([]float64, len(p.Sigmoids))
		for l, s := range p.Sigmoids {
			slope[l], shift[l] = s.Slope, s.Shift
		}
		probabilities = shared(g, g.Do("Sigmoid", g.Do("Add", g.Do("Mul", scores, g.Row(slope)), g.Row(shift))), len(p.Intercept))
	}
	return onnx.Classes(g, scores, probabilities, standing, len(p.Intercept)), nil
}

// exportFeatures adds what the coefficients count.
func (m *Model) exportFeatures(g *onnx.Graph, rows onnx.Value) (onnx.Value, error) {
	switch p := m.parts; {
	case p.Frequencies != nil: // a cosine is a sine a quarter turn later
		d, pairs := p.Frequencies.Dims()
		both, ahead := mat.NewDense(d, 2*pairs, nil), make([]float64, 2*pairs)
		for q := range pairs {
			for j := range d {
				both.Set(j, 2*q, p.Frequencies.At(j, q))
				both.Set(j, 2*q+1, p.Frequencies.At(j, q))
			}
			ahead[2*q] = math.Pi / 2
		}
		return g.Do("Sin", g.Do("Add", g.Do("MatMul", rows, g.Matrix(both)), g.Row(ahead))), nil
	case p.Support != nil && m.kernel.Kind == kernel.RBF:
		return g.Do("Exp", g.Do("Mul", g.Squares(rows, p.Support), g.Number(-m.kernel.Gamma))), nil
	case p.Support != nil && m.kernel.Kind == kernel.Polynomial:
		points := mat.DenseCopyOf(p.Support.T())
		points.Scale(m.kernel.Gamma, points)
		products := g.Do("MatMul", rows, g.Matrix(points))
		degree := m.kernel.Degree
		if degree == 0 {
			degree = 3
		}
		return g.Do("Pow", g.Do("Add", products, g.Number(m.kernel.Offset)), g.Number(float64(degree))), nil
	case p.Support != nil:
		return "", refusal.Setting("model", "kernel %s is not exported to ONNX; the others are", m.kernel)
	}
	return rows, nil
}

// shared divides probabilities of classes by their sum; where that is nothing all are alike.
func shared(g *onnx.Graph, each onnx.Value, count int) onnx.Value {
	sum := g.Sum(each, count)
	none := g.Do("Equal", sum, g.Number(0))
	return g.Do("Where", none, g.Number(1/float64(count)), g.Do("Div", each, sum))
}
