package elm

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/loss"
)

// single is what an output has of its own where outputs are learned apart.
type single struct {
	loss    loss.Scaled
	unit    float64 // of the errors that the loss sees
	largest float64 // weight that counts as one
	lambda  float64
}

// single returns what belongs to output c.
func (m *Model) single(c int) single {
	if m.apart != nil {
		return m.apart[c]
	}
	return single{loss: m.loss, unit: m.unit, largest: m.largest, lambda: m.lambda}
}

// learnsApart tells whether k outputs are learned one by one on the same hidden layer. Each
// then has the bandwidth and the penalty that suit it, whatever the units of the others; where
// both are given that is the same as together. Classes have outputs alike, and one weight per row
// needs all of them at once.
func (o Options) learnsApart(k int, pl plan) bool {
	open := o.Lambda == 0
	if pl.robust {
		rule := pl.spec.Rule().Kind
		open = open || rule == loss.Auto || rule == loss.Silverman
	}
	return k > 1 && open && !o.Labels && !(pl.robust && o.PerRow)
}

// learnApart learns the outputs one by one.
func (o Options) learnApart(ctx context.Context, h *hidden, t *mat.Dense, pl plan, layer *Layer) (*Model, *mat.Dense, error) {
	n, k := t.Dims()
	models, fitted := make([]*Model, k), mat.NewDense(n, k, nil)
	for c := range k {
		m, out, err := o.learnInUnits(ctx, h, mat.NewDense(n, 1, mat.Col(nil, c, t)), pl, layer)
		if err != nil {
			return nil, nil, err
		}
		models[c] = m
		fitted.SetCol(c, out.RawMatrix().Data)
	}
	return join(models), fitted, nil
}

// worse lists how fits end, the best first: that of several is the worst of them.
var worse = []irls.Status{irls.PerfectFit, irls.Converged, irls.Stalled, irls.StepLimit, irls.Cancelled}

// join makes one model of machines with one output each on the same layer. Its trace is theirs,
// one after the other.
func join(models []*Model) *Model {
	k := len(models)
	m := *models[0]
	nodes, _ := m.layer.dims()
	m.beta, m.weights, m.scale, m.steps, m.warnings = mat.NewDense(nodes, k, nil), make([]float64, m.rows*k), nil, nil, nil
	for c, one := range models {
		m.beta.SetCol(c, mat.Col(nil, 0, one.beta))
		for i, w := range one.weights {
			m.weights[i*k+c] = w
		}
		m.scale = append(m.scale, one.scale...)
		m.apart = append(m.apart, one.single(0))
		m.flag = max(m.flag, one.flag)
		if slices.Index(worse, one.status) > slices.Index(worse, m.status) {
			m.status = one.status
		}
		for _, w := range one.warnings {
			m.warnings = append(m.warnings, fmt.Sprintf("output %d: %s", c+1, w))
		}
		number, stage := 0, 0
		if last := len(m.steps) - 1; last >= 0 {
			number, stage = m.steps[last].Number, m.steps[last].Stage+1
		}
		for _, step := range one.steps {
			step.Number, step.Stage = step.Number+number, step.Stage+stage
			m.steps = append(m.steps, step)
		}
	}
	return &m
}
