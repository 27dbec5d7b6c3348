package classify

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
)

// pairRows is the most rows for which the inner products of all pairs are made.
const pairRows = 5000

// pairs solves the dual by steps along pairs of variables, which keep the balance: the row that
// violates the conditions most, and the one with which the objective then gains most (Fan, Chen
// and Lin 2005, "Working set selection using second order information"). An epoch is as many
// steps as rows. products are the inner products of the features of all rows.
func (d *dual) pairs(ctx context.Context, products *mat.Dense, limit int, tol float64) bool {
	n := len(d.y)
	clear(d.alpha)
	plain := make([]float64, n) // w'phi
	for d.epochs < limit {
		if d.stopped = d.epochs > 0 && ctx.Err() != nil; d.stopped {
			return false
		}
		d.epochs++
		ended := false
		for range n {
			if ended = !d.pair(products, plain); ended {
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

// pair makes one step; false where no pair gains any more.
func (d *dual) pair(products *mat.Dense, plain []float64) bool {
	// miss is y - w'phi, the intercept at which the row would be on its margin: those that may go
	// up must not be above those that may go down.
	first, most := -1, math.Inf(-1)
	for i, c := range d.most {
		if c > 0 && (d.y[i] > 0 && d.alpha[i] < c || d.y[i] < 0 && d.alpha[i] > 0) {
			if v := d.y[i] - plain[i]; v > most {
				first, most = i, v
			}
		}
	}
	if first < 0 {
		return false
	}
	row := products.RawRowView(first)
	own := row[first]
	second, gain := -1, 0.0
	for j, c := range d.most {
		if c > 0 && (d.y[j] > 0 && d.alpha[j] > 0 || d.y[j] < 0 && d.alpha[j] < c) {
			if b := most - (d.y[j] - plain[j]); b > 1e-13 {
				bend := max(own+products.At(j, j)-2*row[j], 1e-12)
				if v := b * b / bend; v > gain {
					second, gain = j, v
				}
			}
		}
	}
	if second < 0 {
		return false
	}
	i, j := first, second
	other := products.RawRowView(j)
	step := (most - (d.y[j] - plain[j])) / max(own+other[j]-2*row[j], 1e-12)
	// alpha y of i grows by the step, that of j falls by it
	if d.y[i] > 0 {
		step = min(step, d.most[i]-d.alpha[i])
	} else {
		step = min(step, d.alpha[i])
	}
	if d.y[j] > 0 {
		step = min(step, d.alpha[j])
	} else {
		step = min(step, d.most[j]-d.alpha[j])
	}
	d.alpha[i] = within(d.alpha[i]+d.y[i]*step, d.most[i])
	d.alpha[j] = within(d.alpha[j]-d.y[j]*step, d.most[j])
	for l := range plain {
		plain[l] += step * (row[l] - other[l])
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
