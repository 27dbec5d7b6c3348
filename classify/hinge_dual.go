package classify

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/linalg"
)

// dual is the problem of one class.
type dual struct {
	a       *mat.Dense
	kernel  bool      // a holds the kernel: w are the coefficients of the rows' kernels
	rough   bool      // see task
	y, most []float64 // target and largest alpha of each row
	alpha   []float64
	squares []float64 // ||phi_i||^2 + pull
	w       []float64 // coefficients of the features
	balance float64   // sum of alpha y, zero at the solution
	pull    float64   // B^2
	centre  float64   // b0
	random  *rand.Rand
	threads int
	room    float64 // bytes that tables of a part of the rows may take
	epochs  int
	limit   int       // of epochs
	stopped bool      // by the context
	best    []float64 // coefficients and intercept with the least objective so far
	least   float64   // that objective: half the squared norm plus the sum of C max(0, 1 - y f)
	bound   float64   // largest value of the dual so far, below the optimum
	path    []float64 // least after each epoch
	bends   []bend    // room for intercept
}

// bend is where the sum of hinges, as a function of the intercept, changes its slope.
type bend struct{ at, slope float64 }

// keep looks at the coefficients found, with the intercept that is best for them. scores are
// w'phi, without an intercept; balanced tells that alpha is one of the dual's.
func (d *dual) keep(scores []float64, balanced bool) {
	norm := d.norm(d.w, scores) / 2
	b := d.intercept(scores)
	value := norm
	gain := 0.0
	for i, c := range d.most {
		if c > 0 {
			value += c * max(0, 1-d.y[i]*(scores[i]+b))
			gain += d.alpha[i]
		}
	}
	if value < d.least {
		d.least = value
		copy(d.best, d.w)
		d.best[len(d.w)] = b
	}
	if balanced {
		d.bound = max(d.bound, gain-norm)
	}
}

// norm is ||w||^2 of coefficients w with scores w'phi.
func (d *dual) norm(w, scores []float64) float64 {
	if d.kernel {
		return max(linalg.Inner(w, scores), 0)
	}
	return linalg.Inner(w, w)
}

// add adds f phi_i to coefficients.
func (d *dual) add(f float64, i int, w []float64) {
	if d.kernel {
		w[i] += f
		return
	}
	linalg.Axpy(f, d.a.RawRowView(i)[:len(w)], w)
}

// gap is how far the objective can be above its least value, relative to it.
func (d *dual) gap() float64 { return max(0, (d.least-d.bound)/max(d.least, 1e-300)) }

func newDual(t *task, l int) *dual {
	n, p := t.a.Dims()
	d := &dual{
		a: t.a, kernel: t.kernel, rough: t.rough, y: make([]float64, n), most: make([]float64, n), alpha: make([]float64, n), squares: make([]float64, n),
		w: make([]float64, p-1), best: make([]float64, p), least: math.Inf(1), random: random.New(t.o.Seed+uint64(l), "hinge order"),
	}
	sum, count := 0.0, 0
	for i, a := range t.prior {
		d.y[i] = t.y(i, l)
		d.most[i] = a / (2 * t.o.Lambda * t.total)
		if phi := t.a.RawRowView(i)[:p-1]; t.kernel {
			d.squares[i] = phi[i]
		} else {
			d.squares[i] = linalg.Inner(phi, phi)
		}
		if a > 0 {
			sum += d.squares[i]
			count++
		}
	}
	d.pull = max(sum/float64(max(count, 1)), 1e-300)
	for i := range d.squares {
		d.squares[i] += d.pull
	}
	return d
}

// offset is the intercept of the proximal problem.
func (d *dual) offset() float64 { return d.centre + d.pull*d.balance }

// sides are the sums of v over the rows of the class and over all others.
func (d *dual) sides(v []float64) (plus, minus float64) {
	for i, x := range v {
		if d.y[i] > 0 {
			plus += x
		} else {
			minus += x
		}
	}
	return plus, minus
}

// recompute finds w and the balance from alpha, and the scores with and without the centre's intercept.
func (d *dual) recompute(scores, plain []float64) {
	clear(d.w)
	d.balance = 0
	m := len(d.w)
	for i, a := range d.alpha {
		if a != 0 {
			d.add(a*d.y[i], i, d.w)
			d.balance += a * d.y[i]
		}
	}
	if d.kernel { // symmetric, and most coefficients are zero
		clear(plain)
		for i, v := range d.w {
			if v != 0 {
				linalg.Axpy(v, d.a.RawRowView(i)[:m], plain)
			}
		}
	} else {
		for i := range plain {
			plain[i] = linalg.Inner(d.w, d.a.RawRowView(i)[:m])
		}
	}
	for i, f := range plain {
		scores[i] = f + d.centre
	}
}

// intercept is the b that is best for the coefficients found, of several the nearest to where the solver was: all of them
// minimise sum_i C_i max(0, 1 - y_i (w'phi_i + b)), a convex function that bends at
// b_i = y_i - w'phi_i, given these scores w'phi_i.
func (d *dual) intercept(scores []float64) float64 {
	bends := d.bends[:0]
	slope := 0.0 // left of all bends, rows of class +1 lose
	for i, c := range d.most {
		if c == 0 {
			continue
		}
		bends = append(bends, bend{d.y[i] - scores[i], c})
		if d.y[i] > 0 {
			slope -= c
		}
	}
	d.bends = bends
	if len(bends) == 0 {
		return 0
	}
	slices.SortFunc(bends, func(a, b bend) int {
		if a.at < b.at {
			return -1
		} else if a.at > b.at {
			return 1
		}
		return 0
	})
	size := 0.0
	for _, b := range bends {
		size += b.slope
	}
	for i, b := range bends {
		slope += b.slope
		if slope > 1e-9*size {
			return b.at
		}
		if slope >= -1e-9*size { // flat up to the next bend: stay where the solver was, if there
			if i+1 == len(bends) {
				return b.at
			}
			return min(max(d.offset(), b.at), bends[i+1].at)
		}
	}
	return bends[len(bends)-1].at
}
