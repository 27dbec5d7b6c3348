package linear

import (
	"context"
	"fmt"

	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
)

const (
	// concentrations is the number of steps each random candidate gets.
	concentrations = 2
	// chunk is the number of candidates that share a random stream and a short list.
	chunk = 20
	// groups is the number of samples on which candidates are drawn, where rows are many
	// enough: a single one may by chance hold more outliers than can be withstood.
	groups = 5
	// shortList is how many candidates go on from all rows, groupList from each group.
	shortList, groupList = 12, 4
	// finalists is how many different ends are followed on all rows.
	finalists = 2
	// middleRows is the size of the sample on which ends of different groups compete.
	middleRows = 5000
)

// startRows is the size of the samples on which candidates are drawn.
func startRows(p int) int { return max(400, 20*p) }

// samples is the number of candidates drawn by default. In many columns no draw is without outliers, and each takes p^3.
func samples(p int) int { return min(max(500, 25*p), max(100, 200_000_000/p/p/p)) }

// start finds coefficients that up to half of the rows cannot spoil and the scale of
// their residuals. Random subsets of p independent rows give candidates (Rousseeuw 1984);
// each gets a few concentration steps and the best are followed to their ends; where rows
// are many, all this happens in groups of rows, and the ends compete on a larger sample
// before the best go on to all rows (Salibian-Barrera and Yohai 2006; Rousseeuw and Van
// Driessen 2006).
func (g *design) start(ctx context.Context, o Robust) (candidate, error) {
	var rule criterion = sCriterion{}
	if o.Start == StartLTS {
		rule = ltsCriterion{}
	}
	draw := random.New(o.Seed, "linear rows")
	small, middle, keep := []*design{g}, g, shortList
	units := univariate.NewRows(g.n, g.prior)
	if rows := startRows(g.p); units.Units() > 2*rows {
		small, keep = nil, groupList
		for range groups {
			small = append(small, g.subset(units.Draw(rows, draw)))
		}
	}
	if g.many() {
		middle = g.subset(units.Draw(middleRows, draw))
	}
	count := o.Samples
	if count == 0 {
		count = samples(g.p)
	}
	keep = min(keep, max(groupList, count/40)) // the best of few draws are soon found
	pool, err := draws(ctx, small, rule, count, keep, o.Seed)
	if err != nil {
		return candidate{}, err
	}
	known, err := middle.drawless(ctx)
	if err != nil {
		return candidate{}, err
	}
	var list []candidate
	if len(small) == 1 {
		list, err = g.refine(ctx, rule, append(pool[0], known...), 1e-4)
	} else {
		list, err = middle.contest(ctx, rule, small, pool, known)
	}
	if err != nil {
		return candidate{}, err
	}
	if g.many() {
		if list, err = middle.refine(ctx, rule, list, 1e-4); err != nil {
			return candidate{}, err
		}
	}
	list = list[:min(len(list), finalists)]
	if len(small) > 1 {
		for k := range list {
			if list[k], err = g.seeRare(ctx, list[k]); err != nil {
				return candidate{}, err
			}
		}
	}
	if list, err = g.refine(ctx, rule, list, g.startTol()); err != nil {
		return candidate{}, err
	}
	best := list[0]
	if err := g.measure(ctx, best.beta, nil); err != nil {
		return best, err
	}
	best.scale = mScale(g.r, g.prior, g.total-float64(g.p), best.scale)
	return best, nil
}

// contest follows the candidates of each group to their ends there and returns the best of
// all after a few steps on this design, those that are known without draws among them.
func (g *design) contest(ctx context.Context, rule criterion, small []*design, pool [][]candidate, known []candidate) ([]candidate, error) {
	type entry struct{ group, place int }
	var entries []entry
	for k, list := range pool {
		for place := range list {
			entries = append(entries, entry{k, place})
		}
	}
	const tol = 1e-3
	failures := make([]error, len(entries))
	linalg.Parallel(len(entries), func(i int) {
		e := entries[i]
		pool[e.group][e.place], failures[i] = small[e.group].copy().follow(ctx, rule, pool[e.group][e.place], tol)
	})
	for _, err := range failures {
		if err != nil {
			return nil, err
		}
	}
	all := known
	for _, list := range pool {
		list = different(list, tol)
		all = append(all, list[:min(len(list), finalists)]...)
	}
	r, w := make([]float64, g.n), make([]float64, g.n)
	var best []candidate
	for _, c := range all {
		next, err := g.concentrate(ctx, rule, c, worstOf(best, finalists), r, w)
		if err != nil {
			return nil, err
		}
		best = insert(best, next, finalists)
	}
	return best, nil
}

