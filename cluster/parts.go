package cluster

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/loss"
)

// parts is everything a model file needs to bring a model back.
type parts struct {
	Centers          *mat.Dense
	Cutoffs          []float64
	Labels           []int
	Weights          []float64
	Objective        []float64 // trace
	Loss             string    // at its bandwidth; empty: none
	LargestLogWeight float64
	Radius           float64
	Inertia          float64
	Status           irls.Status
}

// parts returns copies of everything that makes up the model.
func (m *Model) parts() parts {
	p := parts{Centers: m.Centers(), Cutoffs: slices.Clone(m.cutoffs), Labels: m.Labels(), Weights: m.Weights(), LargestLogWeight: m.largest, Radius: m.radius, Inertia: m.inertia, Status: m.status}
	if m.loss != nil {
		p.Loss = m.loss.String()
	}
	for _, s := range m.steps {
		p.Objective = append(p.Objective, s.Objective)
	}
	return p
}

// fromParts makes the model again.
func fromParts(p parts) (*Model, error) {
	if p.Centers == nil || p.Centers.IsEmpty() {
		return nil, fmt.Errorf("cluster: the model has no centers")
	}
	k, _ := p.Centers.Dims()
	if len(p.Cutoffs) != k {
		return nil, fmt.Errorf("cluster: %d cut-offs for %d centers", len(p.Cutoffs), k)
	}
	for i, c := range p.Labels {
		if c < 0 || c >= k {
			return nil, fmt.Errorf("cluster: row %d is in cluster %d of %d", i+1, c+1, k)
		}
	}
	m := &Model{
		centers: mat.DenseCopyOf(p.Centers), cutoffs: slices.Clone(p.Cutoffs), labels: slices.Clone(p.Labels), weights: slices.Clone(p.Weights),
		largest: p.LargestLogWeight, radius: p.Radius, inertia: p.Inertia, status: p.Status,
	}
	for i, v := range p.Objective {
		m.steps = append(m.steps, irls.Step{Number: i, Objective: v})
	}
	if p.Loss != "" {
		spec, err := loss.Parse(p.Loss)
		if err != nil {
			return nil, err
		}
		m.loss = spec.At(spec.Rule().Value)
	}
	return m, nil
}
