package elm

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/archive"
)

// A machine that learns targets from their medians adds these to its outputs. That is the work of
// one of its nodes, the last, which is 1 for every row and free of the penalty. Fits and
// predictions add the medians; in files the node stands beside the others, so that layer and
// output weights are all of a machine, for whoever reads them.

// constantBias is the bias that makes a node without weights 1.
func (a Activation) constantBias() float64 {
	switch a {
	case ReLU:
		return 1
	case Sine:
		return math.Pi / 2
	case Gaussian: // no row is far from it
		return 0
	}
	return 40 // 1 to the last digit
}

// withConstant returns layer and output weights with what is added to the outputs in them.
func (m *Model) withConstant() (*Layer, *mat.Dense) {
	if m.inputs.offset == nil {
		return m.layer, m.beta
	}
	inputs, nodes, outputs := m.dims()
	weights, beta := mat.NewDense(nodes+1, inputs, nil), mat.NewDense(nodes+1, outputs, nil)
	weights.Copy(m.layer.Weights)
	beta.Copy(m.beta)
	beta.SetRow(nodes, m.inputs.offset)
	bias := append(slices.Clone(m.layer.Bias), m.layer.Activation.constantBias())
	return &Layer{Weights: weights, Bias: bias, Activation: m.layer.Activation}, beta
}

// takeConstant takes the constant node of a file out of the parts again and returns what it adds
// to the outputs; nil where there is none.
func (p *parts) takeConstant(r *archive.Reader) ([]float64, error) {
	if !r.Knows("constant_node") || !r.Flag("constant_node") || r.Err() != nil {
		return nil, r.Err()
	}
	nodes, inputs := p.Layer.dims()
	rows, outputs := p.OutputWeights.Dims()
	if nodes < 2 || rows != nodes || len(p.Layer.Bias) != nodes {
		return nil, fmt.Errorf("elm: %d rows of output weights and %d biases for %d hidden nodes, one of them constant", rows, len(p.Layer.Bias), nodes)
	}
	last := nodes - 1
	offset := slices.Clone(p.OutputWeights.RawRowView(last))
	for _, v := range offset {
		if v-v != 0 {
			return nil, fmt.Errorf("elm: the model holds a number that is not finite")
		}
	}
	p.Layer = &Layer{Weights: p.Layer.Weights.Slice(0, last, 0, inputs).(*mat.Dense), Bias: p.Layer.Bias[:last], Activation: p.Layer.Activation}
	p.OutputWeights = p.OutputWeights.Slice(0, last, 0, outputs).(*mat.Dense)
	return offset, nil
}
