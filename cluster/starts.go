package cluster

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sort"

	"github.com/inlier-ml/inlier/internal/random"
)

// Init names where k-means starts.
type Init string

// The starts; see the package comment.
const (
	InitAuto         Init = "auto"
	InitPlusPlus     Init = "kmeans++"
	InitRandom       Init = "random"
	InitFarthest     Init = "farthest"
	InitDensityPeaks Init = "density-peaks"
)

// Inits lists the starts.
var Inits = []Init{InitAuto, InitPlusPlus, InitRandom, InitFarthest, InitDensityPeaks}

// drawn tells whether a start is random, so that repeating it makes sense.
func (i Init) drawn() bool { return i == InitPlusPlus || i == InitRandom }

// starting returns k centers. The random starts depend on the seed and on the number of
// the start alone. A robust fit gets a kmeans++ that outliers do not rule.
func (t *table) starting(ctx context.Context, init Init, k int, seed uint64, number int, robust bool) ([]float64, error) {
	r := random.New(seed, fmt.Sprintf("cluster start %d", number))
	var rows []int
	var err error
	switch init {
	case InitRandom:
		rows = t.evenly(r, k)
	case InitFarthest:
		rows, err = t.farthest(ctx, k)
	case InitDensityPeaks:
		rows, err = t.peakRows(ctx, k, seed)
	default:
		rows, err = t.plusPlus(ctx, k, r, robust)
	}
	if err != nil {
		return nil, err
	}
	return t.pick(ctx, rows)
}

// evenly draws k different rows with weight.
func (t *table) evenly(r *rand.Rand, k int) []int {
	counted := t.countedRows()
	for a := range k {
		b := a + r.IntN(len(counted)-a)
		counted[a], counted[b] = counted[b], counted[a]
	}
	return counted[:k]
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

// plusPlus draws the first center evenly and each further one with a probability that is
// proportional to the squared distance from the nearest center before (Arthur and
// Vassilvitskii 2007), as the best of a few candidates. For a robust fit every other
// center on average is drawn evenly and there is one candidate: squared distances would
// choose outliers, and comparing candidates would make sure of it.
func (t *table) plusPlus(ctx context.Context, k int, r *rand.Rand, robust bool) ([]int, error) {
	cumulative := make([]float64, t.n)
	draw := func(part func(i int) float64) int {
		sum := 0.0
		for i := range cumulative {
			sum += t.weight(i) * part(i)
			cumulative[i] = sum
		}
		if !(sum > 0) {
			return -1
		}
		u := r.Float64() * sum
		return min(sort.Search(t.n, func(i int) bool { return cumulative[i] > u }), t.n-1)
	}
	even := func(int) float64 { return 1 }
	trials := 2 + int(math.Log(float64(k)))
	if robust {
		trials = 1
	}
	rows := []int{draw(even)}
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
		if robust && r.IntN(2) == 0 {
			part = even
		}
		for c := range candidates {
			if candidates[c] = draw(part); candidates[c] < 0 { // all rows lie at centers
				candidates[c] = draw(even)
			}
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
			least[i] = math.Min(least[i], reach[i*trials+best])
		}
		rows = append(rows, candidates[best])
	}
	return rows, nil
}

// bestCandidate is the one that leaves the smallest sum of squared distances.
func (t *table) bestCandidate(least, reach []float64, trials int) int {
	if trials == 1 {
		return 0
	}
	sums := make([]float64, trials)
	for i, v := range least {
		w := t.weight(i)
		for c, s := range reach[i*trials : (i+1)*trials] {
			sums[c] += w * math.Min(v, s)
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

// peakRows are the rows with the largest product of density and distance in the decision
// graph, among all rows or, beyond sampleRows, a random sample of them.
func (t *table) peakRows(ctx context.Context, k int, seed uint64) ([]int, error) {
	rows := t.countedRows()
	if len(rows) > max(sampleRows, k) {
		rows = t.evenly(random.New(seed, "cluster sample"), max(sampleRows, k))
		sort.Ints(rows)
	}
	p, err := t.points(ctx, rows)
	if err != nil {
		return nil, err
	}
	g, err := p.graph(ctx, Density{})
	if err != nil {
		return nil, err
	}
	out := make([]int, k)
	for c, i := range g.ranking()[:k] {
		out[c] = rows[i]
	}
	return out, nil
}
