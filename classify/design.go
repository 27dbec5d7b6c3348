package classify

import (
	"cmp"
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/kernel"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/refusal"
)

// mapRows is the number of rows whose features are computed at a time.
const mapRows = 4096

// design is the table of features of the training rows, and the way back from its
// coefficients to those of the model.
type design struct {
	a             *mat.Dense // n x (m+1): features, then a column of ones
	kernel        kernel.Kernel
	approximation Approximation // Exact for linear machines
	support       *mat.Dense    // rows that the kernel compares with; nil for linear and Fourier
	own           bool          // exact, OnFunction: the features are the kernel, their coefficients its own
	whiten        *mat.Dense    // Nystrom, OnFunction
	frequencies   *mat.Dense    // Fourier
	roots         []float64     // exact, OnCoefficients: of the rows' weights, which the features were multiplied by
	basis         *mat.Dense    // orthonormal columns that features of more columns than rows were expressed in
}

// newDesign makes the features of scaled rows.
func newDesign(ctx context.Context, x *mat.Dense, o Options) (*design, error) {
	g, err := makeFeatures(ctx, x, o)
	if err == nil {
		g.narrow()
	}
	return g, err
}

// narrow expresses features of more columns than rows in a basis of the rows' span, in
// which every penalised solution lies.
func (g *design) narrow() {
	n, columns := g.a.Dims()
	m := columns - 1
	if m <= n {
		return
	}
	features := g.a.Slice(0, n, 0, m)
	g.basis = mat.DenseCopyOf(features.T())
	linalg.Orthonormalize(g.basis)
	narrow := ones(n, n)
	linalg.Mul(narrow.Slice(0, n, 0, n).(*mat.Dense), features, g.basis)
	g.a = narrow
}

// makeFeatures makes them in full width.
func makeFeatures(ctx context.Context, x *mat.Dense, o Options) (*design, error) {
	n, d := x.Dims()
	g := &design{kernel: o.Kernel, approximation: Exact}
	if o.Kernel.Kind == kernel.Linear {
		if err := fits("", n, d); err != nil {
			return nil, err
		}
		g.a = mat.NewDense(n, d+1, nil)
		linalg.Spans(n, func(from, to int) {
			for i := from; i < to; i++ {
				row := g.a.RawRowView(i)
				row[copy(row, x.RawRowView(i))] = 1
			}
		})
		return g, nil
	}
	var err error
	every := spelledOut(x, o.Weights)
	if g.kernel, err = o.Kernel.Resolve(every, o.Seed); err != nil {
		return nil, err
	}
	if o.Kernel.Gamma == 0 {
		g.kernel.Gamma *= cmp.Or(o.gamma, usualGamma)
	}
	g.approximation = o.Approximation
	if g.approximation == ApproximateAuto {
		g.approximation = Nystrom
		if rowsOf(o.Weights, n) <= cmp.Or(o.exactRows, ExactRows) && fits(Exact, n, n) == nil {
			g.approximation = Exact
		}
	}
	if o.Features == 0 {
		o.Features = featuresOf(n, rowsOf(o.Weights, n))
	}
	switch g.approximation {
	case Exact:
		return g, g.exact(x, o)
	case Nystrom:
		learned, err := kernel.NewNystrom(ctx, g.kernel, every, kernel.NystromSettings{Landmarks: o.Features, Seed: o.Seed})
		if err != nil {
			return nil, err
		}
		g.support = learned.Points
		if o.Penalty == OnCoefficients {
			return g, g.apply(ctx, &learned.Landmarks, x)
		}
		g.whiten = learned.Whiten
		return g, g.apply(ctx, learned, x)
	default:
		drawn, err := kernel.NewFourier(g.kernel, d, o.Features+o.Features%2, o.Seed)
		if err != nil {
			return nil, err
		}
		g.frequencies = drawn.Frequencies
		return g, g.apply(ctx, drawn, x)
	}
}

