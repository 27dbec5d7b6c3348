package elm

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linalg/fastblas"
	"github.com/inlier-ml/inlier/refusal"
)

// Range is an interval from which random numbers are drawn uniformly.
type Range struct{ Low, High float64 }

// Layer is a hidden layer of L nodes on d inputs. It is immutable.
type Layer struct {
	Weights    *mat.Dense // L x d
	Bias       []float64  // L
	Activation Activation
}

// RandomLayer draws a layer: weights first, node by node, then biases.
func RandomLayer(nodes, inputs int, activation Activation, weights, bias Range, seed uint64) *Layer {
	draw := random.New(seed, "elm hidden layer")
	l := &Layer{Weights: mat.NewDense(nodes, inputs, nil), Bias: make([]float64, nodes), Activation: activation}
	for j := range nodes {
		row := l.Weights.RawRowView(j)
		for k := range row {
			row[k] = weights.Low + (weights.High-weights.Low)*draw.Float64()
		}
	}
	for j := range l.Bias {
		l.Bias[j] = bias.Low + (bias.High-bias.Low)*draw.Float64()
	}
	return l
}

// draw is the layer of filled options for d inputs.
func (o Options) draw(d int) *Layer {
	if o.Layer != nil {
		return o.Layer
	}
	nodes := o.Hidden
	if o.constant && nodes > 1 {
		nodes--
	}
	weights, bias := o.ranges(d)
	return RandomLayer(nodes, d, o.Activation, weights, bias, o.Seed)
}

// dims returns the numbers of nodes and inputs.
func (l *Layer) dims() (nodes, inputs int) {
	if l.Weights == nil {
		return 0, 0
	}
	return l.Weights.Dims()
}

func (l *Layer) check() error {
	if l.Weights == nil {
		return fmt.Errorf("elm: the hidden layer has no weights")
	}
	if nodes, _ := l.dims(); len(l.Bias) != nodes {
		return fmt.Errorf("elm: %d biases for %d hidden nodes", len(l.Bias), nodes)
	}
	for _, v := range append(append([]float64(nil), l.Bias...), mat.DenseCopyOf(l.Weights).RawMatrix().Data...) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("elm: the hidden layer holds a number that is not finite")
		}
	}
	return l.Activation.check()
}

// Outputs returns the n x L outputs of the nodes for the rows of x.
func (l *Layer) Outputs(x *mat.Dense) (*mat.Dense, error) {
	nodes, inputs := l.dims()
	n, d := x.Dims()
	if d != inputs {
		return nil, refusal.Columns(d, inputs)
	}
	out := mat.NewDense(n, nodes, nil)
	l.outputs(out, x)
	return out, nil
}

// pieceRows is the number of rows that one goroutine turns into node outputs at a time,
// so that product and activation meet in the cache.
const pieceRows = 128

// farthest is how large what enters a node may be.
const farthest = 1e100

// overflows tells whether a row holds a number so large that sums of it may overflow.
func overflows(row []float64) bool {
	for _, v := range row {
		if math.Abs(v) > 1e90 {
			return true
		}
	}
	return false
}

// outputs fills out, which has as many rows as x, on all cores.
func (l *Layer) outputs(out, x *mat.Dense) {
	nodes, inputs := l.dims()
	n, _ := x.Dims()
	w, from, to := l.Weights.RawMatrix(), x.RawMatrix(), out.RawMatrix()
	var lengths []float64
	if l.Activation == Gaussian {
		lengths = make([]float64, nodes)
		l.lengths(lengths)
	}
	linalg.Parallel((n+pieceRows-1)/pieceRows, func(k int) {
		first, last := k*pieceRows, min((k+1)*pieceRows, n)
		rows := last - first
		if l.Activation != Gaussian {
			for i := first; i < last; i++ {
				copy(to.Data[i*to.Stride:i*to.Stride+nodes], l.Bias)
			}
			fastblas.Gemm(1, false, true, rows, nodes, inputs, 1, from.Data[first*from.Stride:], from.Stride, w.Data, w.Stride, 1, to.Data[first*to.Stride:], to.Stride)
		} else {
			fastblas.Gemm(1, false, true, rows, nodes, inputs, -2, from.Data[first*from.Stride:], from.Stride, w.Data, w.Stride, 0, to.Data[first*to.Stride:], to.Stride)
		}
		for i := first; i < last; i++ {
			l.finish(to.Data[i*to.Stride:i*to.Stride+nodes], from.Data[i*from.Stride:i*from.Stride+inputs], lengths)
		}
	})
}

// lengths writes |w_j|^2 of radial nodes.
func (l *Layer) lengths(dst []float64) {
	for j := range dst {
		dst[j] = 0
		for _, v := range l.Weights.RawRowView(j) {
			dst[j] += v * v
		}
	}
}

// finish turns products of a row x with the weights, and biases but for radial nodes, into
// the outputs of the nodes. lengths are those of the weights of radial nodes, squared.
func (l *Layer) finish(row, x, lengths []float64) {
	if l.Activation == Gaussian {
		length := 0.0 // of a row too far out for squares +Inf, which is no node's neighbour
		for _, v := range x {
			length += v * v
		}
		for j, v := range row {
			row[j] = -math.Abs(l.Bias[j]) * math.Min(math.Max(v+length+lengths[j], 0), math.MaxFloat64)
		}
		if math.IsInf(length, 1) {
			for j, b := range l.Bias {
				row[j] = -math.Abs(b) * math.MaxFloat64
			}
		}
	} else if overflows(x) {
		for j, v := range row { // so that squares of outputs stay finite
			if row[j] = math.Max(math.Min(v, farthest), -farthest); v != v {
				row[j] = 0
			}
		}
	}
	l.Activation.apply(row)
}
