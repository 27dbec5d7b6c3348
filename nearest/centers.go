package nearest

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/cluster"
	"github.com/inlier-ml/inlier/internal/cutoff"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
	"github.com/inlier-ml/inlier/verdict"
)

// Centers is the classifier by class centers. The zero value uses plain means and the
// Frobenius norm.
type Centers struct {
	// Loss weighs rows by their distance from the center of their class while it is
	// sought, from a text (loss.Parse) or of one's own; its bandwidth may be open. Nil: every
	// row has its weight.
	Loss loss.Loss
	// Votes are shares of the rows in the centers, such as the weights that a robust reduction
	// gave them: the omega of eq. (29). Nil: one each.
	Votes []float64
	// Weights of the rows; nil: one each. An integer weight acts like repeated rows.
	Weights []float64
	// Scaling of the columns, in which distances are taken. Zero: none.
	Scaling Scaling
	// Shape of a row as a matrix, for the spectral norm; nil: the Frobenius norm.
	Shape []int
	// Similar makes the scores of [Model.Predict] similarities exp(-(d/Beta)^Alpha)
	// between 0 and 1, eq. (30), which rank classes as distances do.
	Similar bool
	// Elementwise reads eq. (30) number by number: the class with the largest mean over the
	// columns of exp(-(sqrt|x - c|/Beta)^Alpha) wins, so that Alpha and Beta change labels. Scores
	// are these means. How far a row is from a class is told by the Frobenius norm all the same.
	Elementwise bool
	// Alpha is the exponent; zero: 2. Beta is the bandwidth; zero: that of the loss, or else
	// from the distances of rows from their own centers; with Elementwise always the latter.
	Alpha, Beta float64
}

// Model holds the centers of the classes. It never changes.
type Model struct {
	centers *mat.Dense // one row for each class
	inputs  *inputs    // scaling of the columns; nil: none
	scaled  *mat.Dense // the centers in that scaling
	cutoffs []float64  // distance of a regular row from the center of its class
	shape   []int      // nil: Frobenius norm
	weights []float64  // of the training rows
	scales  []float64  // bandwidth of the loss in each class; nil without loss
	squared float64    // weighted mean of the squared distance from the own center

	similar     bool
	elementwise bool
	alpha, beta float64
	labels      []int // of the training rows
	training    *verdict.Rows
	kept        archive.Kept
}

// Fit finds the centers of the given number of classes. labels[i] is the class of row i,
// from 0; every class needs a row with weight. A source outside memory is read once and held.
func (c Centers) Fit(ctx context.Context, src linalg.Source, labels []int, classes int) (*Model, error) {
	ctx = given.Context(ctx)
	if err := linalg.Given(src); err != nil {
		return nil, err
	}
	n, d := src.Dims()
	members, err := group(labels, n, classes)
	if err != nil {
		return nil, err
	}
	if c.Alpha != 0 && !(c.Alpha > 0 && c.Alpha <= 100) {
		return nil, refusal.Parameter("alpha", c.Alpha, "must be a number above 0 and at most 100")
	}
	if c.Beta != 0 && !(c.Beta >= loss.MinScale && c.Beta <= loss.MaxScale) {
		return nil, refusal.Parameter("beta", c.Beta, "must be a number from %g to %g", loss.MinScale, loss.MaxScale)
	}
	for _, list := range [][]float64{c.Weights, c.Votes} {
		if list != nil && len(list) != n {
			return nil, refusal.Weights("%d weights for %d rows", len(list), n)
		}
		for i, w := range list {
			if !(w >= 0 && w <= math.MaxFloat64) {
				return nil, refusal.Weights("weight %g of row %d must be a number of at least 0", w, i+1)
			}
		}
	}
	x, err := linalg.Load(ctx, src)
	if err != nil {
		return nil, err
	}
	if err := linalg.Usable(ctx, linalg.FromDense(x)); err != nil {
		return nil, err
	}
	if len(c.Shape) != 0 && (len(c.Shape) != 2 || c.Shape[0]*c.Shape[1] != d) {
		return nil, refusal.Setting("shape", "the spectral norm is for matrices; rows of shape %v with %d numbers are none", c.Shape, d)
	}
	if len(c.Shape) != 0 && c.Elementwise {
		return nil, refusal.Setting("elementwise", "either the spectral norm or elementwise similarities tell classes apart, not both")
	}
	scale, err := learnInputs(ctx, x, c.Scaling, c.Weights, members)
	if err != nil {
		return nil, err
	}
	x = scale.apply(x)
	m := &Model{inputs: scale, scaled: mat.NewDense(classes, d, nil), shape: slices.Clone(c.Shape), weights: make([]float64, n),
		similar: c.Similar, elementwise: c.Elementwise, alpha: c.Alpha, beta: c.Beta, labels: slices.Clone(labels)}
	if m.alpha == 0 {
		m.alpha = 2
	}
	for k, rows := range members {
		if err := c.one(ctx, m, x, rows, k); err != nil {
			return nil, err
		}
	}
	if m.centers = m.scaled; scale != nil { // as a file gives them back
		m.centers = scale.back(m.scaled)
		m.scaled = scale.apply(m.centers)
	}
	if scale := m.Bandwidth(); scale > 0 && !m.elementwise {
		m.beta = scale
	}
	distance, err := m.distances(ctx, x)
	if err != nil {
		return nil, err
	}
	if err := checkUnit(ctx, x, m.scaled, distance, labels, c.Weights); err != nil {
		return nil, err
	}
	squared, total := own(distance, labels), 0.0
	for i, s := range squared {
		if m.weights[i] > 0 {
			m.squared += m.weights[i] * math.Min(s, math.MaxFloat64/float64(n))
			total += m.weights[i]
		}
	}
	m.squared = math.Min(m.squared/total, math.MaxFloat64)
	if m.beta == 0 && m.elementwise {
		m.beta = elementBandwidth(squared, c.Weights, d)
	}
	if m.beta == 0 {
		spec, err := loss.Parse("gcorr:alpha=" + archive.FormatNumber(m.alpha) + ",beta=auto")
		if err != nil {
			return nil, err
		}
		m.beta = spec.Bandwidth(squared, c.Weights, loss.KappaSubspace)
	}
	sizes := make([]float64, classes)
	for k := range sizes {
		sizes[k] = largest(m.scaled.RawRowView(k))
	}
	m.cutoffs = limits(sizes, func(least float64) []float64 {
		return cutoff.PerGroup(labels, m.leftOut(squared, labels, c.Weights), c.Weights, m.weights, classes, least)
	})
	pool(m.cutoffs, members, c.Weights)
	m.training = judgeAs(m.labelsOf(x, distance), distance, m.cutoffs, labels)
	return m, nil
}

