package linear

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/leverage"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linalg/fastblas"
	"github.com/inlier-ml/inlier/refusal"
)

var errNoColumns = refusal.Data("every column is 0 throughout, so without an intercept there is nothing to fit with")

var errConstantTarget = refusal.Target("the target is constant, so there is nothing to explain")

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
	columns []leverage.Column // of x
	target  leverage.Column
	yOffset float64
	zero    float64 // absolute residual that counts as none
	scratch
}

// scratch is memory that steps on one design use again and again; it is never shared.
type scratch struct {
	parts    []float64 // sums of pieces
	factor   []float64 // normal equations
	absolute []float64 // one number per row
	held     []float64 // the coefficients whose residuals the design holds
}

func newDesign(ctx context.Context, x *mat.Dense, y []float64, o Robust) (*design, error) {
	n, d := x.Dims()
	g := &design{n: n, lambda: o.Lambda, offset: make([]float64, d), scale: make([]float64, d)}
	g.prior, g.total = univariate.Counted(n, o.Weights)
	if !o.NoIntercept {
		g.ones = 1
	}
	g.columns = leverage.Describe(x, g.prior)
	var usable []int
	for j, c := range g.columns {
		centre, spread := c.Centre, c.Spread
		if o.NoIntercept {
			centre = 0
			if spread == 0 {
				spread = math.Abs(c.Centre)
			}
		}
		g.offset[j], g.scale[j] = centre, 1
		if spread > 1e-13*math.Abs(centre) {
			g.scale[j] = spread
			usable = append(usable, j)
		}
	}
	target := leverage.Describe(mat.NewDense(n, 1, y), g.prior)[0]
	g.target = target
	if target.Constant(1e-14) {
		return nil, errConstantTarget
	}
	if !o.NoIntercept {
		g.yOffset = target.Centre
	}
	g.zero = 1e-10 * target.Spread
	g.y = make([]float64, n)
	linalg.Spans(n, func(from, to int) {
		for i, v := range y[from:to] {
			g.y[from+i] = target.Within(v) - g.yOffset
		}
	})
	if g.kept = usable; g.ones+len(usable) == 0 {
		return nil, errNoColumns
	}
	if err := g.build(ctx, x); err != nil {
		return nil, err
	}
	independent, err := g.independent(ctx)
	if err != nil {
		return nil, err
	}
	if len(independent) < len(usable) {
		g.kept = independent
		if err := g.build(ctx, x); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// build fills the rows from the kept columns.
func (g *design) build(ctx context.Context, x *mat.Dense) error {
	g.p = g.ones + len(g.kept)
	g.stride = (g.p + 1 + 7) / 8 * 8
	g.r = resized(g.r, g.n)
	g.rows = resized(g.rows, g.n*g.stride)
	return g.each(ctx, func(_, first, last int) { g.lay(x, first, last) })
}

// lay writes the columns of the rows first to last-1.
func (g *design) lay(x *mat.Dense, first, last int) {
	type standard struct{ low, high, offset, inverse float64 }
	as := make([]standard, len(g.kept))
	for k, j := range g.kept {
		low, high := g.columns[j].Range()
		as[k] = standard{low, high, g.offset[j], 1 / g.scale[j]}
	}
	for i := first; i < last; i++ {
		from, to := x.RawRowView(i), g.row(i)
		if g.ones == 1 {
			to[0] = 1
			to = to[1:]
		}
		to = to[:len(as)]
		for k, j := range g.kept {
			v, s := from[j], &as[k]
			if v < s.low {
				v = s.low
			} else if v > s.high {
				v = s.high
			}
			to[k] = (v - s.offset) * s.inverse
		}
	}
}

// resized is n zeros, in the same memory where they fit.
func resized(v []float64, n int) []float64 {
	if cap(v) < n {
		return make([]float64, n)
	}
	v = v[:n]
	clear(v)
	return v
}

// row returns the p entries of row i.
func (g *design) row(i int) []float64 { return g.rows[i*g.stride : i*g.stride+g.p] }

func (g *design) weight(i int) float64 {
	if g.prior == nil {
		return 1
	}
	return g.prior[i]
}

// base is where the centre of column j of x is in the design.
func (g *design) base(j int) float64 { return (g.columns[j].Centre - g.offset[j]) * (1 / g.scale[j]) }

// matrix is the design as a view.
func (g *design) matrix() *mat.Dense {
	return mat.NewDense(g.n, g.stride, g.rows).Slice(0, g.n, 0, g.p).(*mat.Dense)
}

// independent returns the columns that are not linear combinations of earlier ones, as
// R's lm keeps them. Columns that are independent on some of the rows are so on all.
func (g *design) independent(ctx context.Context) ([]int, error) {
	if rows := max(leverage.StandardRows, 10*g.p); g.n > 2*rows {
		if g.clearlyIndependent(g.n / rows) {
			return g.kept, nil
		}
		kept, err := g.independentOn(ctx, g.n/rows)
		if err != nil || len(kept) == len(g.kept) {
			return kept, err
		}
	}
	return g.independentOn(ctx, 1)
}

// clearlyIndependent tells by the normal equations of every step-th row whether no column
// comes near a combination of others; false says nothing.
func (g *design) clearlyIndependent(step int) bool {
	const block = 512
	rows, w := make([]float64, 0, block*g.stride), make([]float64, 0, block)
	gram := make([]float64, g.stride*g.stride)
	add := func() {
		fastblas.WeightedGram(0, len(w), g.stride, rows, g.stride, w, nil, gram, g.stride)
		rows, w = rows[:0], w[:0]
	}
	for i := 0; i < g.n; i += step {
		if g.weight(i) == 0 {
			continue
		}
		row := g.row(i)
		rows, w = append(rows, g.rows[i*g.stride:(i+1)*g.stride]...), append(w, 1/(1+dot(row, row)))
		if len(w) == block {
			add()
		}
	}
	add()
	a, p := make([]float64, g.p*g.p), g.p
	for i := range p {
		for j := i; j < p; j++ {
			a[i*p+j] = gram[i*g.stride+j] / math.Sqrt(gram[i*g.stride+i]*gram[j*g.stride+j])
		}
	}
	least, ok := factorise(a, p)
	return ok && least > 1e-6
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
