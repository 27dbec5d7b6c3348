package linear

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/beside"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/verdict"
)

// named is up to how many outlying rows of a table that is not in memory are named.
const named = 1 << 16

// look is what one reading of all rows tells at a model. Sums count rows as their prior weights say.
type look struct {
	evidence
	Weighted, Pull []float64 // sums of w [z r][z r]' and psi z, for a step
	Chi            float64   // sum of chi of the start's residuals
	Bend, Slope    []float64 // sums of chi'' z z' and chi' z there
	Loss           float64   // sum of losses
	Sum, Squares   float64   // of robustness weights, and of their squares
	Squared        squares
	Kinds          []float64 // rows of each of verdict.LineKinds
	Flagged        int
	Rows           []int // flagged ones, from 0; too many to be named where they are fewer
	Rejected       []int // the first rows of hardly any weight
	objective      float64
	part           *design // room for a block
}

// effective is the effective number of rows.
func (l *look) effective() float64 {
	if l.Squares == 0 {
		return 0
	}
	return l.Sum * (l.Sum / l.Squares)
}

// look reads all rows; before is what the reading before has found, nil for the first.
func (b *many) look(ctx context.Context, m *Model, before *evidence) (*look, error) {
	size := b.g.stride * b.g.stride
	return linalg.Pass(ctx, b.table,
		func() *look {
			l := &look{Weighted: make([]float64, size), Pull: make([]float64, b.g.p), Bend: make([]float64, size), Slope: make([]float64, b.g.p), Kinds: make([]float64, len(verdict.LineKinds)), part: b.g.alike()}
			l.Slopes, l.evidence.Squares, l.Cross = make([]float64, size), make([]float64, size), make([]float64, b.g.p)
			return l
		},
		func(l *look, first int, block *mat.Dense) { l.add(b, m, before, first, block) },
		func(into, from *look) {
			for k, to := range into.vectors() {
				axpy(1, from.vectors()[k], to)
			}
			for k, to := range into.numbers() {
				*to += *from.numbers()[k]
			}
			into.Flagged += from.Flagged
			if len(into.Rows) <= named {
				into.Rows = append(into.Rows, from.Rows...)
			}
			if len(into.Rejected) < mostRows {
				into.Rejected = append(into.Rejected, from.Rejected...)
			}
		})
}

// Parts are the kept ones.
func (l *look) Parts() []any {
	parts := []any{&l.Flagged, &l.Rows, &l.Rejected}
	for _, v := range l.vectors() {
		parts = append(parts, v)
	}
	for _, v := range l.numbers() {
		parts = append(parts, v)
	}
	return parts
}

func (l *look) vectors() [8][]float64 {
	return [8][]float64{l.Kinds, l.Weighted, l.Pull, l.Bend, l.Slope, l.Slopes, l.evidence.Squares, l.Cross}
}

func (l *look) numbers() [13]*float64 {
	s := &l.Squared
	return [13]*float64{&l.evidence.Slope, &l.Square, &l.ChiSquares, &l.ChiSlopes, &l.Chi, &l.Loss, &l.Sum, &l.Squares, &s.total, &s.target, &s.fitted, &s.explained, &s.rest}
}

// add takes in a block.
func (l *look) add(b *many, m *Model, before *evidence, first int, block *mat.Dense) {
	ctx := context.Background()
	n, width := block.Dims()
	y := mat.Col(nil, width-1, block)
	g := l.part
	g.fill(ctx, block, y, univariate.Part(b.prior, first, n))
	start := make([]float64, n)
	judged, err := m.Judge(ctx, beside.Columns(block), y)
	if err == nil {
		err = g.measure(ctx, b.first.beta, start)
	}
	if err == nil {
		err = g.measure(ctx, b.beta, nil)
	}
	if err != nil {
		panic(err) // the numbers are finite, and as many as the model's
	}
	w, pull := make([]float64, n), make([]float64, n)
	for i, r := range g.r {
		a := g.weight(i)
		v := b.loss.Weight(r * r)
		w[i], pull[i] = a*v, a*v*r
		v = judged.Weight[i]
		l.Loss += a * b.loss.Rho(r*r)
		l.Sum += v
		l.Squares += v * v
		l.Squared.add(a*v, g.y[i], r)
		if l.Kinds[slices.Index(verdict.LineKinds, judged.Kind[i])]++; judged.Outlier[i] {
			if l.Flagged++; len(l.Rows) <= named {
				l.Rows = append(l.Rows, first+i)
			}
		}
		if v < rejected && len(l.Rejected) < mostRows {
			l.Rejected = append(l.Rejected, first+i)
		}
	}
	if m.exact {
		return
	}
	weighted, _, side, _ := g.sums(ctx, w, nil, pull)
	axpy(1, weighted, l.Weighted)
	axpy(1, side, l.Pull)
	for i, r := range start {
		a, u := g.weight(i), r/b.scale
		l.Chi += a * chi(u)
		w[i], pull[i] = a*chiBend(u), a*chiSlope(u)
	}
	bend, _, slope, _ := g.sums(ctx, w, nil, pull)
	axpy(1, bend, l.Bend)
	axpy(1, slope, l.Slope)
	e := b.gather(ctx, g, start, true, before)
	axpy(1, e.Slopes, l.Slopes)
	axpy(1, e.Squares, l.evidence.Squares)
	axpy(1, e.Cross, l.Cross)
	l.evidence.Slope += e.Slope
	l.Square += e.Square
	l.ChiSquares += e.ChiSquares
	l.ChiSlopes += e.ChiSlopes
}

// alike is a design of other rows in the same columns, which fill puts in.
func (g *design) alike() *design {
	out := *g
	out.n, out.rows, out.r, out.y, out.prior, out.scratch = 0, nil, nil, nil, nil, scratch{}
	return &out
}

// fill makes the design that of these rows.
func (g *design) fill(ctx context.Context, x *mat.Dense, y, prior []float64) {
	g.n, g.prior, g.held = len(y), prior, nil
	g.y = g.y[:0]
	for _, v := range y {
		g.y = append(g.y, g.target.Within(v)-g.yOffset)
	}
	_ = g.build(ctx, x) // never cancelled
}
