package classify

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
)

const (
	// pairRows is the most rows for which the inner products of all pairs are made; an exact kernel has them.
	pairRows = 5000
	// pairLooks is how often within an epoch steps along pairs look whether they are done, or rows can be left out.
	pairLooks = 8
	// fewestSteps is the least number of steps of an epoch: of few rows with a small penalty it takes many thousands.
	fewestSteps = 1000
	// fewerRows is the part of the rows below which those that still move are worth a table of their own.
	fewerRows = 0.75
)

// pairing is what steps along pairs keep of the rows, or of those that still move. The miss of a row is y - w'phi, the
// intercept at which it would be on its margin.
type pairing struct {
	rows           []int // which of the dual's these are
	y, most, alpha []float64
	products       *mat.Dense
	diagonal       []float64 // of products
	up, down       []float64 // the miss of rows whose alpha y may grow, else -Inf; of those whose may fall, else +Inf
	highest        float64   // largest of up
	lowest         float64   // smallest of down
	first          int       // the row with the highest; -1: none
}

// pairs solves the dual by steps along pairs of variables, which keep the balance: the row that
// violates the conditions most, and the one with which the objective then gains most (Fan, Chen
// and Lin 2005, "Working set selection using second order information"). Rows that lie at a bound and far enough from the
// margin are left out for a time (Joachims 1998), where memory has room for a table of the others. An epoch is as many
// steps as rows, and at least fewestSteps. products are the inner products of the features of all rows; alpha, which must be balanced, is the start.
func (d *dual) pairs(ctx context.Context, products *mat.Dense, limit int, tol float64) bool {
	d.limit = limit
	n := len(d.y)
	plain := make([]float64, n) // w'phi
	if plus, minus := d.sides(d.alpha); plus != 0 || minus != 0 {
		d.recompute(plain, plain)
	}
	d.keep(plain, true)
	all := &pairing{y: d.y, most: d.most, alpha: d.alpha, products: products, diagonal: make([]float64, n), up: make([]float64, n), down: make([]float64, n)}
	for i := range n {
		all.rows = append(all.rows, i)
		all.diagonal[i] = products.At(i, i)
	}
	all.begin(plain)
	now := all
	for d.epochs < limit {
		if d.stopped = d.epochs > 0 && ctx.Err() != nil; d.stopped {
			return false
		}
		d.epochs++
		ended := false
		for look := 0; look < pairLooks && !ended; look++ {
			stuck := false
			for range max(n, fewestSteps) / pairLooks {
				if stuck = !now.step(); stuck {
					break
				}
			}
			if stuck || now.gap() <= tol*d.least/2 || look == pairLooks-1 {
				whole := now == all
				now.back(all)
				d.recompute(plain, plain)
				d.keep(plain, true)
				all.begin(plain)
				now = all
				ended = d.gap() <= tol || whole && stuck
			}
			fewer := now.moving()
			count := float64(len(fewer))
			if !ended && count < fewerRows*float64(len(now.rows)) && 8*count*count <= d.room {
				now.back(all)
				now = all.only(now, fewer)
			}
		}
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

// begin takes alpha from coefficients of the rows' kernels: within bounds, and the heavier side as light as the other.
func (d *dual) begin(theta *mat.Dense, l int) {
	for i, most := range d.most {
		d.alpha[i] = within(min(max(d.y[i]*theta.At(i, l), 0), most), most)
	}
	plus, minus := d.sides(d.alpha)
	for i, a := range d.alpha {
		switch {
		case plus == 0 || minus == 0:
			d.alpha[i] = 0
		case d.y[i] > 0:
			d.alpha[i] = a * min(1, minus/plus)
		default:
			d.alpha[i] = a * min(1, plus/minus)
		}
	}
}

// begin takes over scores that were computed anew.
func (p *pairing) begin(plain []float64) {
	for i, f := range plain {
		p.allow(i, p.y[i]-f)
	}
	p.extremes()
}

// allow notes which way row i with this miss may go.
func (p *pairing) allow(i int, miss float64) {
	above, below := p.alpha[i] > 0, p.alpha[i] < p.most[i]
	if p.y[i] < 0 {
		above, below = below, above
	}
	p.up[i], p.down[i] = math.Inf(-1), math.Inf(1)
	if below && p.most[i] > 0 {
		p.up[i] = miss
	}
	if above && p.most[i] > 0 {
		p.down[i] = miss
	}
}

// miss is that of a row with weight, which may go one way at least.
func (p *pairing) miss(i int) float64 {
	if math.IsInf(p.up[i], -1) {
		return p.down[i]
	}
	return p.up[i]
}

// extremes finds the row that may go up and misses most, and the least miss of those that may go down.
func (p *pairing) extremes() {
	p.first, p.highest, p.lowest = -1, math.Inf(-1), math.Inf(1)
	for i, v := range p.up {
		if v > p.highest {
			p.first, p.highest = i, v
		}
		p.lowest = min(p.lowest, p.down[i])
	}
}

// gap is how far objective and dual are from each other by these rows, given the intercept in the middle.
func (p *pairing) gap() float64 {
	b, sum := (p.highest+p.lowest)/2, 0.0
	if math.IsInf(b, 0) || math.IsNaN(b) {
		return math.Inf(1)
	}
	for i, c := range p.most {
		if c > 0 {
			short := p.y[i] * (p.miss(i) - b)
			sum += c*max(0, short) - p.alpha[i]*short
		}
	}
	return sum
}

// moving are the rows that the conditions do not hold fast at their bound.
func (p *pairing) moving() []int {
	var out []int
	for i, v := range p.up {
		if p.most[i] > 0 && !(math.IsInf(v, -1) && p.down[i] > p.highest) && !(math.IsInf(p.down[i], 1) && v < p.lowest) {
			out = append(out, i)
		}
	}
	return out
}

// only is the pairing of some rows of a part of all.
func (p *pairing) only(part *pairing, rows []int) *pairing {
	n := len(rows)
	out := &pairing{
		rows: make([]int, n), y: make([]float64, n), most: make([]float64, n), alpha: make([]float64, n), products: mat.NewDense(n, n, nil),
		diagonal: make([]float64, n), up: make([]float64, n), down: make([]float64, n),
	}
	for a, i := range rows {
		out.rows[a] = part.rows[i]
		out.y[a], out.most[a], out.alpha[a], out.diagonal[a], out.up[a], out.down[a] = part.y[i], part.most[i], part.alpha[i], part.diagonal[i], part.up[i], part.down[i]
	}
	for a, i := range out.rows {
		to, from := out.products.RawRowView(a), p.products.RawRowView(i)
		for b, j := range out.rows {
			to[b] = from[j]
		}
	}
	out.extremes()
	return out
}

// back gives all rows the alphas of these.
func (p *pairing) back(all *pairing) {
	for a, i := range p.rows {
		all.alpha[i] = p.alpha[a]
	}
}

// step makes one step; false where no pair gains any more: rows that may go up must not have a larger miss than
// those that may go down.
func (p *pairing) step() bool {
	if p.first < 0 {
		return false
	}
	i, j := p.first, -1
	n := len(p.up)
	row, up, down, diagonal := p.products.RawRowView(i)[:n], p.up[:n], p.down[:n], p.diagonal[:n]
	own, most := row[i]+1e-12, p.highest-1e-13
	num, den := 0.0, 1.0 // square of the difference and of the distance for the largest gain so far, without a division for each
	for l, v := range row {
		if b := most - down[l]; b > 0 {
			if d := own + diagonal[l] - 2*v; b*b*den > num*d {
				j, num, den = l, b*b, d
			}
		}
	}
	if j < 0 {
		return false
	}
	other := p.products.RawRowView(j)[:n]
	missI, missJ := p.miss(i), p.miss(j)
	step := (missI - missJ) / max(row[i]+diagonal[j]-2*row[j], 1e-12)
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
	p.allow(i, missI)
	p.allow(j, missJ)
	first, highest, lowest := -1, math.Inf(-1), math.Inf(1)
	for l, v := range row {
		change := step * (v - other[l])
		high, low := up[l]-change, down[l]-change
		up[l], down[l] = high, low
		if high > highest {
			first, highest = l, high
		}
		if low < lowest {
			lowest = low
		}
	}
	p.first, p.highest, p.lowest = first, highest, lowest
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
