package classify

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linalg/fastblas"
)

const (
	// interiorWidth is the number of features up to which the dual is solved by an interior-point method.
	interiorWidth = 128
	// interiorSteps bounds its Newton steps; it needs 15 to 40.
	interiorSteps = 100
	// interiorStall is the number of steps without a better gap after which rounding has the last word.
	interiorStall = 8
)

// interior solves the dual by Mehrotra's predictor-corrector method: the penalty of the logarithms of
// alpha and C - alpha falls to nothing. With s and t the prices of the two bounds,
//
//	y_i f(x_i) - 1 = s_i - t_i,   s_i alpha_i = mu,   t_i (C_i - alpha_i) = mu,   sum alpha_i y_i = 0,
//
// and a Newton step is one weighted least-squares problem in w and b with the weights
// 1 / (s/alpha + t/(C-alpha)) (Ferris and Munson 2002). The number of steps hardly depends on
// lambda, where coordinate descent needs the more the smaller it is.
func (d *dual) interior(ctx context.Context, limit int, tol float64) bool {
	d.limit = limit
	n, m := len(d.y), len(d.w)
	p := m + 1
	plus, minus := d.sides(d.most)
	if plus == 0 || minus == 0 { // one side only: w = 0
		d.epochs++
		d.keep(make([]float64, n), true)
		d.path = append(d.path, d.least)
		return true
	}
	half := min(plus, minus) / 2
	lower, upper := make([]float64, n), make([]float64, n) // prices s and t
	for i, c := range d.most {
		if d.alpha[i] = half * c / minus; d.y[i] > 0 {
			d.alpha[i] = half * c / plus
		}
	}
	scores, plain := make([]float64, n), make([]float64, n)
	d.recompute(scores, plain)
	if norm := linalg.Inner(d.w, d.w); 2*half < norm { // the best multiple
		for i := range d.alpha {
			d.alpha[i] *= 2 * half / norm
		}
		d.recompute(scores, plain)
	}
	d.keep(plain, true)
	for i, f := range scores {
		v := d.y[i]*f - 1
		lower[i], upper[i] = max(v, 0)+1, max(-v, 0)+1
	}
	weight, right, right2 := make([]float64, n), make([]float64, n), make([]float64, n)
	step, price, price2 := make([]float64, n), make([]float64, n), make([]float64, n)
	gram := mat.NewSymDense(p, nil)
	solution := mat.NewDense(p, 1, nil)
	stalled, smallest := 0, math.Inf(1)
	for d.epochs < limit {
		if d.stopped = d.epochs > 0 && ctx.Err() != nil; d.stopped {
			return false
		}
		d.epochs++
		mu, count := 0.0, 0.0
		for i, c := range d.most {
			if c == 0 {
				continue
			}
			mu += d.alpha[i]*lower[i] + (c-d.alpha[i])*upper[i]
			count += 2
			weight[i] = 1 / (lower[i]/d.alpha[i] + upper[i]/(c-d.alpha[i]))
		}
		mu /= count
		if !d.weighted(gram, weight) {
			return false
		}
		factor, ok := linalg.NewCholesky(gram)
		for extra := 1e-15; !ok; extra *= 100 {
			if extra > 1e-3 {
				return false
			}
			for j := range p {
				gram.SetSym(j, j, gram.At(j, j)*(1+extra)+1e-300)
			}
			factor, ok = linalg.NewCholesky(gram)
		}
		// newton finds the step towards products of size target, with the products of an earlier step taken off.
		newton := func(target float64, second bool) (offset float64) {
			for i, c := range d.most {
				if c == 0 {
					continue
				}
				rs, rt := target-d.alpha[i]*lower[i], target-(c-d.alpha[i])*upper[i]
				if second {
					rs -= step[i] * price[i]
					rt += step[i] * price2[i]
				}
				g := -(d.y[i]*scores[i] - 1 - lower[i] + upper[i]) + rs/d.alpha[i] - rt/(c-d.alpha[i])
				right[i], right2[i] = rs, rt
				step[i] = d.y[i] * g // for now: what the step would be without w and b, over its weight
			}
			d.gather(solution, step, weight)
			solution.Set(m, 0, solution.At(m, 0)+d.balance)
			factor.Solve(solution)
			u := solution.RawMatrix().Data
			for i, c := range d.most {
				if c == 0 {
					continue
				}
				along := linalg.Inner(u[:m], d.a.RawRowView(i)[:m]) + u[m]
				step[i] = d.y[i] * weight[i] * (step[i] - along)
				price[i] = (right[i] - lower[i]*step[i]) / d.alpha[i]
				price2[i] = (right2[i] + upper[i]*step[i]) / (c - d.alpha[i])
			}
			return u[m]
		}
		// room is how far the step may go before something is negative.
		room := func() float64 {
			most := 1e300
			for i, c := range d.most {
				if c == 0 {
					continue
				}
				if step[i] < 0 {
					most = min(most, -d.alpha[i]/step[i])
				} else if step[i] > 0 {
					most = min(most, (c-d.alpha[i])/step[i])
				}
				if price[i] < 0 {
					most = min(most, -lower[i]/price[i])
				}
				if price2[i] < 0 {
					most = min(most, -upper[i]/price2[i])
				}
			}
			return most
		}
		newton(0, false)
		far := min(1, room())
		after := 0.0
		for i, c := range d.most {
			if c > 0 {
				after += (d.alpha[i]+far*step[i])*(lower[i]+far*price[i]) + (c-d.alpha[i]-far*step[i])*(upper[i]+far*price2[i])
			}
		}
		share := after / count / mu
		offset := newton(share*share*share*mu, true)
		far = min(1, 0.995*room())
		if math.IsNaN(far) || math.IsNaN(offset) {
			return false
		}
		for i, c := range d.most {
			if c == 0 {
				continue
			}
			d.alpha[i] = min(max(d.alpha[i]+far*step[i], 1e-30*c), c*(1-1e-16))
			lower[i], upper[i] = max(lower[i]+far*price[i], 1e-300), max(upper[i]+far*price2[i], 1e-300)
		}
		d.centre += far * offset
		d.recompute(scores, plain)
		before := d.gap()
		d.keep(plain, true)
		d.path = append(d.path, d.least)
		if d.gap() <= tol {
			return true
		}
		if stalled++; d.gap() < before || mu < smallest {
			stalled, smallest = 0, min(mu, smallest)
		}
		if stalled > interiorStall {
			return false
		}
	}
	return false
}

// weighted is A'WA plus one on the diagonal of the coefficients; false where that is no number.
func (d *dual) weighted(gram *mat.SymDense, weight []float64) bool {
	n, p := d.a.Dims()
	gram.Zero()
	raw, to := d.a.RawMatrix(), gram.RawSymmetric()
	fastblas.WeightedGram(d.threads, n, p, raw.Data, raw.Stride, weight, nil, to.Data, to.Stride)
	for j := range p - 1 {
		to.Data[j*to.Stride+j]++
	}
	for j := range p {
		if v := to.Data[j*to.Stride+j]; math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}

// gather is A'W v.
func (d *dual) gather(dst *mat.Dense, v, weight []float64) {
	out := dst.RawMatrix().Data
	clear(out)
	for i, w := range weight {
		if f := w * v[i]; f != 0 {
			linalg.Axpy(f, d.a.RawRowView(i), out)
		}
	}
}
