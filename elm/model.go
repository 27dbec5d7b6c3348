package elm

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/internal/belief"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
	"github.com/inlier-ml/inlier/verdict"
)

// Model is a fitted machine. It is immutable and safe for many goroutines.
type Model struct {
	method   string
	layer    *Layer
	beta     *mat.Dense // L x k
	loss     loss.Scaled
	unit     float64 // of errors that the loss sees: 1, but for errors of absurd size
	lambda   float64
	weights  []float64 // n, or n x k row by row
	perRow   bool
	robust   bool
	largest  float64 // the largest training weight, which counts as one
	rows     int
	scale    []float64 // of each output's errors
	flag     float64
	steps    []irls.Step
	status   irls.Status
	warnings []string
	apart    []single // of each output, where they were learned apart; nil: the same for all
	labels   bool     // the outputs are scores of classes
	lonely   []int    // classes of a single training row
	inputs   inputs
	drawn    []Range      // of weights and biases of the layer; nil: not known, or not drawn
	belief   *belief.Rule // probabilities of classes and doubt about labels; nil: none
	known    belief.Known // what the others said of the labels of training rows
	training *verdict.Rows
	// effective is the effective sample size in rows; 0: not known
	effective float64
	forgot    bool  // nothing is kept of single rows
	seen      *look // what the last reading of rows that are not in memory has found; else nil
	kept      archive.Kept
}

// Layer is the hidden layer.
func (m *Model) Layer() *Layer { return m.layer }

// OutputWeights returns a copy of beta, L x k.
func (m *Model) OutputWeights() *mat.Dense { return mat.DenseCopyOf(m.beta) }

// Columns is how many numbers a row has.
func (m *Model) Columns() int { _, columns := m.layer.dims(); return columns }

// Outputs is how many numbers are predicted for a row.
func (m *Model) Outputs() int { _, outputs := m.beta.Dims(); return outputs }

func (m *Model) dims() (inputs, nodes, outputs int) {
	nodes, inputs = m.layer.dims()
	_, outputs = m.beta.Dims()
	return inputs, nodes, outputs
}

// Rows is the number of training rows.
func (m *Model) Rows() int { return m.rows }

// Weights are the weights of the training rows at the end of the fit, as verdicts tell them, 1 = full vote:
// the mean over the outputs where each had its own. Of rows that were not in memory there are none.
func (m *Model) Weights() []float64 {
	w := m.EntryWeights()
	n, k := w.Dims()
	out := make([]float64, n)
	for i := range out {
		for _, v := range w.RawRowView(i) {
			out[i] += v / float64(k)
		}
	}
	return out
}

// EntryWeights are the weights of the training rows (n x 1) or of every entry of the targets
// (n x k) at the end of the fit, 1 = full vote; empty of rows that were not in memory.
func (m *Model) EntryWeights() *mat.Dense {
	if m.forgot {
		return &mat.Dense{}
	}
	if m.weights == nil { // learned online: the rows are gone, each counted fully
		return mat.NewDense(m.rows, 1, slices.Repeat([]float64{1}, m.rows))
	}
	return mat.NewDense(m.rows, len(m.weights)/m.rows, slices.Clone(m.weights))
}

// Loss is the loss at its final bandwidth, in units of the targets; where the scale of the
// errors is below 1e-120 or above 1e120, in units of a power of two near it. Several outputs
// may have one each ([Model.LossOf]); this is the first one's.
func (m *Model) Loss() loss.Scaled { return m.loss }

// LossOf is the loss of one output, from 0.
func (m *Model) LossOf(output int) loss.Scaled { return m.single(output).loss }

// Lambda is the penalty that was used (lambda' of the paper), of the first of several outputs.
func (m *Model) Lambda() float64 { return m.lambda }

// LambdaOf is the penalty of one output, from 0.
func (m *Model) LambdaOf(output int) float64 { return m.single(output).lambda }

// Scale is a robust standard deviation of each output's errors on new rows.
func (m *Model) Scale() []float64 { return slices.Clone(m.scale) }

// ResidualCutoff is the absolute error, in scales, beyond which a row of a regression is an outlier.
func (m *Model) ResidualCutoff() float64 { return m.flag }

// Steps is the trace of the reweighting.
func (m *Model) Steps() []irls.Step { return slices.Clone(m.steps) }

// Status tells how the fit ended.
func (m *Model) Status() irls.Status { return m.status }

// Training is the verdict on the training rows; nil for models read from a file, learned online, or of rows that were not in memory.
func (m *Model) Training() *verdict.Rows { return m.training }

// OutlyingRows are the outlying training rows, from 0, of a table that was not in memory; false of every other model, and where
// they are too many to be named.
func (m *Model) OutlyingRows() (rows []int, known bool) {
	if m.seen == nil || m.seen.Flagged != len(m.seen.Rows) {
		return nil, false
	}
	return slices.Clone(m.seen.Rows), true
}

// Warnings are remarks on the fit that its user should see.
func (m *Model) Warnings() []string { return slices.Clone(m.warnings) }

// Predict returns the n x k outputs for the rows of x.
func (m *Model) Predict(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	ctx = given.Context(ctx)
	inputs, nodes, k := m.dims()
	n, d := x.Dims()
	if d != inputs {
		return nil, refusal.Columns(d, inputs)
	}
	if err := finiteRows(x); err != nil {
		return nil, err
	}
	x = m.inputs.apply(x)
	out := mat.NewDense(n, k, nil)
	h := mat.NewDense(min(n, lookRows), nodes, nil)
	for first := 0; first < n; first += lookRows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		last := min(first+lookRows, n)
		part := h.Slice(0, last-first, 0, nodes).(*mat.Dense)
		m.layer.outputs(part, x.Slice(first, last, 0, d).(*mat.Dense))
		linalg.Mul(out.Slice(first, last, 0, k).(*mat.Dense), part, m.beta)
	}
	m.inputs.back(out)
	return out, nil
}

// OneVsAll turns class indices into targets: +1 in the column of the class, -1 elsewhere.
func OneVsAll(labels []int, classes int) *mat.Dense {
	t := mat.NewDense(len(labels), classes, nil)
	for i, label := range labels {
		row := t.RawRowView(i)
		for c := range row {
			row[c] = -1
		}
		row[label] = 1
	}
	return t
}

// classesOf returns, for every row of scores, the index of the largest: the class.
func classesOf(scores *mat.Dense) []int {
	n, _ := scores.Dims()
	out := make([]int, n)
	for i := range out {
		out[i] = largest(scores.RawRowView(i))
	}
	return out
}

// largest is the index of the largest number, the first of equals.
func largest(row []float64) int {
	best := 0
	for c, v := range row {
		if v > row[best] {
			best = c
		}
	}
	return best
}
