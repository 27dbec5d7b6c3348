package cluster

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
)

const (
	// sampleRows bounds the sample that stands for all rows where a decision graph only
	// helps: for the starts of k-means, a suggested number of clusters, the distance dc.
	sampleRows = 2000
	// MostPeakRows is the largest table that DensityPeaks takes: all pairs are compared.
	MostPeakRows = 30000
)

// Density says how densities are measured. The zero value is the default.
type Density struct {
	// CutOff counts the rows within distance Reach, as in the first form of the paper;
	// otherwise each row counts exp(-(distance/Reach)^2).
	CutOff bool
	// Reach is the distance dc. Zero: the Percent quantile of all distances.
	Reach float64
	// Percent of the pairs that are closer than an automatic Reach. Zero: 2.
	Percent float64
}

// Graph is the decision graph: centers stand out by a high density and a large distance
// from every row of higher density.
type Graph struct {
	Density  []float64 // rho: how many rows are near
	Distance []float64 // delta: how far the nearest row of higher density is; for the densest row, the furthest row
	Higher   []int     // that row; -1 for the densest
	Reach    float64   // dc
	order    []int     // rows by falling density
	total    float64   // number of rows, repeated as often as whole weights say
}

// graph computes densities and distances. Of rows with equal density the one that comes
// first counts as denser.
func (p *points) graph(ctx context.Context, how Density) (*Graph, error) {
	g := &Graph{Density: make([]float64, p.n), Distance: make([]float64, p.n), Higher: make([]int, p.n), Reach: how.Reach, total: p.size()}
	if g.Reach == 0 {
		percent := how.Percent
		if percent == 0 {
			percent = 2
		}
		var err error
		if g.Reach, err = p.reach(ctx, percent); err != nil {
			return nil, err
		}
	}
	if err := p.densities(ctx, g, how.CutOff); err != nil {
		return nil, err
	}
	g.order = make([]int, p.n)
	for i := range g.order {
		g.order[i] = i
	}
	slices.SortStableFunc(g.order, g.denser)
	return g, p.separations(ctx, g)
}

// denser orders rows by falling density.
func (g *Graph) denser(a, b int) int {
	switch {
	case g.Density[a] > g.Density[b]:
		return -1
	case g.Density[a] < g.Density[b]:
		return 1
	}
	return a - b
}

// reach is the given percentile of the distances between (a sample of) the rows, so that a
// row has that share of all rows as neighbours on average. Where that many rows coincide
// it is the smallest distance above 0; where all do, 1.
func (p *points) reach(ctx context.Context, percent float64) (float64, error) {
	s := p.sample(sampleRows)
	if s.weights == nil {
		at, least, err := s.within(ctx, percent)
		switch {
		case err != nil:
			return 0, err
		case at > 0:
			return math.Sqrt(at), nil
		case math.IsInf(least, 1):
			return 1, nil
		}
		return math.Sqrt(least), nil
	}
	pairs := make([][]pair, (s.n+side-1)/side)
	err := s.strips(ctx, func(i0, i1 int, tile []float64) {
		for j0 := i0; j0 < s.n; j0 += side {
			j1 := min(j0+side, s.n)
			s.tile(i0, i1, j0, j1, tile)
			for i := i0; i < i1; i++ {
				for j := max(j0, i+1); j < j1; j++ {
					pairs[i0/side] = append(pairs[i0/side], pair{tile[(i-i0)*(j1-j0)+j-j0], s.weight(i) * s.weight(j)})
				}
			}
		}
		for i := i0; i < i1; i++ { // a repeated row and its copies
			if w := s.weight(i); w > 1 {
				pairs[i0/side] = append(pairs[i0/side], pair{0, w * (w - 1) / 2})
			}
		}
	})
	if err != nil {
		return 0, err
	}
	all := slices.Concat(pairs...)
	if len(all) == 0 {
		return 1, nil
	}
	if s := percentile(all, percent); s > 0 {
		return math.Sqrt(s), nil
	}
	least := math.Inf(1)
	for _, p := range all {
		if p.squared > 0 {
			least = math.Min(least, p.squared)
		}
	}
	if math.IsInf(least, 1) {
		return 1, nil
	}
	return math.Sqrt(least), nil
}

