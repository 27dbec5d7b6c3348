package elm

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/beside"
	"github.com/inlier-ml/inlier/internal/judging"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linalg/fastblas"
	"github.com/inlier-ml/inlier/loss"
)

// Products of the nodes that a reading adds up.
const (
	byBefore  = iota // none: those of the reading before will do
	byWeights        // with the weights of the errors, which a step of reweighting takes
	bySlopes         // with the slopes of their pulls, which Newton's step takes
)

const (
	lookRows = 1024    // rows whose nodes are made at a time
	named    = 1 << 16 // up to how many outlying rows are named

	// Errors are counted by their squares: in parts of an octave, so many octaves to either side of a typical one, and in wide parts from
	// there up to the largest numbers, where those of all rows are that one row drowns.
	octave, octaves     = 512, 24
	fineBins            = 2 * octave * octaves
	wideOctave, allBins = 16, fineBins + 2048*16
)

// look is what one reading of all rows tells. Sums count rows as their prior weights say.
type look struct {
	Rhs         []float64 // L x k: sums of w e h, along the axes
	Grams       []float64 // sums of w h h', one after the other
	Loss        float64
	Total       float64 // sum of the weights of rows that have a say
	Rest        float64 // sum of w e^2
	Counted     float64 // sum of weights up to one, in rows
	Sum, Square float64 // of weights as they are told, and of their squares
	Bins        []float64
	Least, Most []float64 // of the columns
	Lone        judging.Lone
	Flagged     int
	Out         int   // rows without a say, because of their inputs
	Rows        []int // flagged ones, from 0; too many to be named where they are fewer
	objective   float64
	beta        *mat.Dense
	k           int
}

// Parts are the kept ones.
func (l *look) Parts() []any {
	return []any{&l.Loss, &l.Rest, &l.Counted, &l.Sum, &l.Square, &l.Lone.All, &l.Lone.Most, &l.Flagged, &l.Out, &l.Total, &l.Rows, l.Rhs, l.Grams, l.Bins, l.Least, l.Most}
}

// effective is the effective number of rows.
func (l *look) effective() float64 {
	if l.Square == 0 {
		return 0
	}
	return l.Sum * (l.Sum / l.Square) / float64(l.k)
}

// errors are squared errors with their counts, as finely as they were counted and a little more.
func (l *look) errors(typical float64) (squared, counts []float64) {
	const fine = 4
	for at, n := range l.Bins {
		if n == 0 {
			continue
		}
		for part := range fine {
			within := (float64(part) + 0.5) / fine
			place := (float64(at)+within)/octave - octaves
			if at >= fineBins {
				place = (float64(at-fineBins)+within)/wideOctave + octaves
			}
			squared = append(squared, math.Min(typical*math.Exp2(place), math.MaxFloat64))
			counts = append(counts, n/fine)
		}
	}
	return squared, counts
}

// bin is where a squared error is counted, so many times a typical one.
func bin(times float64) int {
	place := math.Log2(times)
	if place < octaves {
		return int(math.Max((place+octaves)*octave, 0))
	}
	return fineBins + int(math.Min((place-octaves)*wideOctave, allBins-fineBins-1))
}

// look reads all rows.
func (b *many) look(ctx context.Context, how int) (*look, error) {
	_, width := b.table.Dims()
	l, k := b.nodes, b.k
	each := k
	if b.PerRow {
		each = 1
	}
	d := &desk{
		h: make([]float64, lookRows*l), z: make([]float64, lookRows*l), e: mat.NewDense(lookRows, k, nil), out: mat.NewDense(lookRows, k, nil),
		pull: make([]float64, lookRows*k), products: make([]float64, lookRows*b.grams()),
	}
	if b.direct {
		d.z = nil
	}
	return linalg.PassInOrder(ctx, b.table, lookRows, func() *look {
		s := &look{Rhs: make([]float64, l*k), Bins: make([]float64, allBins), Least: make([]float64, width-1), Most: make([]float64, width-1), k: each}
		for j := range s.Least {
			s.Least[j], s.Most[j] = math.MaxFloat64, -math.MaxFloat64
		}
		if how != byBefore {
			s.Grams = make([]float64, b.grams()*l*l)
		}
		return s
	}, func(s *look, first int, block *mat.Dense) { b.add(s, d, how, first, block) })
}

// desk is room for a block.
type desk struct {
	h, z, pull, products []float64
	e, out               *mat.Dense
}

