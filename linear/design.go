package linear

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
)

var errConstantTarget = errors.New("linear: the target is constant, so there is nothing to explain")

// design is the regression in standardised columns: rows of 1 (with an intercept) and
// (x - offset)/scale for the columns that are kept, targets minus their median.
type design struct {
	n, p    int
	stride  int       // at least p + 1, a multiple of 8 for the sake of the matrix kernel
	rows    []float64 // n x stride: p columns, the residual, zeros
	r       []float64 // the residuals once more, one after the other
	y       []float64
	prior   []float64 // nil: ones
	total   float64   // sum of the prior weights
	ones    int       // 1 with an intercept, else 0
	kept    []int     // columns of x behind columns ones.. of the design
	lambda  float64
	offset  []float64 // of every column of x
	scale   []float64
	yOffset float64
	zero    float64 // absolute residual that counts as none
}

// standardiseRows bounds the sample from which medians for the standardisation come:
// any robust centre and spread will do there.
const standardiseRows = 4000

func newDesign(ctx context.Context, x *mat.Dense, y []float64, o Robust) (*design, error) {
	n, d := x.Dims()
	g := &design{n: n, prior: o.Weights, total: float64(n), lambda: o.Lambda, offset: make([]float64, d), scale: make([]float64, d)}
	if o.Weights != nil {
		g.countWeights()
	}
	if o.Intercept {
		g.ones = 1
	}
	var usable []int
	for j := range d {
		centre, spread := centreAndSpread(columnOf(x, j), n, o.Weights)
		if !o.Intercept {
			centre = 0
			if spread == 0 {
				spread = math.Abs(x.At(0, j))
			}
		}
		g.offset[j], g.scale[j] = centre, 1
		if spread > 1e-13*math.Abs(centre) {
			g.scale[j] = spread
			usable = append(usable, j)
		}
	}
	centre, spread := centreAndSpread(func(i int) float64 { return y[i] }, n, o.Weights)
	if spread <= 1e-14*math.Abs(centre) {
		return nil, errConstantTarget
	}
	if o.Intercept {
		g.yOffset = centre
	}
	g.zero = 1e-10 * spread
	g.y = make([]float64, n)
	for i, v := range y {
		g.y[i] = v - g.yOffset
	}
	g.kept = usable
	g.build(x)
	independent, err := g.independent(ctx)
	if err != nil {
		return nil, err
	}
	if len(independent) < len(usable) {
		g.kept = independent
		g.build(x)
	}
	return g, nil
}

// countWeights adds the prior weights up. Weights of one and more count repetitions; a
// smaller sum comes from normalised weights, which are brought back to a mean of one.
func (g *design) countWeights() {
	g.total = 0
	positive := 0.0
	for _, w := range g.prior {
		g.total += w
		if w > 0 {
			positive++
		}
	}
	if g.total < positive {
		factor := positive / g.total
		scaled := make([]float64, len(g.prior))
		for i, w := range g.prior {
			scaled[i] = w * factor
		}
		g.prior, g.total = scaled, positive
	}
}

// build fills the rows from the kept columns.
func (g *design) build(x *mat.Dense) {
	g.p = g.ones + len(g.kept)
	g.stride = (g.p + 1 + 7) / 8 * 8
	g.r = make([]float64, g.n)
	g.rows = make([]float64, g.n*g.stride)
	for i := range g.n {
		from, to := x.RawRowView(i), g.row(i)
		if g.ones == 1 {
			to[0] = 1
		}
		for k, j := range g.kept {
			to[g.ones+k] = (from[j] - g.offset[j]) / g.scale[j]
		}
	}
}

// row returns the p entries of row i.
func (g *design) row(i int) []float64 { return g.rows[i*g.stride : i*g.stride+g.p] }

func (g *design) weight(i int) float64 {
	if g.prior == nil {
		return 1
	}
	return g.prior[i]
}

// matrix is the design as a view.
func (g *design) matrix() *mat.Dense {
	return mat.NewDense(g.n, g.stride, g.rows).Slice(0, g.n, 0, g.p).(*mat.Dense)
}