// startTol is how exactly the start is found. Where rows are many, a few steps from the
// fit of a sample leave an error far below the standard error, and the scale, which is at
// its minimum there, is exact to the square of that.
func (g *design) startTol() float64 {
	if g.many() {
		return 1e-4
	}
	return 1e-10
}

// many tells whether rows are so many that the start is searched on samples.
func (g *design) many() bool { return g.total > 2*middleRows }

// subset is the regression on some of the rows, each as often as it is listed, with its own
// memory.
func (g *design) subset(rows []int) *design {
	s := *g
	s.scratch = scratch{}
	s.n = len(rows)
	s.rows = make([]float64, 0, s.n*s.stride)
	s.y = make([]float64, 0, s.n)
	s.r = make([]float64, s.n)
	s.prior, s.total = nil, float64(s.n)
	for _, i := range rows {
		s.rows = append(s.rows, g.rows[i*g.stride:(i+1)*g.stride]...)
		s.y = append(s.y, g.y[i])
	}
	s.lambda *= s.total / g.total
	return &s
}

// copy is a design with residuals of its own.
func (g *design) copy() *design {
	c := *g
	c.rows = append([]float64(nil), g.rows...)
	c.r = append([]float64(nil), g.r...)
	c.scratch = scratch{}
	return &c
}

// draws makes candidates from random subsets, chunks of them on each design in turn, and
// returns for every design the best few.
func draws(ctx context.Context, on []*design, rule criterion, count, keep int, seed uint64) ([][]candidate, error) {
	chunks := (count + chunk - 1) / chunk
	lists := make([][]candidate, chunks)
	failures := make([]error, chunks)
	linalg.Parallel(chunks, func(k int) {
		if ctx.Err() != nil {
			return
		}
		own := on[k%len(on)].copy()
		subsets := newElemental(own)
		r, w := make([]float64, own.n), make([]float64, own.n)
		draw := random.New(seed, fmt.Sprintf("linear subsets %d", k))
		for range min(chunk, count-k*chunk) {
			beta, ok := subsets.fit(draw)
			if !ok {
				continue
			}
			c, err := own.concentrate(ctx, rule, candidate{beta: beta}, worstOf(lists[k], keep), r, w)
			if err != nil {
				failures[k] = err
				return
			}
			lists[k] = insert(lists[k], c, keep)
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	best := make([][]candidate, len(on))
	for k := range lists {
		if failures[k] != nil {
			return nil, failures[k]
		}
		for _, c := range lists[k] {
			best[k%len(on)] = insert(best[k%len(on)], c, keep)
		}
	}
	return best, nil
}

// drawless are the candidates that need no luck: least squares of all rows, and of the half nearest to the columns' centres,
// where rows with far inputs have no say.
func (g *design) drawless(ctx context.Context) (list []candidate, err error) {
	size, near := make([]float64, g.n), make([]float64, g.n)
	for i := range size {
		row := g.row(i)[g.ones:]
		size[i] = dot(row, row)
	}
	middle := univariate.WeightedMedian(size, g.prior)
	for i, v := range size {
		if v <= middle {
			near[i] = 1
		}
	}
	for _, votes := range [][]float64{nil, near} {
		beta, err := g.weighted(ctx, votes)
		if err == nil {
			list = append(list, candidate{beta: beta})
		} else if votes == nil || ctx.Err() != nil { // else the half has fewer rows than columns
			return nil, err
		}
	}
	return list, nil
}

// leastSquares is the fit with the prior weights alone.
func (g *design) leastSquares(ctx context.Context) ([]float64, error) { return g.weighted(ctx, nil) }

// weighted is least squares with votes beside the prior weights; nil: one each.
func (g *design) weighted(ctx context.Context, votes []float64) ([]float64, error) {
	w := make([]float64, g.n)
	for i := range w {
		if w[i] = g.weight(i); votes != nil {
			w[i] *= votes[i]
		}
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
