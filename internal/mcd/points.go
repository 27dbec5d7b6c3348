package mcd

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg/fastblas"
)

const (
	// keptRows is up to how many points are laid out for the matrix kernel once and for all.
	keptRows = 20000
	// slabRows is how many are laid out at a time where there are more.
	slabRows = 4096
)

// Points are rows with weights.
type Points struct {
	n, k  int
	x     *mat.Dense
	w     []float64
	ridge float64

	origin []float64 // in the middle of some of the points: sums about it lose no digits
	wide   int       // at least k + 1, a number of columns that suits the matrix kernel
	z      []float64 // n x wide: 1, the coordinates less the origin, zeros; nil for many points
	total  float64
}

// New takes points and how often each counts, nil for once. ridge is added to every variance, so that
// points in a plane have a volume too, if a small one; without it their scatter is refused.
func New(x *mat.Dense, w []float64, ridge float64) *Points {
	n, k := x.Dims()
	p := &Points{n: n, k: k, x: x, w: w, ridge: ridge, wide: (k + 8) / 8 * 8, total: univariate.NewRows(n, w).Total()}
	p.origin = p.middle()
	if n <= keptRows {
		p.z = make([]float64, n*p.wide)
		p.layOut(0, n, p.z)
	}
	return p
}

// middle is the coordinatewise median of some of the points that count.
func (p *Points) middle() []float64 {
	const some = 500
	out := make([]float64, p.k)
	if !(p.total > 0) {
		return out
	}
	rows := univariate.NewRows(p.n, p.w).Spaced(min(p.n, some), univariate.Staggered())
	column := make([]float64, len(rows))
	for j := range out {
		for a, i := range rows {
			column[a] = p.x.At(i, j)
		}
		out[j] = univariate.Median(column)
	}
	return out
}

// layOut writes the rows from first to last as the matrix kernel wants them.
func (p *Points) layOut(first, last int, z []float64) {
	for i := first; i < last; i++ {
		to := z[(i-first)*p.wide : (i-first+1)*p.wide]
		to[0] = 1
		for j, v := range p.x.RawRowView(i) {
			to[1+j] = v - p.origin[j]
		}
	}
}

// slab returns the rows from first to last laid out, by help of a buffer that may be empty at first.
func (p *Points) slab(first, last int, buffer *[]float64) []float64 {
	if p.z != nil {
		return p.z[first*p.wide : last*p.wide]
	}
	if size := (last - first) * p.wide; len(*buffer) < size {
		*buffer = make([]float64, size)
	}
	p.layOut(first, last, *buffer)
	return *buffer
}

// half is the weight of the points that must agree: with it the estimate holds as many
// outliers as any can.
func (p *Points) half() float64 {
	return math.Min(p.total, math.Floor((p.total+float64(p.k)+1)/2))
}

// bulk returns centre and scatter of the points by the weights w, the latter times factor and
// over the sum of the weights less the given number; nil where the scatter is singular.
func (p *Points) bulk(ctx context.Context, w []float64, factor, less float64) (*Bulk, error) {
	gram := make([]float64, p.wide*p.wide)
	rows := slabRows
	if p.z != nil {
		rows = max(p.n, 1)
	}
	var buffer []float64
	for first := 0; first < p.n; first += rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		last := min(first+rows, p.n)
		fastblas.WeightedGram(0, last-first, p.wide, p.slab(first, last, &buffer), p.wide, w[first:last], nil, gram, p.wide)
	}
	sum := gram[0]
	if !(sum > 0) {
		return nil, nil
	}
	centre, scatter := make([]float64, p.k), mat.NewSymDense(p.k, nil)
	scale := factor / math.Max(sum-less, math.Min(sum, 1))
	for i := range p.k {
		centre[i] = p.origin[i] + gram[1+i]/sum
		for j := i; j < p.k; j++ {
			scatter.SetSym(i, j, scale*(gram[(1+i)*p.wide+1+j]-gram[1+i]*(gram[1+j]/sum)))
		}
		scatter.SetSym(i, i, scatter.At(i, i)+p.ridge)
	}
	return newBulk(centre, scatter, p.ridge > 0), nil
}
