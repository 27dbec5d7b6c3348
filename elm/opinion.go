package elm

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
)

// A machine whose random nodes know little of its classes takes right labels for wrong ones, and wrong ones for chance. Ridge regression on
// nodes that stand on rows, as wide as half of them are apart, is mostly nearer to the classes. It judges labels where it makes them more
// probable by left-out scores; outputs and probabilities remain the machine's own.

// mostRadial is the most nodes that stand on rows.
const mostRadial = 500

// opinion is one on labels: a regression, what its rows count and the scores that rows at some places have when they are left out.
type opinion struct {
	regression
	votes, prior []float64
	at           []int
	scores       []float64 // nil: nodes are too much alike
}

// ask computes the scores.
func (p *opinion) ask(ctx context.Context) (err error) {
	p.scores, err = p.leftOut(ctx, p.votes, p.prior, p.at)
	return err
}

// radial is the opinion by nodes on rows; nil where there is none.
func (o Options) radial(ctx context.Context, rows, t *mat.Dense, prior []float64) (*opinion, error) {
	n, d := rows.Dims()
	_, k := t.Dims()
	places := slices.Compact(univariate.NewRows(n, prior).Spaced(min(mostRadial, n), univariate.Staggered()))
	layer := &Layer{Weights: mat.NewDense(len(places), d, nil), Bias: make([]float64, len(places)), Activation: Gaussian}
	var apart []float64
	for j, i := range places {
		if overflows(rows.RawRowView(i)) {
			return nil, nil
		}
		layer.Weights.SetRow(j, rows.RawRowView(i))
		for _, before := range places[:j] {
			apart = append(apart, linalg.SquaredDistance(rows.RawRowView(before), rows.RawRowView(i)))
		}
	}
	width := univariate.Median(apart)
	if !(width > 0) || math.IsInf(1/width, 1) {
		return nil, nil
	}
	for j := range layer.Bias {
		layer.Bias[j] = 1 / width
	}
	h, err := newHidden(ctx, layer, linalg.FromDense(rows), true, o.Memory)
	if err != nil {
		return nil, err
	}
	ask := Options{Layer: layer, Labels: true, Weights: prior, Memory: o.Memory}.filled(n)
	m, _, err := ask.learnInUnits(ctx, h, t, plan{method: "relm"}, layer)
	if err != nil {
		return nil, err
	}
	out := &opinion{regression: regression{h: h, t: t, k: k, lambda: m.lambda}, votes: make([]float64, n), prior: make([]float64, n), at: univariate.NewRows(n, nil).All()}
	for i, w := range prior { // of a row that counts several times one is left out
		out.votes[i], out.prior[i] = min(w, 1), max(w, 1)
	}
	if err = out.ask(ctx); err != nil || out.scores == nil {
		return nil, err
	}
	return out, nil
}