// add takes in a block.
func (b *many) add(s *look, d *desk, how, first int, block *mat.Dense) {
	n, _ := block.Dims()
	l, k, m := b.nodes, b.k, b.m
	x := beside.Columns(block)
	h := mat.NewDense(n, l, d.h[:n*l])
	m.layer.outputs(h, m.inputs.apply(x))
	out, e := d.out.Slice(0, n, 0, k).(*mat.Dense), d.e.Slice(0, n, 0, k).(*mat.Dense)
	linalg.Mul(out, h, m.beta)
	t := targetsOf(block, b.Labels, k)
	for i := range n {
		to := e.RawRowView(i)
		for c, v := range t.RawRowView(i) {
			if m.inputs.offset != nil {
				v = math.Min(math.Max(v-m.inputs.offset[c], b.low), b.high)
			} else if !b.Labels {
				v = math.Min(math.Max(v, b.low), b.high)
			}
			to[c] = v - out.At(i, c)
		}
	}
	m.inputs.back(out)
	judged := m.judgeOutputs(x, out, t)
	prior := weighting{w: univariate.Part(b.prior, first, n), k: 1}
	for i := range n {
		a := prior.at(i, 0)
		row := x.RawRowView(i)
		if judged.Outlier[i] {
			if s.Flagged++; len(s.Rows) <= named {
				s.Rows = append(s.Rows, first+i)
			}
		}
		if b.drop && b.absurd(row) {
			a = 0
			s.Out++
		}
		s.Total += a
		if a > 0 {
			for j, v := range row {
				if m.inputs.scaling.Low != nil {
					v = min(max(v, m.inputs.scaling.Low[j]), m.inputs.scaling.High[j])
				}
				s.Least[j], s.Most[j] = min(s.Least[j], v), max(s.Most[j], v)
			}
		}
		b.weigh(s, d, how, i, a, e.RawRowView(i))
	}
	nodes := h.RawMatrix()
	if !b.direct {
		z := mat.NewDense(n, l, d.z[:n*l])
		linalg.Mul(z, h, b.inverse)
		nodes = z.RawMatrix()
	}
	if k == 1 {
		kernels.Dgemv(blas.Trans, n, l, 1, nodes.Data, nodes.Stride, d.pull[:n], 1, 1, s.Rhs, 1)
	} else {
		fastblas.Gemm(linalg.Threads(), true, false, l, k, n, 1, nodes.Data, nodes.Stride, d.pull[:n*k], k, 1, s.Rhs, k)
	}
	if how == byBefore {
		return
	}
	for g := range b.grams() {
		fastblas.WeightedGram(linalg.Threads(), n, l, nodes.Data, nodes.Stride, d.products[g*lookRows:g*lookRows+n], nil, s.Grams[g*l*l:(g+1)*l*l], l)
	}
}

// weigh takes in the errors of row i of a block, which counts a times.
func (b *many) weigh(s *look, d *desk, how, i int, a float64, e []float64) {
	m, k := b.m, b.k
	full := m.largest
	if full == 0 || !b.robust {
		full = 1
	}
	note := func(square, rows float64) float64 {
		w := m.loss.Weight(square)
		s.Loss += a * m.loss.Rho(square)
		s.Rest += a * w * square
		if !b.robust {
			s.Lone.Add(a * square)
		}
		told := math.Min(w/full, 1)
		s.Counted += a * told * rows
		s.Sum += a * told
		s.Square += a * told * told
		at := 0
		if square > 0 {
			at = bin(square / b.typical)
		}
		s.Bins[at] += a
		return w
	}
	if b.PerRow {
		sum := 0.0
		for _, v := range e {
			sum += v * v
		}
		w := note(sum, 1)
		for c, v := range e {
			d.pull[i*k+c] = a * w * v
		}
		d.products[i] = a * w
		return
	}
	for c, v := range e {
		w := note(v*v, 1/float64(k))
		d.pull[i*k+c] = a * w * v
		if c < b.grams() {
			if how == bySlopes {
				w = slope(m.loss, v, slopeStep*m.scale[0])
			}
			d.products[c*lookRows+i] = a * w
		}
	}
}

// slopeStep is the step, in scales of the errors, over which the slope of a pull is taken: a loss with a corner has one there too.
const slopeStep = 0.05

// slope is that of the pull w(e^2) e of an error.
func slope(l loss.Scaled, e, step float64) float64 {
	pull := func(v float64) float64 { return l.Weight(v*v) * v }
	if !(step > 0) {
		return l.Weight(e * e)
	}
	return (pull(e+step) - pull(e-step)) / (2 * step)
}
