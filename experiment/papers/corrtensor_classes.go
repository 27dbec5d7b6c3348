package papers

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/experiment"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/nearest"
	"github.com/inlier-ml/inlier/score"
)

// classImages is one draw for Algorithm 2 of corr-tensor: images to learn a reduction and
// class centers from, and images to be classified.
type classImages struct {
	train, clean, test *dataset.Set // clean: train before outliers came in
	outlier            []bool       // of train
}

// The scores of a classifier: accuracies by the similarity (30) of numbers, added up, and by two
// norms of M_test - center. The spectral norm, which takes a decomposition for each image and
// center, is computed in the first draws only.
const (
	byElement     = "accuracy, elementwise"
	bySpectral    = "accuracy, spectral norm"
	byFrobenius   = "accuracy, Frobenius norm"
	spectralDraws = 5
)

// classReadings are these scores; the first is judged.
var classReadings = []string{byElement, bySpectral, byFrobenius}

// classifier is a reduction with its parameters and what it learns from.
type classifier struct {
	imageReducer
	rank  string
	clean bool
	// alpha and beta of the similarity (30). Zero: 2 and 0.8, for methods without either.
	alpha, beta float64
	// pick chooses the images of a draw, where it has several kinds; nil: there is one.
	pick func(data any) *classImages
}

// classBaselines are the methods that the paper compares with; all images count alike in
// their class centers.
func classBaselines(one, both string) []classifier {
	var out []classifier
	for _, r := range []imageReducer{
		{"2dpca", "2dpca", nil}, {"l1-2dpca", "l1-2dpca", nil}, {"2dsvd", "2dsvd", nil},
		{"r1-2dsvd", "r1-2dsvd", map[string]string{"start": "classic", "mean": "sample"}},
		{"n-2dnpp", "n-2dnpp", map[string]string{"max-steps": nuclearSteps}}, {"s-2dnpp", "s-2dnpp", nil},
	} {
		c := classifier{imageReducer: r, rank: both}
		if oneSided(r.method) {
			c.rank = one
		}
		out = append(out, c)
	}
	return out
}

// classCorr is the proposed method as the paper has it: from the one-shot decomposition,
// weights learned at the full rank, at most 50 steps until the objective falls by less than
// 1e-5 of itself.
func classCorr(name, rank string, alpha, beta, p float64, normalise string) classifier {
	params := map[string]string{"start": "classic", "alpha": number(alpha), "beta": number(beta), "p": number(p), "normalise": normalise, "max-steps": "50", "tol": "1e-5"}
	return classifier{imageReducer: imageReducer{name, "corr-tensor", params}, rank: rank, alpha: alpha, beta: beta}
}

func (c classifier) entrant() experiment.Entrant {
	params := map[string]string{"rank": c.rank}
	for k, v := range c.params {
		params[k] = v
	}
	return experiment.Entrant{Name: c.name, Params: params, Run: func(ctx context.Context, b *experiment.Bench) error {
		images, ok := b.Data.(*classImages)
		if c.pick != nil {
			images, ok = c.pick(b.Data), true
		}
		if !ok {
			return fmt.Errorf("no images to classify in %T", b.Data)
		}
		return c.run(ctx, b, params, images)
	}}
}

