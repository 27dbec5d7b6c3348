package cluster

import (
	"context"
	"math"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linalg/fastblas"
)

// points are rows in memory, less the origin, for methods that compare all pairs.
type points struct {
	n, d    int
	x       []float64 // n x d
	norms   []float64 // squared
	weights []float64 // nil: one each
}

func (t *table) points(ctx context.Context, rows []int) (*points, error) {
	x, err := t.pick(ctx, rows)
	if err != nil {
		return nil, err
	}
	p := &points{n: len(rows), d: t.d, x: x, norms: squaredLengths(x, t.d)}
	if t.weights != nil {
		for _, i := range rows {
			p.weights = append(p.weights, t.weights[i])
		}
	}
	return p, nil
}

func (p *points) row(i int) []float64 { return p.x[i*p.d : (i+1)*p.d] }

func (p *points) weight(i int) float64 {
	if p.weights == nil {
		return 1
	}
	return p.weights[i]
}

// size is the number of rows, repeated as often as whole weights say.
func (p *points) size() float64 {
	if p.weights == nil {
		return float64(p.n)
	}
	total := 0.0
	for _, w := range p.weights {
		total += w
	}
	return math.Max(total, float64(p.n))
}

// sample returns the points or, where there are more than so many, rows from
// equal parts of the weight, a heavy row as often as its weight says.
func (p *points) sample(most int) *points {
	if p.size() <= float64(most) {
		return p
	}
	t := table{n: p.n, d: p.d, weights: p.weights, counted: p.n, total: float64(p.n)}
	if p.weights != nil {
		t.total = 0
		for _, w := range p.weights {
			t.total += w
		}
	}
	s := &points{n: most, d: p.d}
	for _, i := range t.spaced(most) {
		s.x = append(s.x, p.row(i)...)
	}
	s.norms = squaredLengths(s.x, s.d)
	return s
}

// side is the number of rows and columns of a tile of the matrix of distances.
const side = 128

// tile writes the squared distances of rows i0 to i1-1 from rows j0 to j1-1 into out,
// which has j1-j0 columns. Rows that nearly coincide are measured directly.
func (p *points) tile(i0, i1, j0, j1 int, out []float64) {
	m := j1 - j0
	fastblas.Gemm(1, false, true, i1-i0, m, p.d, -2, p.x[i0*p.d:], p.d, p.x[j0*p.d:], p.d, 0, out, m)
	for i := i0; i < i1; i++ {
		norm, line := p.norms[i], out[(i-i0)*m:(i-i0+1)*m]
		for c, v := range line {
			whole := norm + p.norms[j0+c]
			if v += whole; v < 1e-6*whole {
				v = linalg.SquaredDistance(p.row(i), p.row(j0+c))
			}
			line[c] = v
		}
	}
}

// strips calls visit for every strip of rows i0 to i1-1, on all cores, with room for one
// tile.
func (p *points) strips(ctx context.Context, visit func(i0, i1 int, tile []float64)) error {
	count := (p.n + side - 1) / side
	linalg.Parallel(count, func(b int) {
		if ctx.Err() == nil {
			visit(b*side, min((b+1)*side, p.n), make([]float64, side*side))
		}
	})
	return ctx.Err()
}

// exactPairs is the number of rows up to which the two rows furthest apart are sought
// among all pairs.
const exactPairs = 5000

// farthest is the start of the PCA-GM paper: the two rows furthest apart, then always the
// row with the largest sum of distances from those chosen before. Beyond exactPairs rows
// the first two are found by going to the row furthest from the one at hand, beginning at
// the origin, until the distance stops growing.
func (t *table) farthest(ctx context.Context, k int) ([]int, error) {
	rows, err := t.farPair(ctx)
	if err != nil {
		return nil, err
	}
	rows = rows[:min(k, len(rows))]
	chosen := map[int]bool{}
	sums, reach := make([]float64, t.n), make([]float64, t.n)
	for c := 0; ; c++ {
		chosen[rows[c]] = true
		point, err := t.pick(ctx, rows[c:c+1])
		if err != nil {
			return nil, err
		}
		if err := t.distances(ctx, point, reach); err != nil {
			return nil, err
		}
		for i, s := range reach {
			sums[i] += math.Sqrt(s)
		}
		if c+1 < len(rows) {
			continue
		}
		if len(rows) == k {
			return rows, nil
		}
		far := -1
		for i, s := range sums {
			if !chosen[i] && t.weight(i) > 0 && (far < 0 || s > sums[far]) {
				far = i
			}
		}
		rows = append(rows, far)
	}
}

// farPair finds two rows that are far apart: a single row when there is but one.
func (t *table) farPair(ctx context.Context) ([]int, error) {
	counted := t.countedRows()
	if len(counted) == 1 {
		return counted, nil
	}
	if len(counted) <= exactPairs {
		p, err := t.points(ctx, counted)
		if err != nil {
			return nil, err
		}
		a, b, err := p.farPair(ctx)
		if err != nil {
			return nil, err
		}
		return []int{counted[a], counted[b]}, nil
	}
	at, far := 0, counted[0]
	for i, s := range t.norms {
		if t.weight(i) > 0 && s > t.norms[far] {
			far = i
		}
	}
	reach, best := make([]float64, t.n), -1.0
	for {
		point, err := t.pick(ctx, []int{far})
		if err != nil {
			return nil, err
		}
		if err := t.distances(ctx, point, reach); err != nil {
			return nil, err
		}
		next := -1
		for _, i := range counted {
			if i != far && (next < 0 || reach[i] > reach[next]) {
				next = i
			}
		}
		if reach[next] <= best {
			return []int{at, far}, nil
		}
		at, far, best = far, next, reach[next]
	}
}

// farPair compares all pairs; among equals the first pair in order of rows counts.
func (p *points) farPair(ctx context.Context) (a, b int, err error) {
	type couple struct {
		s    float64
		a, b int
	}
	best := make([]couple, (p.n+side-1)/side)
	err = p.strips(ctx, func(i0, i1 int, tile []float64) {
		top := couple{s: -1}
		for j0 := i0; j0 < p.n; j0 += side {
			j1 := min(j0+side, p.n)
			p.tile(i0, i1, j0, j1, tile)
			for i := i0; i < i1; i++ {
				for j := max(j0, i+1); j < j1; j++ {
					s := tile[(i-i0)*(j1-j0)+j-j0]
					if s > top.s || s == top.s && (i < top.a || i == top.a && j < top.b) {
						top = couple{s, i, j}
					}
				}
			}
		}
		best[i0/side] = top
	})
	top := couple{s: -1}
	for _, c := range best {
		if c.s > top.s {
			top = c
		}
	}
	return top.a, top.b, err
}
