package classify

import (
	"context"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/linalg"
)

// nearEnough is the gap, in units of the least one, at which small projected gradients end the epochs; where it is larger they
// must become smaller, down to finest of what was asked for, since how much they mean depends on the number of rows.
const (
	nearEnough = 50
	finest     = 1e-3
)

// run makes epochs until the projected gradients lie within tol and the intercept stands
// still, or the gap is small; it tells whether that happened before the limit.
func (d *dual) run(ctx context.Context, limit int, tol, gap float64) bool {
	d.limit = limit
	active := make([]int, 0, len(d.y))
	for i, c := range d.most {
		if c > 0 {
			active = append(active, i)
		}
	}
	all := slices.Clone(active)
	scores := make([]float64, len(d.y))
	d.keep(scores, true)                         // w = 0
	highest, lowest := math.Inf(1), math.Inf(-1) // bounds for shrinking
	inner := 0                                   // epochs since the centre moved
	least := tol
	if !d.rough {
		least *= finest
	}
	for d.epochs < limit {
		if d.stopped = d.epochs > 0 && ctx.Err() != nil; d.stopped {
			d.look(scores)
			return false
		}
		d.epochs++
		inner++
		d.path = append(d.path, d.least)
		up, down := d.epoch(&active, highest, lowest)
		whole := len(active) == len(all)
		moved := math.Abs(d.pull * d.balance)
		if up-down <= tol || inner >= 10 {
			d.look(scores)
			settled := whole && up-down <= tol && moved <= tol
			if d.path[len(d.path)-1] = d.least; d.gap() <= gap || settled && (d.gap() <= nearEnough*gap || tol <= least) {
				return true
			}
			if settled {
				tol /= 10
			}
			// The proximal problem is solved well enough: move its centre. Shrinking starts anew.
			d.centre += d.pull * d.balance
			active = append(active[:0], all...)
			highest, lowest, inner = math.Inf(1), math.Inf(-1), 0
			continue
		}
		if highest = up; highest <= 0 {
			highest = math.Inf(1)
		}
		if lowest = down; lowest >= 0 {
			lowest = math.Inf(-1)
		}
	}
	d.look(scores)
	return false
}

// look keeps what the epochs found, if it is the best so far, and the bound of the dual at alpha
// with the heavier side made lighter until the sides balance.
func (d *dual) look(scores []float64) {
	m := len(d.w)
	d.path = append(d.path[:max(len(d.path)-1, 0)], d.least)
	for i := range scores {
		scores[i] = linalg.Inner(d.w, d.a.RawRowView(i)[:m])
	}
	d.keep(scores, false)
	d.path[len(d.path)-1] = d.least
	plus, minus := d.sides(d.alpha)
	if plus == 0 || minus == 0 {
		d.bound = max(d.bound, 0)
		return
	}
	up, down := min(1, minus/plus), min(1, plus/minus)
	w := make([]float64, m)
	gain := 0.0
	for i, a := range d.alpha {
		if d.y[i] > 0 {
			a *= up
		} else {
			a *= down
		}
		if a > 0 {
			gain += a
			d.add(a*d.y[i], i, w)
		}
	}
	if d.kernel {
		for i, v := range w {
			if v != 0 {
				scores[i] = linalg.Inner(w, d.a.RawRowView(i)[:m])
			}
		}
	}
	d.bound = max(d.bound, gain-d.norm(w, scores)/2)
}

// epoch visits the active rows once in random order and returns the largest and smallest
// projected gradient met. Rows at a bound whose gradient keeps them there leave.
func (d *dual) epoch(active *[]int, highest, lowest float64) (up, down float64) {
	rows := *active
	m := len(d.w)
	up, down = math.Inf(-1), math.Inf(1)
	for s := 0; s < len(rows); s++ {
		pick := s + d.random.IntN(len(rows)-s)
		rows[s], rows[pick] = rows[pick], rows[s]
		i := rows[s]
		phi := d.a.RawRowView(i)[:m]
		gradient := d.y[i]*(linalg.Inner(d.w, phi)+d.offset()) - 1
		projected := gradient
		switch {
		case d.alpha[i] == 0:
			if gradient > highest {
				rows[s] = rows[len(rows)-1]
				rows = rows[:len(rows)-1]
				s--
				continue
			}
			projected = min(gradient, 0)
		case d.alpha[i] == d.most[i]:
			if gradient < lowest {
				rows[s] = rows[len(rows)-1]
				rows = rows[:len(rows)-1]
				s--
				continue
			}
			projected = max(gradient, 0)
		}
		up, down = max(up, projected), min(down, projected)
		if math.Abs(projected) < 1e-14 {
			continue
		}
		before := d.alpha[i]
		d.alpha[i] = min(max(before-gradient/d.squares[i], 0), d.most[i])
		if change := (d.alpha[i] - before) * d.y[i]; change != 0 {
			d.add(change, i, d.w)
			d.balance += change
		}
	}
	*active = rows
	if len(rows) == 0 {
		return 0, 0
	}
	return up, down
}
