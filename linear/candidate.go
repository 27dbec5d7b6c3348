package linear

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/linalg"
)

// candidate is a possible start.
type candidate struct {
	beta  []float64
	value float64 // of the criterion
	scale float64
	// settled tells that it stood still on a sample, so that the end on more rows is near.
	settled bool
}

// near tells whether two candidates are the same up to a relative tolerance.
func (c candidate) near(other candidate, tol float64) bool {
	moved, size := 0.0, 0.0
	for j, b := range c.beta {
		moved = math.Hypot(moved, b-other.beta[j])
		size = math.Hypot(size, b)
	}
	return moved <= tol*math.Max(size, c.scale)
}

// worstOf is the value that a candidate has to beat to come into a list.
func worstOf(list []candidate, most int) float64 {
	if len(list) < most {
		return math.Inf(1)
	}
	return list[most-1].value
}

// insert keeps the list sorted by value and at most so long.
func insert(list []candidate, c candidate, most int) []candidate {
	at, _ := slices.BinarySearchFunc(list, c, func(a, b candidate) int {
		if a.value <= b.value {
			return -1
		}
		return 1
	})
	list = slices.Insert(list, at, c)
	return list[:min(len(list), most)]
}

// concentrate improves a candidate by a few steps; its value is exact only if it is
// below worst. r and w are memory for residuals and weights.
func (g *design) concentrate(ctx context.Context, rule criterion, c candidate, worst float64, r, w []float64) (candidate, error) {
	beta, scale := c.beta, c.scale
	for step := 0; ; step++ {
		if err := g.measure(ctx, beta, r); err != nil {
			return candidate{}, err
		}
		if step == concentrations {
			break
		}
		scale = rule.quick(g, r, scale)
		if scale == 0 {
			break
		}
		rule.weigh(g, r, scale, w)
		next, err := g.solve(ctx, beta, w)
		if err != nil {
			return candidate{}, err
		}
		beta = next
	}
	if scale > 0 && !rule.below(g, r, worst) {
		return candidate{beta: beta, value: math.Inf(1)}, nil
	}
	scale = rule.scale(g, r, scale)
	return candidate{beta: beta, value: scale, scale: scale}, nil
}

// refine follows candidates until they stand still and returns them, the best first and
// each end only once.
func (g *design) refine(ctx context.Context, rule criterion, list []candidate, tol float64) ([]candidate, error) {
	found := make([]candidate, len(list))
	failures := make([]error, len(list))
	if count, _ := pieces(g.n, g.stride); count == 1 && len(list) > 1 {
		linalg.Parallel(len(list), func(k int) { found[k], failures[k] = g.copy().follow(ctx, rule, list[k], tol) })
	} else { // passes over the rows keep the threads busy
		for k, c := range list {
			found[k], failures[k] = g.follow(ctx, rule, c, tol)
		}
	}
	for _, err := range failures {
		if err != nil {
			return nil, err
		}
	}
	return different(found, tol), nil
}

// different sorts ends that were found up to tol, the best first and each only once.
func different(found []candidate, tol float64) []candidate {
	var ends []candidate
	for _, c := range found {
		if !slices.ContainsFunc(ends, func(e candidate) bool { return c.near(e, 10*tol) }) {
			ends = append(ends, c)
		}
	}
	slices.SortStableFunc(ends, func(a, b candidate) int { return cmp.Compare(a.value, b.value) })
	return ends
}

// follow improves a candidate until it moves by at most tol: by concentration steps, and
// once they are short by Newton's, as long as those widen nothing.
func (g *design) follow(ctx context.Context, rule criterion, c candidate, tol float64) (candidate, error) {
	const short = 0.02
	r, w := make([]float64, g.n), make([]float64, g.n)
	if err := g.measure(ctx, c.beta, r); err != nil {
		return c, err
	}
	c.scale = rule.scale(g, r, c.scale)
	_, smooth := rule.(sCriterion)
	smooth = smooth && g.lambda == 0
	newton := smooth && c.settled && g.many()
	for range 500 {
		if c.scale == 0 {
			break
		}
		var next []float64
		var err error
		if newton {
			next, err = g.newton(ctx, c, r, w)
		}
		if next == nil && err == nil {
			newton = false
			rule.weigh(g, r, c.scale, w)
			next, err = g.solve(ctx, c.beta, w)
		}
		if err != nil {
			return c, err
		}
		if err := g.measure(ctx, next, r); err != nil {
			return c, err
		}
		scale := rule.scale(g, r, c.scale)
		if scale > c.scale*(1+1e-12) {
			if !newton { // rounding: the step should never widen it
				break
			}
			newton, smooth = false, false
			if err := g.measure(ctx, c.beta, r); err != nil {
				return c, err
			}
			continue
		}
		before := c
		c.beta, c.scale = next, scale
		if c.near(before, tol) || newton && c.near(before, math.Sqrt(tol)/10) {
			break
		}
		newton = smooth && c.near(before, short)
	}
	c.value, c.settled = c.scale, true
	return c, nil
}

// newton returns Newton's step for the smallest M-scale from the residuals r of c: with
// t = (r / (tuning scale))^2 the sum of (1-t)^2 r z over that of (1-t)(1-5t) z z'. That the
// scale changes with the coefficients enters in second order alone, since it is
// stationary at the end. It is nil where the curvature is not positive.
func (g *design) newton(ctx context.Context, c candidate, r, w []float64) ([]float64, error) {
	inverse := 1 / (c.scale * breakdownTuning)
	if len(g.absolute) < g.n {
		g.absolute = make([]float64, g.n)
	}
	pull := g.absolute[:g.n]
	inPieces(g.n, func(first, last int) (_, _ float64) {
		for i := first; i < last; i++ {
			t := r[i] * inverse
			t = min(t*t, 1)
			a := (1 - t) * g.weight(i)
			w[i], pull[i] = a*(1-5*t), a*(1-t)*r[i]
		}
		return 0, 0
	})
	return g.newtonStep(ctx, c.beta, w, pull)
}

// newtonStep is beta + (sum slope z z')^-1 sum pull z; nil where the sum is not positive
// definite.
func (g *design) newtonStep(ctx context.Context, beta, slope, pull []float64) ([]float64, error) {
	curvature, _, side, err := g.sums(ctx, slope, nil, pull)
	if err != nil {
		return nil, err
	}
	next, ok := g.step(beta, curvature, side)
	if !ok {
		return nil, nil
	}
	return next, nil
}