// leftOut returns squared distances of rows from the center that the others of their class
// have: without a row of weight w among W the weighted mean moves away from it, by the
// factor W/(W-w) in the distance. New rows lie that far off, and cut-offs are for them. Of a
// row that counts several times one is left out.
func (m *Model) leftOut(squared []float64, labels []int, counts []float64) []float64 {
	totals := make([]float64, m.scaled.RawMatrix().Rows)
	for i, k := range labels {
		totals[k] += m.weights[i]
	}
	out := slices.Clone(squared)
	for i, k := range labels {
		w := m.weights[i]
		if counts != nil {
			w /= math.Max(counts[i], 1)
		}
		if rest := totals[k] - w; rest > 0 {
			out[i] *= totals[k] / rest * (totals[k] / rest)
		}
	}
	return out
}

// one finds the center of class k, from the median of each column where weights are
// learned.
func (c Centers) one(ctx context.Context, m *Model, x *mat.Dense, rows []int, k int) error {
	_, d := x.Dims()
	part := mat.NewDense(len(rows), d, nil)
	var weights []float64
	total := 0.0
	for a, i := range rows {
		part.SetRow(a, x.RawRowView(i))
		w := 1.0
		if c.Votes != nil {
			w = c.Votes[i]
		}
		if c.Weights != nil {
			w *= c.Weights[i]
		}
		if c.Votes != nil || c.Weights != nil {
			weights = append(weights, w)
		}
		m.weights[i] = w
		total += w
	}
	if !(total > 0) {
		return &refusal.ClassError{Class: k, Problem: "has no row with weight"}
	}
	if c.Loss == nil || c.Loss == loss.Loss(loss.Spec{}) {
		_, center, err := linalg.WeightedMean(ctx, linalg.FromDense(part), weights)
		if err != nil {
			return err
		}
		m.scaled.SetRow(k, center)
		return nil
	}
	if len(rows) == 1 {
		m.scaled.SetRow(k, part.RawRowView(0))
		m.scales = append(m.scales, 0)
		return nil
	}
	fitted, err := cluster.KMeans{Centers: [][]float64{medians(part, weights)}, Loss: c.Loss, Weights: weights}.Fit(ctx, linalg.FromDense(part))
	if err != nil {
		return err
	}
	m.scaled.SetRow(k, fitted.Centers().RawRowView(0))
	m.scales = append(m.scales, fitted.Loss().Scale())
	for a, w := range fitted.Weights() {
		m.weights[rows[a]] = w
	}
	return nil
}

// medians returns the weighted median of every column.
func medians(x *mat.Dense, w []float64) []float64 {
	n, d := x.Dims()
	out, column := make([]float64, d), make([]float64, n)
	for j := range d {
		mat.Col(column, j, x)
		out[j] = univariate.WeightedMedian(column, w)
	}
	return out
}

// group lists the rows of each class.
func group(labels []int, n, classes int) ([][]int, error) {
	if len(labels) != n {
		return nil, refusal.Target("%d labels for %d rows", len(labels), n)
	}
	if classes < 2 {
		return nil, refusal.Target("one class only; there is nothing to tell apart")
	}
	out := make([][]int, classes)
	for i, k := range labels {
		if k < 0 || k >= classes {
			return nil, refusal.Target("label %d of row %d is not between 0 and %d", k, i+1, classes-1)
		}
		out[k] = append(out[k], i)
	}
	for k, rows := range out {
		if len(rows) == 0 {
			return nil, &refusal.ClassError{Class: k, Problem: "has no rows"}
		}
	}
	return out, nil
}

// own returns the squared distances of rows from their own class.
func own(distance *mat.Dense, labels []int) []float64 {
	out := make([]float64, len(labels))
	for i, k := range labels {
		v := distance.At(i, k)
		out[i] = v * v
	}
	return out
}
