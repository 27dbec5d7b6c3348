package elm

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"

	"github.com/inlier-ml/inlier/internal/workspace"
	"github.com/inlier-ml/inlier/verdict"
)

// PredictRow writes the outputs for one row to dst, which has room for them (nil: it is
// made), and returns it: what Predict returns for the row, to rounding. It allocates nothing.
// The outputs of a row with a missing or infinite number are NaN. It panics if the row or dst
// has another length than the model.
func (m *Model) PredictRow(dst, row []float64) []float64 {
	inputs, nodes, k := m.dims()
	if dst == nil {
		dst = make([]float64, k)
	}
	if len(row) != inputs || len(dst) != k {
		panic(fmt.Sprintf("elm: a row of %d columns and room for %d outputs; the model has %d and %d", len(row), len(dst), inputs, k))
	}
	for _, v := range row {
		if v-v != 0 {
			for c := range dst {
				dst[c] = math.NaN()
			}
			return dst
		}
	}
	room := workspace.Get(inputs + 2*nodes + k)
	x, h, lengths, out := room.Take(inputs), room.Take(nodes), room.Take(nodes), room.Take(k)
	m.inputs.applyRow(x, row)
	w := m.layer.Weights.RawMatrix()
	if m.layer.Activation == Gaussian {
		m.layer.lengths(lengths)
		kernels.Dgemv(blas.NoTrans, nodes, inputs, -2, w.Data, w.Stride, x, 1, 0, h, 1)
	} else {
		copy(h, m.layer.Bias)
		kernels.Dgemv(blas.NoTrans, nodes, inputs, 1, w.Data, w.Stride, x, 1, 1, h, 1)
	}
	m.layer.finish(h, x, lengths)
	b := m.beta.RawMatrix()
	if k == 1 {
		out[0] = kernels.Ddot(nodes, h, 1, b.Data, b.Stride)
	} else {
		kernels.Dgemv(blas.Trans, nodes, k, 1, b.Data, b.Stride, h, 1, 0, out, 1)
	}
	copy(dst, out)
	for c, v := range m.inputs.offset {
		dst[c] += v
	}
	room.Put()
	return dst
}

// JudgeRow is the verdict on one row and its targets: what Judge says of them, to rounding. It
// allocates nothing. A row with a missing or infinite number, the targets included, cannot be
// judged: its kind is [verdict.Missing]. It panics if the row or the targets have another
// length than the model.
func (m *Model) JudgeRow(row, targets []float64) verdict.Row {
	_, _, k := m.dims()
	if len(targets) != k {
		panic(fmt.Sprintf("elm: %d targets; the model has %d outputs", len(targets), k))
	}
	if missing(targets) {
		return verdict.Row{Label: -1, Outlier: true, Kind: verdict.Missing}
	}
	room := workspace.Get(2 * k)
	defer room.Put()
	out := m.PredictRow(room.Take(k), row)
	switch {
	case out[0] != out[0]:
		return verdict.Row{Label: -1, Outlier: true, Kind: verdict.Missing}
	case m.labels:
		return m.judgeLabel(row, out, targets, room.Take(k))
	}
	distance := 0.0
	if m.inputs.leverage != nil {
		distance = m.inputs.leverage.Distance(row)
	}
	return m.judgeErrors(out, targets, distance, m.inputs.scaling.AbsurdRow(row))
}
