package classify

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
)

// pairRows is the most rows for which the inner products of all pairs are made.
const pairRows = 5000

// pairing is what steps along pairs keep of the rows.
type pairing struct {
	*dual
	products *mat.Dense
	diagonal []float64 // of products
	miss     []float64 // y - w'phi, the intercept at which the row would be on its margin
	up, down []bool    // whether alpha y may grow, or fall
	first    int       // the row with the largest miss of those that may go up; -1: none
}

// pairs solves the dual by steps along pairs of variables, which keep the balance: the row that
// violates the conditions most, and the one with which the objective then gains most (Fan, Chen
// and Lin 2005, "Working set selection using second order information"). An epoch is as many
// steps as rows. products are the inner products of the features of all rows.
func (d *dual) pairs(ctx context.Context, products *mat.Dense, limit int, tol float64) bool {
	n := len(d.y)
	clear(d.alpha)
	plain := make([]float64, n) // w'phi
	p := &pairing{
		dual: d, products: products, diagonal: make([]float64, n), miss: make([]float64, n), up: make([]bool, n), down: make([]bool, n),
	}
	for i := range n {
		p.diagonal[i] = products.At(i, i)
		p.allow(i)
	}
	for d.epochs < limit {
		if d.stopped = d.epochs > 0 && ctx.Err() != nil; d.stopped {
			return false
		}
		d.epochs++
		p.begin(plain)
		ended := false
		for range n {
			if ended = !p.step(); ended {
				break
			}
		}
		d.recompute(plain, plain)
		d.keep(plain, true)
		d.path = append(d.path, d.least)
		if d.gap() <= tol {
			return true
		}
		if ended {
			return false
		}
	}
	return false
}

// allow notes which way row i may go.
func (p *pairing) allow(i int) {
	above, below := p.alpha[i] > 0, p.alpha[i] < p.most[i]
	if p.y[i] < 0 {
		above, below = below, above
	}
	p.up[i], p.down[i] = below && p.most[i] > 0, above && p.most[i] > 0
}

// begin takes over scores that were computed anew.
func (p *pairing) begin(plain []float64) {
	p.first = -1
	for i, f := range plain {
		p.miss[i] = p.y[i] - f
		if p.up[i] && (p.first < 0 || p.miss[i] > p.miss[p.first]) {
			p.first = i
		}
	}
}

// step makes one step; false where no pair gains any more: rows that may go up must not have a larger miss than
// those that may go down.
func (p *pairing) step() bool {
	if p.first < 0 {
		return false
	}
	i, j := p.first, -1
	row := p.products.RawRowView(i)[:len(p.miss)]
	own, most, gain := row[i], p.miss[i], 0.0
	for l, v := range p.miss {
		if b := most - v; b > 1e-13 && p.down[l] {
			if v := b * b / max(own+p.diagonal[l]-2*row[l], 1e-12); v > gain {
				j, gain = l, v
			}
		}
	}
	if j < 0 {
		return false
	}
	other := p.products.RawRowView(j)[:len(p.miss)]
	step := (most - p.miss[j]) / max(own+p.diagonal[j]-2*row[j], 1e-12)
	// alpha y of i grows by the step, that of j falls by it
	if p.y[i] > 0 {
		step = min(step, p.most[i]-p.alpha[i])
	} else {
		step = min(step, p.alpha[i])
	}
	if p.y[j] > 0 {
		step = min(step, p.alpha[j])
	} else {
		step = min(step, p.most[j]-p.alpha[j])
	}
	p.alpha[i] = within(p.alpha[i]+p.y[i]*step, p.most[i])
	p.alpha[j] = within(p.alpha[j]-p.y[j]*step, p.most[j])
	p.allow(i)
	p.allow(j)
	p.first, most = -1, math.Inf(-1)
	for l, v := range row {
		f := p.miss[l] - step*(v-other[l])
		if p.miss[l] = f; f > most && p.up[l] {
			p.first, most = l, f
		}
	}
	return step > 0
}

// within is alpha in its box, at a bound where rounding alone keeps it off.
func within(alpha, most float64) float64 {
	if alpha < 1e-14*most {
		return 0
	}
	if alpha > most*(1-1e-14) {
		return most
	}
	return alpha
}
