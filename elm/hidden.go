package elm

import (
	"context"
	"math"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linalg/fastblas"
	"github.com/inlier-ml/inlier/refusal"
)

// blockRows is the number of rows whose node outputs are made at a time.
const blockRows = 4096

// keepAlways is the size in bytes of node outputs that are kept even for a single pass:
// they stay near the processor anyway.
const keepAlways = 64 << 20

// hidden gives the outputs of the hidden layer block by block, as often as needed.
type hidden struct {
	layer *Layer
	src   linalg.Source
	n, l  int
	kept  *mat.Dense // all outputs, when they are kept
	axes  *mat.Dense // V of outputs that were turned; nil: they are as they are
	pools bool       // rows are not looked at one by one, however few
	// wide are outputs of fewer rows than nodes, made ready once for all weights by ridge.
	wide     *linalg.Wide
	wideErr  error
	wideOnce sync.Once
}

// ridge is ridge regression on outputs that are kept.
func (h *hidden) ridge(ctx context.Context, t *mat.Dense, w []float64, lambda float64) (*mat.Dense, error) {
	if h.n >= h.l {
		return linalg.RidgeAlike(ctx, h.kept, t, w, lambda)
	}
	if h.wideOnce.Do(func() { h.wide, h.wideErr = linalg.NewWide(h.kept) }); h.wideErr != nil {
		return nil, h.wideErr
	}
	return h.wide.RidgeAlike(ctx, t, w, lambda)
}

// newHidden checks the inputs on the way. The outputs are kept when several passes will
// be made and they take at most half of the memory, and always when there are fewer rows
// than nodes, which the solver needs whole.
func newHidden(ctx context.Context, layer *Layer, src linalg.Source, several bool, memory int64) (*hidden, error) {
	h := &hidden{layer: layer, src: src}
	h.n, _ = src.Dims()
	h.l, _ = layer.dims()
	bytes := 8 * float64(h.n) * float64(h.l)
	if bytes <= keepAlways || h.n < h.l || several && bytes <= float64(memory)/2 {
		kept := mat.NewDense(h.n, h.l, nil)
		into := func(first, rows int) *mat.Dense { return kept.Slice(first, first+rows, 0, h.l).(*mat.Dense) }
		if err := h.compute(ctx, into, func(int, *mat.Dense) error { return nil }); err != nil {
			return nil, err
		}
		h.kept = kept
	}
	return h, nil
}

// scan visits the outputs of consecutive rows. A block may be used only during the call
// and must not be changed.
func (h *hidden) scan(ctx context.Context, visit func(first int, block *mat.Dense) error) error {
	if h.kept != nil {
		for first := 0; first < h.n; first += blockRows {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := visit(first, h.kept.Slice(first, min(first+blockRows, h.n), 0, h.l).(*mat.Dense)); err != nil {
				return err
			}
		}
		return nil
	}
	outputs := mat.NewDense(min(blockRows, h.n), h.l, nil)
	return h.compute(ctx, func(_, rows int) *mat.Dense { return outputs.Slice(0, rows, 0, h.l).(*mat.Dense) }, visit)
}

// compute reads the inputs and visits their outputs, which it writes into the place that into gives for so many rows from first on.
func (h *hidden) compute(ctx context.Context, into func(first, rows int) *mat.Dense, visit func(first int, block *mat.Dense) error) error {
	_, d := h.src.Dims()
	inputs := mat.NewDense(min(blockRows, h.n), d, nil)
	filled, done := 0, 0
	flush := func() error {
		if filled == 0 {
			return nil
		}
		out := into(done, filled)
		h.layer.outputs(out, inputs.Slice(0, filled, 0, d).(*mat.Dense))
		err := visit(done, out)
		done += filled
		filled = 0
		return err
	}
	err := h.src.Scan(ctx, func(first int, block *mat.Dense) error {
		rows, _ := block.Dims()
		for i := range rows {
			row := block.RawRowView(i)
			for j, v := range row {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					return &refusal.CellError{Row: first + i + 1, Column: j + 1, Value: v}
				}
			}
			copy(inputs.RawRowView(filled), row)
			if filled++; filled == blockRows {
				if err := flush(); err != nil {
					return err
				}
			}
		}
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	return flush()
}

// each visits the outputs of all rows, on all cores at a time where they are kept; visit is told how many threads it may use itself.
func (h *hidden) each(ctx context.Context, visit func(threads, first int, block *mat.Dense)) error {
	if h.kept == nil {
		return h.scan(ctx, func(first int, block *mat.Dense) error {
			visit(linalg.Threads(), first, block)
			return nil
		})
	}
	const rows = 256
	linalg.Parallel((h.n+rows-1)/rows, func(i int) {
		if ctx.Err() == nil {
			visit(1, i*rows, h.kept.Slice(i*rows, min((i+1)*rows, h.n), 0, h.l).(*mat.Dense))
		}
	})
	return ctx.Err()
}

// times returns the outputs of all rows, n x k, for L x k output weights.
func (h *hidden) times(ctx context.Context, beta *mat.Dense) (*mat.Dense, error) {
	_, k := beta.Dims()
	out := mat.NewDense(h.n, k, nil)
	err := h.each(ctx, func(threads, first int, block *mat.Dense) {
		rows, _ := block.Dims()
		addProduct(threads, 1, block, beta, out.Slice(first, first+rows, 0, k).(*mat.Dense))
	})
	return out, err
}

// addProduct adds alpha times the product of a block and output weights.
func addProduct(threads int, alpha float64, block, beta, to *mat.Dense) {
	rows, l := block.Dims()
	h, b, out := block.RawMatrix(), beta.RawMatrix(), to.RawMatrix()
	if b.Cols == 1 {
		kernels.Dgemv(blas.NoTrans, rows, l, alpha, h.Data, h.Stride, b.Data, b.Stride, 1, out.Data, out.Stride)
		return
	}
	fastblas.Gemm(threads, false, false, rows, b.Cols, l, alpha, h.Data, h.Stride, b.Data, b.Stride, 1, out.Data, out.Stride)
}
