package linear

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/linalg"
)

const (
	// concentrations is the number of steps each random candidate gets.
	concentrations = 2
	// chunk is the number of candidates that share a random stream and a short list.
	chunk = 20
	// shortList is how many candidates of a chunk, and of all chunks, go on.
	shortList = 12
	// finalists is how many different ends on the first sample are followed on the second;
	// one less goes on to all rows.
	finalists = 3
	// middleRows is the size of the second sample.
	middleRows = 5000
)

// candidate is a possible start.
type candidate struct {
	beta  []float64
	value float64 // of the criterion
	scale float64
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

// startRows is the size of the sample on which candidates are drawn and compared.
func startRows(p int) int { return max(400, 20*p) }

// samples is the number of candidates drawn by default.
func samples(p int) int { return min(max(500, 25*p), 2000) }

// start finds coefficients that up to half of the rows cannot spoil and the scale of
// their residuals. Random subsets of p independent rows give candidates (Rousseeuw 1984);
// each gets a few concentration steps; the best are refined on more rows, the best of
// those on all (Salibian-Barrera and Yohai 2006; Rousseeuw and Van Driessen 2006).
func (g *design) start(ctx context.Context, o Robust) (candidate, error) {
	var rule criterion = sCriterion{}
	if o.Start == StartLTS {
		rule = ltsCriterion{}
	}
	draw := random.New(o.Seed, "linear rows")
	small, middle := g, g
	if rows := startRows(g.p); g.n > 2*rows {
		small = g.subset(sampleRows(g, rows, draw))
	}
	if g.n > 2*middleRows {
		middle = g.subset(sampleRows(g, middleRows, draw))
	}
	count := o.Samples
	if count == 0 {
		count = samples(g.p)
	}
	pool, err := small.draw(ctx, rule, count, o.Seed)
	if err != nil {
		return candidate{}, err
	}
	list := pool
	for _, stage := range []struct {
		on   *design
		keep int
		tol  float64
	}{{small, finalists, 1e-4}, {middle, finalists - 1, 1e-4}, {g, 1, g.startTol()}} {
		if list, err = stage.on.refine(ctx, rule, list, stage.tol); err != nil {
			return candidate{}, err
		}
		list = list[:min(len(list), stage.keep)]
	}
	best := list[0]
	if err := g.measure(ctx, best.beta, nil); err != nil {
		return best, err
	}
	best.scale = mScale(g.r, g.prior, g.total-float64(g.p), best.scale)
	return best, nil
}

// startTol is how exactly the start is found. Where rows are many, a few steps from the
// fit of a sample leave an error far below the standard error, and the scale, which is at
// its minimum there, is exact to the square of that.
func (g *design) startTol() float64 {
	if g.n > 2*middleRows {
		return 1e-4
	}
	return 1e-10
}

// sampleRows draws rows that have weight, without repetition, in ascending order.
func sampleRows(g *design, count int, draw *rand.Rand) []int {
	var all []int
	for i := range g.n {
		if g.weight(i) > 0 {
			all = append(all, i)
		}
	}
	count = min(count, len(all))
	for k := range count {
		j := k + draw.IntN(len(all)-k)
		all[k], all[j] = all[j], all[k]
	}
	all = all[:count]
	slices.Sort(all)
	return all
}

// subset is the regression on some of the rows, with its own memory.
func (g *design) subset(rows []int) *design {
	s := *g
	s.n = len(rows)
	s.rows = make([]float64, 0, s.n*s.stride)
	s.y = make([]float64, 0, s.n)
	s.r = make([]float64, s.n)
	s.total = 0
	if g.prior != nil {
		s.prior = make([]float64, 0, s.n)
	}
	for _, i := range rows {
		s.rows = append(s.rows, g.rows[i*g.stride:(i+1)*g.stride]...)
		s.y = append(s.y, g.y[i])
		s.total += g.weight(i)
		if g.prior != nil {
			s.prior = append(s.prior, g.prior[i])
		}
	}
	s.lambda *= s.total / g.total
	return &s
}

// copy is a design with residuals of its own.
func (g *design) copy() *design {
	c := *g
	c.rows = append([]float64(nil), g.rows...)
	c.r = append([]float64(nil), g.r...)
	return &c
}

// draw makes candidates from random subsets and returns the best of them, and the
// least-squares fit.
func (g *design) draw(ctx context.Context, rule criterion, count int, seed uint64) ([]candidate, error) {
	chunks := (count + chunk - 1) / chunk
	lists := make([][]candidate, chunks)
	failures := make([]error, chunks)
	linalg.Parallel(chunks, func(k int) {
		if ctx.Err() != nil {
			return
		}
		own := g.copy()
		draw := random.New(seed, fmt.Sprintf("linear subsets %d", k))
		for range min(chunk, count-k*chunk) {
			beta, ok := own.elemental(draw)
			if !ok {
				continue
			}
			worst := math.Inf(1)
			if len(lists[k]) == shortList {
				worst = lists[k][shortList-1].value
			}
			c, err := own.concentrate(ctx, rule, beta, worst)
			if err != nil {
				failures[k] = err
				return
			}
			if c.value < worst {
				lists[k] = insert(lists[k], c)
			}
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var all []candidate
	for k := range lists {
		if failures[k] != nil {
			return nil, failures[k]
		}
		for _, c := range lists[k] {
			all = insert(all, c)
		}
	}
	plain, err := g.leastSquares(ctx)
	if err != nil {
		return nil, err
	}
	return append(all, candidate{beta: plain, value: math.Inf(1)}), nil
}

// insert keeps the list sorted by value and at most shortList long.
func insert(list []candidate, c candidate) []candidate {
	at, _ := slices.BinarySearchFunc(list, c, func(a, b candidate) int {
		if a.value <= b.value {
			return -1
		}
		return 1
	})
	list = slices.Insert(list, at, c)
	return list[:min(len(list), shortList)]
}

// leastSquares is the fit with the prior weights alone.
func (g *design) leastSquares(ctx context.Context) ([]float64, error) {
	w := make([]float64, g.n)
	for i := range w {
		w[i] = g.weight(i)
	}
	beta := make([]float64, g.p)
	for range 2 { // the second solve removes the rounding of the first
		if err := g.measure(ctx, beta, nil); err != nil {
			return nil, err
		}
		next, err := g.solve(ctx, beta, w)
		if err != nil {
			return nil, err
		}
		beta = next
	}
	return beta, nil
}

// elemental returns the exact fit of p random rows. Rows that depend on those already
// drawn are passed over (Koller and Stahel 2017), so that columns with few distinct
// values make no trouble; false when no p independent rows are found.
func (g *design) elemental(draw *rand.Rand) ([]float64, bool) {
	p := g.p
	q := make([]float64, 0, p*p)   // orthonormal rows
	low := make([]float64, 0, p*p) // row k = sum_j low[k*p+j] q_j
	rhs := make([]float64, 0, p)
	order := make(map[int]int, 2*p) // the touched part of a permutation of the rows
	at := func(i int) int {
		if j, ok := order[i]; ok {
			return j
		}
		return i
	}
	for k := 0; k < g.n && len(rhs) < p; k++ {
		j := k + draw.IntN(g.n-k)
		i := at(j)
		order[j] = at(k)
		if g.weight(i) == 0 {
			continue
		}
		v := append([]float64(nil), g.row(i)...)
		length := norm(v)
		coefficients := make([]float64, p)
		for range 2 {
			for m := range rhs {
				b := q[m*p : (m+1)*p]
				c := dot(b, v)
				coefficients[m] += c
				axpy(-c, b, v)
			}
		}
		rest := norm(v)
		if rest <= 1e-7*length {
			continue
		}
		for m := range v {
			v[m] /= rest
		}
		coefficients[len(rhs)] = rest
		q = append(q, v...)
		low = append(low, coefficients...)
		rhs = append(rhs, g.y[i])
	}
	if len(rhs) < p {
		return nil, false
	}
	beta := make([]float64, p)
	for k := range p {
		t := rhs[k]
		for m := range k {
			t -= low[k*p+m] * rhs[m]
		}
		rhs[k] = t / low[k*p+k]
		axpy(rhs[k], q[k*p:(k+1)*p], beta)
	}
	for _, b := range beta {
		if math.IsNaN(b) || math.IsInf(b, 0) {
			return nil, false
		}
	}
	return beta, true
}

// concentrate improves a candidate by a few steps; its value is exact only if it is
// below worst.
func (g *design) concentrate(ctx context.Context, rule criterion, beta []float64, worst float64) (candidate, error) {
	r, w := make([]float64, g.n), make([]float64, g.n)
	scale := 0.0
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
	var ends []candidate
	r, w := make([]float64, g.n), make([]float64, g.n)
	for _, c := range list {
		if err := g.measure(ctx, c.beta, r); err != nil {
			return nil, err
		}
		c.scale = rule.scale(g, r, c.scale)
		for range 500 {
			if c.scale == 0 {
				break
			}
			rule.weigh(g, r, c.scale, w)
			next, err := g.solve(ctx, c.beta, w)
			if err != nil {
				return nil, err
			}
			if err := g.measure(ctx, next, r); err != nil {
				return nil, err
			}
			scale := rule.scale(g, r, c.scale)
			if scale > c.scale*(1+1e-12) { // rounding: the step should never widen it
				break
			}
			before := c
			c.beta, c.scale = next, scale
			if c.near(before, tol) {
				break
			}
		}
		c.value = c.scale
		if !slices.ContainsFunc(ends, func(e candidate) bool { return c.near(e, 10*tol) }) {
			ends = append(ends, c)
		}
	}
	slices.SortStableFunc(ends, func(a, b candidate) int { return cmp.Compare(a.value, b.value) })
	return ends, nil
}
