package pca

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
)

// L1 is PCA-L1 (Kwak 2008): each component maximises sum_i |v'(x_i - mean)| in the space
// left over by those before it. The greedy sign iteration
//
//	v <- normalise(sum_i sign(v'x_i) x_i)
//
// raises that sum in every step and ends at a local maximum, so several starts are tried
// and the best is kept. PCA-L1 limits how much a row can pull, but never rejects one.
//
// Components stay as they are found: orthonormal and nested (the first m of a larger fit are
// the fit at m), but unlike those of PCA their scores are correlated, and the variances along
// them need not fall. Score distances allow for that; see [Model.Eigenvalues].
type L1 struct {
	Options
	// Starts is the number of starts per component: the ordinary component, the row with
	// the largest norm, then random rows. Zero: 8; 1 is the paper's first choice alone.
	Starts int
}

// Fit finds the subspace. The centre is the sample mean with StartClassic, as in the
// paper, and the spatial median otherwise.
func (l L1) Fit(ctx context.Context, x linalg.Source) (*Model, error) {
	ctx = given.Context(ctx)
	starts := l.Starts
	if starts < 0 {
		return nil, refusal.Setting("starts", "%d starts of pca-l1; at least 1 is needed", starts)
	}
	if starts == 0 {
		starts = 8
	}
	o := l.Options
	auto := o.Start != StartClassic
	o.Start, o.LearnRank = StartClassic, -1
	if o.Scatter == "" || o.Scatter == ScatterAuto {
		o.Scatter = ScatterWeighted
	}
	pl := plan{method: "pca-l1", spec: loss.MustParse("square"), unweighted: true, asFound: true}
	if auto {
		pl.centre, pl.power = spatialMedian, 0.5
	}
	pl.run = func(ctx context.Context, p irls.Problem[subspace], start subspace, set irls.Settings) (irls.Result[subspace], error) {
		prob, ok := p.(*problem)
		if !ok {
			return irls.Result[subspace]{}, errMissingL1
		}
		at, steps, err := greedy(ctx, prob, start, starts, set, o.Seed)
		if err != nil {
			return irls.Result[subspace]{}, err
		}
		res, err := settled(ctx, p, at, irls.Settings{Prior: set.Prior, Loss: set.Loss, Zero: set.Zero})
		res.Steps = steps
		return res, err
	}
	pl.again = func(ctx context.Context, full *problem, from subspace, w []float64) (subspace, error) {
		at, _, err := greedy(ctx, full, from, 1, irls.Settings{Prior: w}, o.Seed)
		return at, err
	}
	return o.fit(ctx, x, pl)
}

// greedy finds the components one by one. The trace holds, per component, minus the mean
// absolute score: it falls component by component as the captured dispersion adds up.
func greedy(ctx context.Context, p *problem, start subspace, starts int, set irls.Settings, seed uint64) (subspace, []irls.Step, error) {
	n, d := p.src.Dims()
	_, m := start.basis.Dims()
	left, err := centred(ctx, p.src, start.mean)
	if err != nil {
		return subspace{}, nil, err
	}
	draw := random.New(seed, "pca-l1 starts")
	places := univariate.NewRows(n, set.Prior)
	basis := mat.NewDense(d, m, nil)
	var steps []irls.Step
	captured := 0.0
	for k := 0; k < m; k++ {
		best, bestValue := make([]float64, d), math.Inf(-1)
		for try := 0; try < starts; try++ {
			if err := ctx.Err(); err != nil {
				return subspace{}, nil, err
			}
			v := make([]float64, d)
			switch try {
			case 0:
				copy(v, mat.Col(nil, k, start.basis))
				againstEarlier(v, basis, k)
			case 1:
				copy(v, left.RawRowView(largestRow(left, set.Prior)))
			default:
				copy(v, left.RawRowView(places.At(draw.Float64()*places.Total())))
			}
			value := signIteration(left, v, set.Prior)
			if value > bestValue {
				best, bestValue = v, value
			}
		}
		basis.SetCol(k, best)
		deflate(left, best)
		captured += bestValue
		step := irls.Step{Number: k, Objective: -captured, Effective: places.Total(), Damping: 1}
		steps = append(steps, step)
		if set.OnStep != nil {
			set.OnStep(step)
		}
	}
	linalg.Orthonormalize(basis)
	return subspace{mean: start.mean, basis: basis}, steps, nil
}

// signIteration raises the weighted mean of |v'x| from the given start and leaves the
// unit maximiser in v. It returns -Inf when v has no direction.
func signIteration(x *mat.Dense, v, prior []float64) float64 {
	n, d := x.Dims()
	if !normalise(v) {
		return math.Inf(-1)
	}
	sum, scores := mat.NewVecDense(d, nil), mat.NewVecDense(n, nil)
	direction, pull := mat.NewVecDense(d, v), mat.NewVecDense(n, nil)
	value := math.Inf(-1)
	for step := 0; step < 1000; step++ {
		linalg.MulVec(scores, x, direction)
		now, total := 0.0, 0.0
		for i := 0; i < n; i++ {
			a := weightAt(prior, i)
			total += a
			z := scores.AtVec(i)
			now += a * math.Abs(z)
			if z < 0 {
				a = -a
			}
			pull.SetVec(i, a)
		}
		now /= total
		if now <= value*(1+1e-15) {
			return math.Max(now, value)
		}
		value = now
		linalg.MulVec(sum, x.T(), pull)
		copy(v, sum.RawVector().Data)
		if !normalise(v) {
			return math.Inf(-1)
		}
	}
	return value
}

func normalise(v []float64) bool {
	norm := 0.0
	for _, e := range v {
		norm = math.Hypot(norm, e)
	}
	if norm == 0 || math.IsNaN(norm) {
		return false
	}
	for j := range v {
		v[j] /= norm
	}
	return true
}

// againstEarlier removes the parts along the first k columns of basis.
func againstEarlier(v []float64, basis *mat.Dense, k int) {
	for c := 0; c < k; c++ {
		dot := 0.0
		for j := range v {
			dot += v[j] * basis.At(j, c)
		}
		for j := range v {
			v[j] -= dot * basis.At(j, c)
		}
	}
}

// deflate removes the part along v from every row.
func deflate(x *mat.Dense, v []float64) {
	n, _ := x.Dims()
	for i := 0; i < n; i++ {
		row, dot := x.RawRowView(i), 0.0
		for j, e := range v {
			dot += row[j] * e
		}
		for j, e := range v {
			row[j] -= dot * e
		}
	}
}

func largestRow(x *mat.Dense, w []float64) int {
	n, _ := x.Dims()
	best, at := -1.0, 0
	for i := 0; i < n; i++ {
		sum := 0.0
		for _, v := range x.RawRowView(i) {
			sum += v * v
		}
		if sum > best && weightAt(w, i) > 0 {
			best, at = sum, i
		}
	}
	return at
}

// centred copies the rows of src less the mean.
func centred(ctx context.Context, src linalg.Source, mean []float64) (*mat.Dense, error) {
	n, d := src.Dims()
	out := mat.NewDense(n, d, nil)
	err := src.Scan(ctx, func(first int, block *mat.Dense) error {
		r, _ := block.Dims()
		for i := 0; i < r; i++ {
			row := out.RawRowView(first + i)
			for j, v := range block.RawRowView(i) {
				row[j] = v - mean[j]
			}
		}
		return nil
	})
	return out, err
}