// featuresOf is how many stand for the kernel of a table of n rows, which are so many, when no number is given.
func featuresOf(n, rows int) int {
	out := min(max(rows/rowsOfFeature, fewestFeatures), DefaultFeatures)
	for out > fewestFeatures && fits(Nystrom, n, out) != nil {
		out = max(out/2, fewestFeatures)
	}
	return out
}

// spelledOut repeats rows as often as integer weights say; x itself without such weights.
func spelledOut(x *mat.Dense, weights []float64) *mat.Dense {
	n, d := x.Dims()
	count := 0
	if repeated(weights) {
		count = int(total(weights))
	}
	if count == 0 || count > 20*n+1000 { // beyond, a copy costs more than exactness is worth
		return x
	}
	out := mat.NewDense(count, d, nil)
	at := 0
	for i, w := range weights {
		for range int(w) {
			out.SetRow(at, x.RawRowView(i))
			at++
		}
	}
	return out
}

// ones is an n x (m+1) matrix of zeros whose last column is one.
func ones(n, m int) *mat.Dense {
	a := mat.NewDense(n, m+1, nil)
	for i := range n {
		a.Set(i, m, 1)
	}
	return a
}

// apply fills the table with the features of a map, block by block.
func (g *design) apply(ctx context.Context, m kernel.Map, x *mat.Dense) error {
	n, d := x.Dims()
	_, features := m.Widths()
	if err := fits(g.approximation, n, features); err != nil {
		return err
	}
	g.a = ones(n, features)
	for first := 0; first < n; first += mapRows {
		last := min(first+mapRows, n)
		err := ctx.Err()
		if err != nil {
			return err
		}
		err = m.Apply(g.a.Slice(first, last, 0, features).(*mat.Dense), x.Slice(first, last, 0, d).(*mat.Dense))
		if err != nil {
			return err
		}
	}
	return nil
}

// exact uses the kernel of all pairs. With a penalty on coefficients its columns are features like
// others; else it stays what it is, and training works with its own equations.
func (g *design) exact(x *mat.Dense, o Options) error {
	n, _ := x.Dims()
	if n > exactLimit {
		return refusal.Parameter("approximation", Exact, "would compare %d rows with each other; at most %d, or approximation=nystrom", n, exactLimit)
	}
	if err := fits(Exact, n, n); err != nil {
		return err
	}
	g.support = mat.DenseCopyOf(x)
	g.a = ones(n, n)
	if err := g.kernel.SymmetricTo(g.a.Slice(0, n, 0, n).(*mat.Dense), x); err != nil {
		return err
	}
	if g.own = o.Penalty != OnCoefficients; g.own {
		return nil
	}
	if g.roots = roots(o.Weights); g.roots != nil {
		for i := range n {
			for j, v := range g.roots {
				g.a.Set(i, j, g.a.At(i, j)*v)
			}
		}
	}
	return nil
}

// roots are the square roots of weights, nil for nil. Coefficients of a row that stands there w
// times add up to c at a penalty of c^2/w: that of c/sqrt(w), whose feature is sqrt(w) times as
// large.
func roots(weights []float64) []float64 {
	if weights == nil {
		return nil
	}
	out := make([]float64, len(weights))
	for i, w := range weights {
		out[i] = math.Sqrt(w)
	}
	return out
}

// coefficients turns coefficients of the features and ones, (m+1) x k, into those of the
// model: one row per class.
func (g *design) coefficients(theta *mat.Dense) (coef *mat.Dense, intercept []float64) {
	rows, k := theta.Dims()
	intercept = append([]float64(nil), theta.RawRowView(rows-1)...)
	w := mat.DenseCopyOf(theta.Slice(0, rows-1, 0, k))
	if g.basis != nil {
		var full mat.Dense
		linalg.Mul(&full, g.basis, w)
		w = &full
	}
	switch {
	case g.whiten != nil:
		var folded mat.Dense
		linalg.Mul(&folded, g.whiten, w)
		w = &folded
	case g.roots != nil:
		for i, root := range g.roots {
			row := w.RawRowView(i)
			for l := range row {
				row[l] *= root
			}
		}
	}
	return mat.DenseCopyOf(w.T()), intercept
}