// run learns the reduction and the centers, eq. (29), and classifies the test images.
func (c classifier) run(ctx context.Context, b *experiment.Bench, params map[string]string, images *classImages) error {
	train := images.train
	if c.clean {
		train = images.clean
	}
	m, err := b.Fit(ctx, c.method, params, train)
	if err != nil {
		return err
	}
	cores, ok := catalog.As[interface {
		Transform(context.Context, *mat.Dense) (*mat.Dense, error)
		Ranks() []int
		Weights() []float64
	}](m)
	if !ok {
		return fmt.Errorf("%s has no cores", c.method)
	}
	var weights []float64
	if c.method == "corr-tensor" { // eq. (29); the paper gives all others weight 1
		weights = cores.Weights()
		b.Score("effective share", loss.EffectiveSampleSize(weights)/float64(train.Rows()))
		b.Score("weight of outliers", weightShare(weights, func(i int) bool { return images.outlier[i] }))
	}
	known, err := cores.Transform(ctx, train.X)
	if err != nil {
		return err
	}
	asked, err := cores.Transform(ctx, images.test.X)
	if err != nil {
		return err
	}
	note := func(name string, labels []int) error {
		accuracy, err := score.Accuracy(images.test.Target.Labels, labels)
		b.Score(name, accuracy)
		return err
	}
	for name, how := range map[string]nearest.Centers{
		byElement:   {Votes: weights, Elementwise: true, Alpha: cmp.Or(c.alpha, 2), Beta: cmp.Or(c.beta, 0.8)},
		byFrobenius: {Votes: weights},
	} {
		centers, err := how.Fit(ctx, linalg.FromDense(known), train.Target.Labels, len(train.Target.Classes))
		if err != nil {
			return err
		}
		predicted, err := centers.Predict(ctx, asked)
		if err != nil {
			return err
		}
		if err := note(name, predicted.Labels); err != nil {
			return err
		}
		if name == byFrobenius && b.Repeat < spectralDraws {
			if err := note(bySpectral, spectrallyNearest(asked, centers.Centers(), cores.Ranks()[0])); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// spectrallyNearest gives every row of x the center with the smallest largest singular
// value of their difference, both seen as matrices with so many rows: a core of higher
// order is unfolded along its first mode. A few power steps bound the norm from below, so that
// most centers need no decomposition; the result is exact.
func spectrallyNearest(x, centers *mat.Dense, rows int) []int {
	n, size := x.Dims()
	k, _ := centers.Dims()
	columns := size / rows
	difference := make([]*mat.Dense, k)
	for c := range difference {
		difference[c] = mat.NewDense(rows, columns, nil)
	}
	order, bound := make([]int, k), make([]float64, k)
	v, u := mat.NewVecDense(columns, nil), mat.NewVecDense(rows, nil)
	var svd mat.SVD
	out := make([]int, n)
	for i := range n {
		row := x.RawRowView(i)
		for c := range k {
			order[c] = c
			d, center := difference[c].RawMatrix().Data, centers.RawRowView(c)
			for j, t := range row {
				d[j] = t - center[j]
			}
			bound[c] = normBelow(difference[c], u, v)
		}
		slices.SortFunc(order, func(a, b int) int {
			if bound[a] < bound[b] {
				return -1
			}
			return 1
		})
		least := math.Inf(1)
		for _, c := range order {
			if bound[c] > least*(1+1e-12) {
				break
			}
			if s := largestSingular(&svd, difference[c]); s < least || s == least && c < out[i] {
				least, out[i] = s, c
			}
		}
	}
	return out
}

// normBelow is a lower bound of the spectral norm: ||D v|| for a unit vector v after three
// power steps from the longest row.
func normBelow(d *mat.Dense, u, v *mat.VecDense) float64 {
	rows, _ := d.Dims()
	long, at := -1.0, 0
	for i := range rows {
		r := d.RawRowView(i)
		s := 0.0
		for _, t := range r {
			s += t * t
		}
		if s > long {
			long, at = s, i
		}
	}
	if long <= 0 {
		return 0
	}
	v.CopyVec(d.RowView(at))
	for range 3 {
		linalg.MulVec(u, d, v)
		linalg.MulVec(v, d.T(), u)
		v.ScaleVec(1/mat.Norm(v, 2), v)
	}
	linalg.MulVec(u, d, v)
	return mat.Norm(u, 2)
}

func largestSingular(svd *mat.SVD, d *mat.Dense) float64 {
	if !svd.Factorize(d, mat.SVDNone) {
		return math.Inf(1)
	}
	return svd.Values(nil)[0]
}

// unitNorms divides every row by its norm; rows of zeros stay.
func unitNorms(x *mat.Dense) {
	n, _ := x.Dims()
	for i := range n {
		row := mat.NewVecDense(len(x.RawRowView(i)), x.RawRowView(i))
		if norm := mat.Norm(row, 2); norm > 0 {
			row.ScaleVec(1/norm, row)
		}
	}
}

// weightShare is the part of all weight that the given rows have.
func weightShare(weights []float64, of func(i int) bool) float64 {
	all, part := 0.0, 0.0
	for i, w := range weights {
		all += w
		if of(i) {
			part += w
		}
	}
	return part / all
}
