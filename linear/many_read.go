package linear

import (
	"context"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/beside"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg/fastblas"
	"github.com/inlier-ml/inlier/verdict"
)

// reading is one of all rows at a model: what blocks need alike, and the rooms that they take turns in.
type reading struct {
	*many
	ask      asked
	model    *Model
	by       *mender // nil: no row is known to have made its own residual
	derive   func(r float64) (value, slope float64)
	relative func(s float64) float64
	rooms    sync.Pool
}

// room is where a block is worked at.
type room struct {
	*design
	start []float64 // residuals of the start
	of    [7][]float64
}

func (b *many) reading(m *Model, before *evidence, ask asked) *reading {
	r := &reading{many: b, ask: ask, model: m, derive: b.derivative(), relative: relativeWeight(b.loss, b.largest)}
	if before != nil && ask.whole {
		r.by = b.g.mender(before)
	}
	r.rooms.New = func() any { return &room{design: b.g.alike()} }
	return r
}

// add takes in a block.
func (r *reading) add(l *look, first int, block *mat.Dense) {
	n, width := block.Dims()
	at := r.rooms.Get().(*room)
	defer r.rooms.Put(at)
	at.take(block, univariate.Part(r.prior, first, n))
	if !r.model.exact {
		l.Unheard += at.hush(r.witness)
	}
	if r.ask.whole {
		r.judge(l, first, beside.Columns(block), mat.Col(nil, width-1, block), at.prior)
	}
	at.measured(r.first.beta, at.start)
	at.measured(r.beta, nil)
	r.count(l, at)
	if r.model.exact {
		return
	}
	r.gather(l, at)
}

// judge adds the verdicts on a block.
func (r *reading) judge(l *look, first int, x *mat.Dense, y, prior []float64) {
	judged, err := r.model.Judge(context.Background(), x, y)
	if err != nil {
		panic(err) // the numbers are finite, and as many as the model's
	}
	for i, k := range judged.Kind {
		if l.Kinds[slices.Index(verdict.LineKinds, k)]++; judged.Outlier[i] {
			if l.Flagged++; len(l.Rows) <= named {
				l.Rows = append(l.Rows, first+i)
			}
		}
		if judged.Weight[i] < rejected && len(l.Rejected) < mostRows {
			l.Rejected = append(l.Rejected, first+i)
		}
	}
}

// count adds what weights and losses of a block come to.
func (r *reading) count(l *look, at *room) {
	weighted := at.of[0]
	for i, e := range at.r {
		a, s := at.weight(i), e*e
		v := r.relative(s)
		if r.model.exact {
			v = 0
			if math.Abs(e) <= r.g.zero {
				v = 1
			}
		}
		l.Loss += a * r.loss.Rho(s)
		l.Sum += v
		l.Squares += v * v
		weighted[i] = a * r.loss.Weight(s)
		l.Squared.add(weighted[i], at.y[i], e)
	}
}

// gather adds what steps and standard errors follow from.
func (r *reading) gather(l *look, at *room) {
	weighted, pull, slopes, squares, cross, bend, slope := at.of[0], at.of[1], at.of[2], at.of[3], at.of[4], at.of[5], at.of[6]
	for i, e := range at.r {
		a := at.weight(i)
		if a == 0 {
			pull[i], slopes[i], squares[i], cross[i], bend[i], slope[i] = 0, 0, 0, 0, 0, 0
			continue
		}
		value, curve := r.derive(e)
		u := at.start[i] / r.scale
		c, s := chi(u), chiSlope(u)
		pull[i], slopes[i] = a*value, a*curve
		value /= r.scale
		squares[i], cross[i] = a*value*value, a*value*c
		slope[i] = a * s
		l.Chi += a * c
		l.ChiSquares += a * (c*c - halfway*halfway)
		l.ChiSlopes += a * s * u
		l.evidence.Slope += slopes[i]
		l.Square += squares[i]
		if r.ask.rescale {
			bend[i] = a * chiBend(u)
		}
	}
	if r.by != nil {
		at.mend(r.by, slopes, squares)
	}
	at.gram(slopes, l.Slopes)
	if r.ask.weighted {
		at.gram(weighted, l.Weighted)
	}
	if r.ask.rescale {
		at.gram(bend, l.Bend)
	}
	if r.ask.whole {
		at.gram(squares, l.evidence.Squares)
		at.sum(cross, l.Cross)
	}
	at.sum(pull, l.Pull)
	at.sum(slope, l.Slope)
}

// take puts the rows of a block into the room.
func (at *room) take(block *mat.Dense, prior []float64) {
	n, width := block.Dims()
	at.n, at.prior, at.held = n, prior, nil
	if cap(at.r) < n { // the last of the parts, which has no more room than it was made with
		all := make([]float64, 10*n)
		for k := range at.of {
			at.of[k] = all[k*n : (k+1)*n]
		}
		at.start, at.y, at.r = all[7*n:8*n], all[8*n:9*n], all[9*n:]
		at.rows = make([]float64, n*at.stride)
	}
	for k := range at.of {
		at.of[k] = at.of[k][:n]
	}
	at.start, at.y, at.r, at.rows = at.start[:n], at.y[:n], at.r[:n], at.rows[:n*at.stride]
	low, high := at.target.Range()
	for i := range n {
		at.y[i] = min(max(block.At(i, width-1), low), high) - at.yOffset
	}
	at.lay(block, 0, n)
}

// measured is measure without a look at whether it is necessary.
func (at *room) measured(beta, out []float64) {
	at.residuals(beta, 0, at.n)
	copy(out, at.r)
}

// gram adds the sum of w [z r 0][z r 0]'.
func (at *room) gram(w, to []float64) {
	fastblas.WeightedGram(1, at.n, at.stride, at.rows, at.stride, w, nil, to, at.stride)
}

// sum adds that of v z.
func (at *room) sum(v, to []float64) {
	kernels.Dgemv(blas.Trans, at.n, at.p, 1, at.rows, at.stride, v, 1, 1, to, 1)
}
