package linear

import (
	"context"

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
	Unheard        float64   // rows without a vote, see witnesses
	Squared        squares
	Kinds          []float64 // rows of each of verdict.LineKinds
	Flagged        int
	Rows           []int // flagged ones, from 0; too many to be named where they are fewer
	Rejected       []int // the first rows of hardly any weight
	objective      float64
}

// effective is the effective number of rows.
func (l *look) effective() float64 {
	if l.Squares == 0 {
		return 0
	}
	return l.Sum * (l.Sum / l.Squares)
}

// asked is what a reading is to find beside coefficients of residuals: the less, the faster it is.
type asked struct {
	weighted bool // Weighted, where Newton's step will not do
	rescale  bool // Bend, for a step of the scale
	whole    bool // verdicts and what standard errors follow from, of the model that stays
}

// look reads all rows; before is what the reading before has found, nil for the first.
func (b *many) look(ctx context.Context, m *Model, before *evidence, ask asked) (*look, error) {
	size, p := b.g.stride*b.g.stride, b.g.p
	r := b.reading(m, before, ask)
	return linalg.Pass(ctx, b.table,
		func() *look {
			l := &look{Pull: make([]float64, p), Slope: make([]float64, p), Kinds: make([]float64, len(verdict.LineKinds))}
			l.Slopes, l.Cross = make([]float64, size), make([]float64, p)
			if ask.weighted {
				l.Weighted = make([]float64, size)
			}
			if ask.rescale {
				l.Bend = make([]float64, size)
			}
			if ask.whole {
				l.evidence.Squares = make([]float64, size)
			}
			return l
		},
		r.add,
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

func (l *look) numbers() [14]*float64 {
	s := &l.Squared
	return [14]*float64{&l.evidence.Slope, &l.Square, &l.ChiSquares, &l.ChiSlopes, &l.Chi, &l.Loss, &l.Sum, &l.Squares, &s.total, &s.target, &s.fitted, &s.explained, &s.rest, &l.Unheard}
}

// alike is a design of other rows in the same columns.
func (g *design) alike() *design {
	out := *g
	out.n, out.rows, out.r, out.y, out.prior, out.scratch = 0, nil, nil, nil, nil, scratch{}
	return &out
}