// independent returns the columns that are not linear combinations of earlier ones, as
// R's lm keeps them. Columns that are independent on some of the rows are so on all.
func (g *design) independent(ctx context.Context) ([]int, error) {
	if rows := max(standardiseRows, 10*g.p); g.n > 2*rows {
		kept, err := g.independentOn(ctx, g.n/rows)
		if err != nil || len(kept) == len(g.kept) {
			return kept, err
		}
	}
	return g.independentOn(ctx, 1)
}

// independentOn looks at every step-th row. Rows are divided by their length first, which
// changes no dependence but keeps far rows from hiding one.
func (g *design) independentOn(ctx context.Context, step int) ([]int, error) {
	t := linalg.NewTSQR(g.p, 1)
	for i := 0; i < g.n; i += step {
		if i%passRows == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if g.weight(i) == 0 {
			continue
		}
		row := g.row(i)
		if err := t.Add(mat.NewDense(1, g.p, row), mat.NewDense(1, 1, g.y[i:i+1]), []float64{1 / (1 + dot(row, row))}); err != nil {
			return nil, err
		}
	}
	r := t.R()
	var basis [][]float64
	var kept []int
	for j := range g.p {
		v := mat.Col(nil, j, r)
		before := norm(v)
		for range 2 {
			for _, b := range basis {
				axpy(-dot(b, v), b, v)
			}
		}
		after := norm(v)
		if after <= 1e-10*before || before == 0 {
			continue
		}
		for i := range v {
			v[i] /= after
		}
		basis = append(basis, v)
		if j >= g.ones {
			kept = append(kept, g.kept[j-g.ones])
		}
	}
	return kept, nil
}

// raw turns coefficients of the design into those of the data.
func (g *design) raw(beta []float64) (intercept float64, coef []float64) {
	coef = make([]float64, len(g.offset))
	intercept = g.yOffset
	if g.ones == 1 {
		intercept += beta[0]
	}
	for k, j := range g.kept {
		coef[j] = beta[g.ones+k] / g.scale[j]
		intercept -= coef[j] * g.offset[j]
	}
	if g.ones == 0 {
		intercept = 0
	}
	return intercept, coef
}

// jacobian is the matrix of raw with the intercept first: (1+d) x p.
func (g *design) jacobian() *mat.Dense {
	j := mat.NewDense(1+len(g.offset), g.p, nil)
	if g.ones == 1 {
		j.Set(0, 0, 1)
	}
	for k, c := range g.kept {
		j.Set(1+c, g.ones+k, 1/g.scale[c])
		if g.ones == 1 {
			j.Set(0, 1+k, -g.offset[c]/g.scale[c])
		}
	}
	return j
}

// columnOf reads one column of a matrix.
func columnOf(x *mat.Dense, j int) func(i int) float64 {
	raw := x.RawMatrix()
	return func(i int) float64 { return raw.Data[i*raw.Stride+j] }
}

// centreAndSpread returns median and scaled median absolute deviation of n values, of a
// sample if there are many. Where more than half of the values are equal, the spread is
// the root mean squared deviation; it is 0 for constant values only.
func centreAndSpread(at func(i int) float64, n int, w []float64) (centre, spread float64) {
	step := (n + standardiseRows - 1) / standardiseRows
	var sample, weights []float64
	for i := 0; i < n; i += step {
		if w == nil || w[i] > 0 {
			sample = append(sample, at(i))
			if w != nil {
				weights = append(weights, w[i])
			}
		}
	}
	if len(sample) > 0 {
		centre = univariate.WeightedMedian(sample, weights)
		for i, s := range sample {
			sample[i] = math.Abs(s - centre)
		}
		if spread = univariate.Normal * univariate.WeightedMedian(sample, weights); spread > 0 {
			return centre, spread
		}
	}
	sum, total := 0.0, 0.0
	for i := range n {
		weight := 1.0
		if w != nil {
			weight = w[i]
		}
		sum += weight * (at(i) - centre) * (at(i) - centre)
		total += weight
	}
	return centre, math.Sqrt(sum / total)
}
