package cluster

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/internal/univariate"
)

// Start names where k-means starts.
type Start string

// The starts; see the package comment.
const (
	StartAuto         Start = "auto"
	StartPlusPlus     Start = "kmeans++"
	StartRandom       Start = "random"
	StartFarthest     Start = "farthest"
	StartDensityPeaks Start = "density-peaks"
)

// starts lists the starts.
var starts = []Start{StartAuto, StartPlusPlus, StartRandom, StartFarthest, StartDensityPeaks}

// drawn tells whether a start is random, so that repeating it makes sense.
func (i Start) drawn() bool { return i == StartPlusPlus || i == StartRandom }

// starting returns the centers of a start. The random starts depend on the seed and on the
// number of the start alone. A robust fit gets a kmeans++ that outliers do not rule.
func (t *table) starting(ctx context.Context, init Start, k KMeans, number int) ([]float64, error) {
	r := random.New(k.Seed, fmt.Sprintf("cluster start %d", number))
	var rows []int
	var err error
	switch init {
	case StartRandom:
		rows, err = t.different(ctx, r, k.Clusters)
	case StartFarthest:
		rows, err = t.farthest(ctx, k.Clusters)
	case StartDensityPeaks:
		rows, err = t.peakRows(ctx, k.Clusters, k.Seed)
	default:
		rows, err = t.plusPlus(ctx, k.Clusters, r, k.caution(number))
	}
	if err != nil {
		return nil, err
	}
	return t.pick(ctx, rows)
}

// drawer draws rows with probabilities proportional to their weight times a part of it. A
// table with rows repeated makes the same draws as one with whole weights.
type drawer struct {
	t          *table
	r          *rand.Rand
	cumulative []float64
}

func (t *table) drawer(r *rand.Rand) *drawer {
	return &drawer{t: t, r: r, cumulative: make([]float64, t.n)}
}

// prepare says which part of its weight a row has; false when none has any.
func (d *drawer) prepare(part func(i int) float64) bool {
	sum := 0.0
	for i := range d.cumulative {
		if w := d.t.weight(i); w > 0 {
			sum += w * part(i)
		}
		d.cumulative[i] = sum
	}
	return sum > 0
}

func (d *drawer) draw() int {
	n := d.t.n
	u := d.r.Float64() * d.cumulative[n-1]
	if at := sort.Search(n, func(i int) bool { return d.cumulative[i] > u }); at < n {
		return at
	}
	return sort.SearchFloat64s(d.cumulative, d.cumulative[n-1]) // rounding
}

func even(int) float64 { return 1 }

// different draws k rows evenly, of different places as long as there are some.
func (t *table) different(ctx context.Context, r *rand.Rand, k int) ([]int, error) {
	d := t.drawer(r)
	d.prepare(even)
	var rows []int
	var centers []float64
	for vain := 0; len(rows) < k; {
		i := d.draw()
		x, err := t.pick(ctx, []int{i})
		if err != nil {
			return nil, err
		}
		if vain < 100 && slices.ContainsFunc(rows, func(j int) bool { return t.norms[i] == t.norms[j] }) && holds(centers, x) {
			vain++
			continue
		}
		rows, centers, vain = append(rows, i), append(centers, x...), 0
	}
	return rows, nil
}

// holds tells whether one of the rows is x.
func holds(rows, x []float64) bool {
	for a := 0; a < len(rows); a += len(x) {
		if slices.Equal(rows[a:a+len(x)], x) {
			return true
		}
	}
	return false
}

// countedRows lists the rows with weight.
func (t *table) countedRows() []int {
	out := make([]int, 0, t.counted)
	for i := range t.n {
		if t.weight(i) > 0 {
			out = append(out, i)
		}
	}
	return out
}

// caution is how much a start distrusts far rows.
type caution struct {
	share float64 // of the weight, the furthest, that counts as far; 0: none
	cap   bool    // far rows are drawn like the nearest of them; otherwise not at all
}

// caution of the starts of a robust fit: how many rows are outliers, and whether far rows
// are, is not known (a small cluster is far as well), so the starts try one guess after
// another.
func (k KMeans) caution(number int) caution {
	switch {
	case !k.robust():
		return caution{}
	case k.Trim > 0:
		return []caution{{share: k.Trim}, {share: k.Trim, cap: true}, {share: k.Trim / 2}}[number%3]
	}
	return []caution{{share: 0.1}, {share: 0.25, cap: true}, {share: 0.2}, {share: 0.3}}[number%4]
}