// fewPoints is the number of rows all of whose distances are held at once.
const fewPoints = 512

// within is the percentile of the squared distances of rows that count alike, and the smallest above 0, +Inf where there is
// none. Only those are held that a part of the rows says may be it.
func (p *points) within(ctx context.Context, percent float64) (at, least float64, err error) {
	total := p.n * (p.n - 1) / 2
	if total == 0 {
		return 0, math.Inf(1), ctx.Err()
	}
	place := min(max(int(math.Round(percent/100*float64(total))), 1), total) // from 1
	most := math.Inf(1)
	if p.n > fewPoints && 3*percent < 100 {
		part := &points{d: p.d}
		for i := 0; i < p.n; i += 8 {
			part.x, part.norms, part.n = append(part.x, p.row(i)...), append(part.norms, p.norms[i]), part.n+1
		}
		if most, _, err = part.within(ctx, 3*percent); err != nil {
			return 0, 0, err
		}
	}
	for {
		near, smallest := make([][]float64, (p.n+side-1)/side), make([]float64, (p.n+side-1)/side)
		err := p.strips(ctx, func(i0, i1 int, tile []float64) {
			own, small := []float64(nil), math.Inf(1)
			for j0 := i0; j0 < p.n; j0 += side {
				j1 := min(j0+side, p.n)
				p.tile(i0, i1, j0, j1, tile)
				for i := i0; i < i1; i++ {
					for j := max(j0, i+1); j < j1; j++ {
						s := tile[(i-i0)*(j1-j0)+j-j0]
						if s <= most {
							own = append(own, s)
						}
						if s > 0 && s < small {
							small = s
						}
					}
				}
			}
			near[i0/side], smallest[i0/side] = own, small
		})
		if err != nil {
			return 0, 0, err
		}
		if all := slices.Concat(near...); len(all) >= place {
			return univariate.Select(all, place-1), slices.Min(smallest), nil
		}
		most = math.Inf(1)
	}
}

// pair is the squared distance of two rows and how many pairs of rows it stands for.
type pair struct{ squared, weight float64 }

// percentile of the squared distances of pairs. The slice is reordered.
func percentile(all []pair, percent float64) float64 {
	total, equal := 0.0, true
	for _, p := range all {
		total += p.weight
		equal = equal && p.weight == 1
	}
	place := math.Min(math.Max(math.Round(percent/100*total), 1), total) // from 1
	if equal {
		squared := make([]float64, len(all))
		for a, p := range all {
			squared[a] = p.squared
		}
		return univariate.Select(squared, int(place)-1)
	}
	slices.SortFunc(all, func(a, b pair) int { return cmp.Compare(a.squared, b.squared) })
	sum := 0.0
	for _, p := range all {
		if sum += p.weight; sum >= place*(1-1e-12) {
			return p.squared
		}
	}
	return all[len(all)-1].squared
}

// densities fills in rho; a row is no neighbour of its own, but its copies are where its
// weight says that there are some.
func (p *points) densities(ctx context.Context, g *Graph, cutOff bool) error {
	square := g.Reach * g.Reach
	return p.strips(ctx, func(i0, i1 int, tile []float64) {
		for j0 := 0; j0 < p.n; j0 += side {
			j1 := min(j0+side, p.n)
			m := j1 - j0
			p.tile(i0, i1, j0, j1, tile)
			near := tile[:(i1-i0)*m]
			if cutOff {
				for c, s := range near {
					near[c] = 0
					// On the edge rounding must not decide.
					if math.Abs(s-square) < 1e-9*square {
						s = linalg.SquaredDistance(p.row(i0+c/m), p.row(j0+c%m))
					}
					if s < square {
						near[c] = 1
					}
				}
			} else {
				for c, s := range near {
					near[c] = -s / square
				}
				linalg.Exp(near, near)
			}
			for i := i0; i < i1; i++ {
				line := near[(i-i0)*m : (i-i0+1)*m]
				sum := 0.0
				for c, v := range line {
					if j0+c != i {
						sum += v * p.weight(j0+c)
					}
				}
				if j0 == 0 {
					sum += math.Max(0, p.weight(i)-1)
				}
				g.Density[i] += sum
			}
		}
	})
}

