package elm

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/refusal"
)

// Online learns by the square loss from rows that arrive in pieces. It keeps the
// triangular factor of the rows met so far, never the rows, and gives after every piece
// the same model as a fit of all of them together. It is not for concurrent use.
type Online struct {
	layer  *Layer
	lambda float64
	labels bool
	sum    *linalg.TSQR
	rows   int
	k      int

	counted  float64 // rows, each as often as its weight says
	positive float64 // those with a weight
}

// Online begins with no rows of d inputs and k outputs. Options.Hidden and Lambda must be
// given (a Lambda below 0: none); there is nothing yet to choose them by.
func (m Ridge) Online(d, k int) (*Online, error) {
	o := m.filled(2)
	switch {
	case d < 1 || k < 1:
		return nil, refusal.Data("%d inputs and %d outputs; at least 1 of each is needed", d, k)
	case m.Hidden == 0 && m.Layer == nil:
		return nil, refusal.Setting("hidden", "online learning needs the number of hidden nodes")
	case m.Lambda == 0:
		return nil, refusal.Setting("lambda", "online learning needs lambda")
	case m.scaled():
		return nil, refusal.Setting("scaling", "online learning takes inputs as they are; nothing tells their scaling before the last row")
	}
	labels := o.Labels
	o.Labels = false // there are no targets yet
	if err := o.check(2, d, mat.NewDense(2, k, nil)); err != nil {
		return nil, err
	}
	return &Online{layer: o.draw(d), lambda: max(o.Lambda, 0), labels: labels, sum: linalg.NewTSQR(o.Hidden, k).Alike(), k: k}, nil
}

// PartialFit takes in more rows with their targets and weights (nil: ones).
func (o *Online) PartialFit(ctx context.Context, src linalg.Source, targets *mat.Dense, weights []float64) error {
	if err := linalg.Given(src); err != nil {
		return err
	}
	if targets == nil {
		return refusal.Target("there are no targets: they are nil")
	}
	n, d := src.Dims()
	_, inputs := o.layer.dims()
	if d != inputs {
		return refusal.Columns(d, inputs)
	}
	if rows, k := targets.Dims(); rows != n || k != o.k {
		return refusal.Target("targets of %d x %d for %d rows and %d outputs", rows, k, n, o.k)
	}
	if weights != nil && len(weights) != n {
		return refusal.Weights("%d weights for %d rows", len(weights), n)
	}
	if err := checkTargets(targets, o.labels); err != nil {
		return err
	}
	h := &hidden{layer: o.layer, src: src, n: n}
	h.l, _ = o.layer.dims()
	// Into a sum of its own first: a piece with a bad row leaves the model as it was.
	piece := linalg.NewTSQR(h.l, o.k)
	err := h.scan(ctx, func(first int, block *mat.Dense) error {
		rows, _ := block.Dims()
		w := weights
		if w != nil {
			w = w[first : first+rows]
		}
		return piece.Add(block, targets.Slice(first, first+rows, 0, o.k).(*mat.Dense), w)
	})
	if err != nil {
		return err
	}
	o.sum.Merge(piece)
	o.rows += n
	for i := range n {
		w := weighting{w: weights, k: 1}.at(i, 0)
		if o.counted += w; w > 0 {
			o.positive++
		}
	}
	return nil
}

// Rows is the number of rows met so far.
func (o *Online) Rows() int { return o.rows }

// Model is the fit of all rows met so far.
func (o *Online) Model() (*Model, error) {
	if o.rows == 0 {
		return nil, refusal.Few(0, 1, "no rows were given yet")
	}
	if !(o.counted > 0) {
		return nil, refusal.Weights("no row has a weight above 0")
	}
	lambda, counted := o.lambda, o.counted
	if o.positive > counted { // parts of one are brought to one on average, as in a fit of all rows
		lambda, counted = lambda*(counted/o.positive), o.positive
	}
	beta, err := o.sum.Solve(lambda)
	if err != nil {
		return nil, err
	}
	nodes, _ := o.layer.dims()
	freedom := float64(nodes)
	if lambda > 0 {
		if freedom, err = freedomOf(o.sum, lambda); err != nil {
			return nil, err
		}
	}
	return &Model{
		method: "relm", layer: o.layer, beta: beta, loss: square, unit: 1, lambda: o.lambda, rows: o.rows,
		scale: o.scales(beta, room(freedom, counted)), flag: residualCutoff, status: irls.Converged, steps: []irls.Step{{Number: 1, Damping: 1}}, labels: o.labels,
	}, nil
}

// scales are the standard deviations of the outputs' errors on new rows, from the sums of
// squares, which is what is left of the rows, and the room for errors. What no output weights can explain is shared
// alike by the outputs.
func (o *Online) scales(beta *mat.Dense, room float64) []float64 {
	rows := o.counted
	targets, rest := o.sum.Right()
	var left mat.Dense
	linalg.Mul(&left, o.sum.R(), beta)
	left.Sub(targets, &left)
	each := math.Sqrt(rest / float64(o.k))
	out := make([]float64, o.k)
	for c := range out {
		size := math.Hypot(mat.Norm(targets.ColView(c), 2), each)
		out[c] = math.Max(math.Hypot(mat.Norm(left.ColView(c), 2), each)/math.Sqrt(rows)/room, 1e-8*size/math.Sqrt(rows))
		if out[c] == 0 { // targets of 0, met exactly
			out[c] = math.SmallestNonzeroFloat64
		}
	}
	return out
}
