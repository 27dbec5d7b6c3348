package elm

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
)

// problem is a regression on the hidden layer as an irls.Problem. Its states are L x k
// output weights.
type problem struct {
	regression
	perRow bool
	total  float64 // sum of the prior weights of the entries
}

// Len is the number of weights: entries of the target matrix, or rows.
func (p *problem) Len() int {
	if p.perRow {
		return p.h.n
	}
	return p.h.n * p.k
}

func (p *problem) Residuals(ctx context.Context, at *mat.Dense, s []float64) error {
	return p.h.each(ctx, func(threads, first int, block *mat.Dense) {
		rows, _ := block.Dims()
		e := mat.NewDense(rows, p.k, nil)
		p.errors(threads, e, first, block, at)
		for i := range rows {
			p.square(s, first+i, e.RawRowView(i))
		}
	})
}

// square writes the squares of the errors e of row i to where they belong in s.
func (p *problem) square(s []float64, i int, e []float64) {
	sum := 0.0
	for c, v := range e {
		if !p.perRow {
			s[i*p.k+c] = v * v
		}
		sum += v * v
	}
	if p.perRow {
		s[i] = sum
	}
}

// squares is Residuals for outputs that are known.
func (p *problem) squares(fitted *mat.Dense) []float64 {
	s, e := make([]float64, p.Len()), make([]float64, p.k)
	for i := range p.h.n {
		for c, v := range fitted.RawRowView(i) {
			e[c] = p.t.At(i, c) - v
		}
		p.square(s, i, e)
	}
	return s
}

func (p *problem) Solve(ctx context.Context, from *mat.Dense, w []float64) (*mat.Dense, error) {
	return p.solve(ctx, from, weighting{w: w, k: p.k, perRow: p.perRow}, false)
}

// Penalty is lambda' |beta|^2 / N: eq. (22) of the kmpe paper with lambda' as in (23).
func (p *problem) Penalty(at *mat.Dense) float64 {
	if p.lambda == 0 {
		return 0
	}
	n := mat.Norm(at, 2)
	return p.lambda * n * n / p.total
}

func (p *problem) Between(a, b *mat.Dense, t float64) (*mat.Dense, error) {
	var out mat.Dense
	out.Sub(b, a)
	out.Scale(t, &out)
	out.Add(&out, a)
	return &out, nil
}

func (p *problem) Distance(a, b *mat.Dense) float64 {
	var d mat.Dense
	d.Sub(b, a)
	moved := mat.Norm(&d, 2)
	if moved == 0 {
		return 0
	}
	return moved / math.Max(mat.Norm(b, 2), math.SmallestNonzeroFloat64)
}
