package cluster

import (
	"context"
	"math"
	"slices"
	"sort"

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
