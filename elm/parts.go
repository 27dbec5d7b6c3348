package elm

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/loss"
)

// parts are what a model consists of, for files.
type parts struct {
	Method        string
	Layer         *Layer
	OutputWeights *mat.Dense
	Weights       *mat.Dense // n x 1 or n x k; empty: of rows that were not in memory
	Rows          int        // where weights do not tell
	PerRow        bool
	Robust        bool
	Largest       float64   // training weight that counts as one
	Loss          string    // with the final bandwidth
	Lambda        float64   // as used
	Apart         []single  // of each output, where they were learned apart; units follow from scales
	Scale         []float64 // of each output's errors
	Flag          float64   // cut-off of scaled errors; 0, as in files of old: 2.5
	Steps         []irls.Step
	Status        irls.Status
	Warnings      []string
}

// parts takes the model apart. Nothing of it must be changed.
func (m *Model) parts() parts {
	return parts{
		Method: m.method, Layer: m.layer, OutputWeights: m.beta, Weights: m.EntryWeights(), PerRow: m.perRow, Robust: m.robust, Largest: m.largest,
		Loss: m.loss.String(), Lambda: m.lambda, Apart: m.apart, Scale: m.scale, Flag: m.flag, Steps: m.steps, Status: m.status, Warnings: m.warnings,
	}
}

// fromParts puts a model together again and checks that its parts belong together.
func fromParts(p parts) (*Model, error) {
	if p.Layer == nil || p.OutputWeights == nil || p.Weights == nil {
		return nil, fmt.Errorf("elm: the model lacks a layer, output weights or weights")
	}
	if err := p.Layer.check(); err != nil {
		return nil, err
	}
	nodes, _ := p.Layer.dims()
	rows, k := p.OutputWeights.Dims()
	if rows != nodes {
		return nil, fmt.Errorf("elm: %d rows of output weights for %d hidden nodes", rows, nodes)
	}
	if len(p.Scale) != k {
		return nil, fmt.Errorf("elm: %d scales for %d outputs", len(p.Scale), k)
	}
	numbers := append([]float64{p.Largest, p.Lambda, p.Flag}, p.Scale...)
	for i := range rows {
		numbers = append(numbers, p.OutputWeights.RawRowView(i)...)
	}
	for _, v := range numbers {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("elm: the model holds a number that is not finite")
		}
	}
	spec, err := loss.Parse(p.Loss)
	if err != nil {
		return nil, err
	}
	if p.Flag == 0 {
		p.Flag = residualCutoff
	}
	if p.Flag < 0 {
		return nil, fmt.Errorf("elm: the cut-off %g is not above 0", p.Flag)
	}
	if p.Apart != nil && len(p.Apart) != k {
		return nil, fmt.Errorf("elm: %d losses for %d outputs", len(p.Apart), k)
	}
	for c := range p.Apart {
		p.Apart[c].unit = unitOfScales(p.Scale[c : c+1])
	}
	n, each := p.Weights.Dims()
	n += p.Rows
	m := &Model{
		unit: unitOfScales(p.Scale), method: p.Method, layer: p.Layer, beta: p.OutputWeights, loss: spec.At(spec.Rule().Value), lambda: p.Lambda, perRow: p.PerRow, apart: p.Apart,
		robust: p.Robust, largest: p.Largest, rows: n, scale: p.Scale, flag: p.Flag, steps: p.Steps, status: p.Status, warnings: p.Warnings,
	}
	if m.forgot = each == 0; m.forgot {
		return m, nil
	}
	m.weights = make([]float64, 0, n*each)
	for i := range n {
		m.weights = append(m.weights, p.Weights.RawRowView(i)...)
	}
	return m, nil
}