// plusPlus draws the first center evenly and each further one with a probability that is
// proportional to the squared distance from the nearest center before (Arthur and
// Vassilvitskii 2007), as the best of a few candidates. Squared distances would choose
// outliers, and comparing candidates would make sure of it: with caution far rows are
// held back and there is one candidate.
func (t *table) plusPlus(ctx context.Context, k int, r *rand.Rand, care caution) ([]int, error) {
	d := t.drawer(r)
	trials := 2 + int(math.Log(float64(k)))
	if care.share > 0 {
		trials = 1
	}
	d.prepare(even)
	rows := []int{d.draw()}
	least := make([]float64, t.n) // squared distance from the nearest center so far
	reach := make([]float64, t.n*trials)
	first, err := t.pick(ctx, rows)
	if err != nil {
		return nil, err
	}
	if err := t.distances(ctx, first, least); err != nil {
		return nil, err
	}
	candidates := make([]int, trials)
	for len(rows) < k {
		part := func(i int) float64 { return least[i] }
		if care.share > 0 {
			limit := t.quantile(least, 1-care.share)
			part = func(i int) float64 {
				switch {
				case least[i] <= limit:
					return least[i]
				case care.cap:
					return limit
				}
				return 0
			}
		}
		if !d.prepare(part) { // all rows lie at centers, or all that do not are far
			if care.share == 0 || !d.prepare(func(i int) float64 { return math.Min(least[i], t.typical) }) {
				d.prepare(even)
			}
		}
		for c := range candidates {
			candidates[c] = d.draw()
		}
		points, err := t.pick(ctx, candidates)
		if err != nil {
			return nil, err
		}
		if err := t.distances(ctx, points, reach); err != nil {
			return nil, err
		}
		best := t.bestCandidate(least, reach, trials)
		for i := range least {
			least[i] = min(least[i], reach[i*trials+best])
		}
		rows = append(rows, candidates[best])
	}
	return rows, nil
}

// quantile of values of the rows, counted by weight; from a sample of many rows.
func (t *table) quantile(values []float64, share float64) float64 {
	rows := t.spaced(5001)
	x := make([]float64, len(rows))
	for a, i := range rows {
		x[a] = values[i]
	}
	return univariate.Select(x, min(len(x)-1, int(share*float64(len(x)))))
}

// bestCandidate is the one that leaves the smallest sum of squared distances.
func (t *table) bestCandidate(least, reach []float64, trials int) int {
	if trials == 1 {
		return 0
	}
	sums := make([]float64, trials)
	for i, v := range least {
		w := t.weight(i)
		if w == 0 {
			continue
		}
		for c, s := range reach[i*trials : (i+1)*trials] {
			sums[c] += w * min(v, s)
		}
	}
	best := 0
	for c, s := range sums {
		if s < sums[best] {
			best = c
		}
	}
	return best
}

// samplePoints are the rows with weight or, beyond most of them, a random sample in which
// heavy rows come as often as their weight says.
func (t *table) samplePoints(ctx context.Context, seed uint64, most int) (*points, []int, error) {
	if t.size() <= float64(most) {
		rows := t.countedRows()
		p, err := t.points(ctx, rows)
		return p, rows, err
	}
	rows := t.at(most, random.New(seed, "cluster sample").Float64)
	p, err := t.points(ctx, rows)
	if err != nil {
		return nil, nil, err
	}
	p.weights = nil
	return p, rows, nil
}

// peakRows are the rows with the largest product of density and distance in the decision
// graph, among all rows or, beyond sampleRows, a random sample of them.
func (t *table) peakRows(ctx context.Context, k int, seed uint64) ([]int, error) {
	p, rows, err := t.samplePoints(ctx, seed, max(sampleRows, k))
	if err != nil {
		return nil, err
	}
	g, err := p.graph(ctx, Density{})
	if err != nil {
		return nil, err
	}
	out := make([]int, k)
	ranked := g.ranking()
	for c := range out {
		out[c] = rows[ranked[min(c, len(ranked)-1)]] // fewer rows than whole weights say
	}
	return out, nil
}