// separations fills in delta: with the rows in order of falling density, each row is
// compared with those before it.
func (p *points) separations(ctx context.Context, g *Graph) error {
	sorted := &points{n: p.n, d: p.d, x: make([]float64, len(p.x)), norms: make([]float64, p.n)}
	for a, i := range g.order {
		copy(sorted.row(a), p.row(i))
		sorted.norms[a] = p.norms[i]
	}
	furthest := make([]float64, (p.n+side-1)/side) // from the densest row
	err := sorted.strips(ctx, func(i0, i1 int, tile []float64) {
		nearest, which := make([]float64, i1-i0), make([]int, i1-i0)
		for i := range nearest {
			nearest[i], which[i] = math.Inf(1), -1
		}
		for j0 := 0; j0 < i1; j0 += side {
			j1 := min(j0+side, i1)
			sorted.tile(i0, i1, j0, j1, tile)
			for i := i0; i < i1; i++ {
				for j, s := range tile[(i-i0)*(j1-j0) : (i-i0)*(j1-j0)+max(0, min(j1, i)-j0)] {
					if s < nearest[i-i0] {
						nearest[i-i0], which[i-i0] = s, j0+j
					}
				}
				if j0 == 0 {
					furthest[i0/side] = math.Max(furthest[i0/side], linalg.SquaredDistance(sorted.row(i), sorted.row(0)))
				}
			}
		}
		for i, a := range which {
			row := g.order[i0+i]
			if a < 0 {
				g.Higher[row] = -1
				continue
			}
			g.Higher[row] = g.order[a]
			g.Distance[row] = math.Sqrt(linalg.SquaredDistance(sorted.row(i0+i), sorted.row(a)))
		}
	})
	if err != nil {
		return err
	}
	g.Distance[g.order[0]] = math.Sqrt(slices.Max(furthest))
	return nil
}

// prominence is density times distance, the paper's gamma.
func (g *Graph) prominence(i int) float64 { return g.Density[i] * g.Distance[i] }

// ranking lists the rows by falling prominence.
func (g *Graph) ranking() []int {
	out := append([]int(nil), g.order...)
	sort.SliceStable(out, func(a, b int) bool { return g.prominence(out[a]) > g.prominence(out[b]) })
	return out
}

// Suggested is the number of clusters before the widest gap in the ordered prominences:
// the k with the largest quotient of the k-th and the next. Up to the square root of the
// number of rows, and at least ten, are looked at. A row without neighbours ends the search.
func (g *Graph) Suggested() int {
	ranked := g.ranking()
	total := max(g.total, float64(len(ranked)))
	most := min(int(total)-1, max(10, int(math.Sqrt(total))))
	best, widest := 1, 0.0
	for k := 1; k <= most && k <= len(ranked); k++ {
		before, after := g.prominence(ranked[k-1]), 0.0
		if !(before > 0) {
			break
		}
		if k < len(ranked) { // otherwise a copy comes next, at no distance from its row
			if after = g.prominence(ranked[k]); g.Density[ranked[k]] == 0 {
				break
			}
		}
		gap := math.Inf(1)
		if after > 0 {
			gap = before / after
		}
		if gap > widest {
			best, widest = k, gap
		}
	}
	return best
}

// Peaks are the k rows of highest prominence, in that order.
func (g *Graph) Peaks(k int) []int { return g.ranking()[:k] }

// assign gives each row the label of the nearest row of higher density, beginning at the
// peaks, which are labelled in their order.
func (g *Graph) assign(peaks []int) []int {
	labels := make([]int, len(g.order))
	for i := range labels {
		labels[i] = -1
	}
	for c, i := range peaks {
		labels[i] = c
	}
	for _, i := range g.order { // the densest row is the first peak: nothing is more prominent
		if labels[i] < 0 {
			labels[i] = labels[g.Higher[i]]
		}
	}
	return labels
}
