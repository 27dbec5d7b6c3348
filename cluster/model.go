package cluster

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/internal/bounded"
	"github.com/inlier-ml/inlier/internal/cutoff"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/judging"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/verdict"
)

// Model is a set of centers with how far rows usually lie from them. It never changes and
// may be used by many goroutines.
type Model struct {
	centers *mat.Dense
	cutoffs []float64   // distance from each center beyond which a row is an outlier
	loss    loss.Scaled // nil: every row has one vote
	largest float64     // log-weight that counts as 1
	radius  float64     // distance beyond which rows were trimmed; 0: none were

	rows     int   // training rows that are not remembered each; 0: the labels'
	seen     *look // what a reading says of them; else nil
	labels   []int // of the training rows
	weights  []float64
	steps    []irls.Step
	status   irls.Status
	inertia  float64
	warnings []string
	training *verdict.Rows
	kept     archive.Kept
}

// finish judges the rows by the centers that were found, as Judge does: what is counted here
// is what is listed there. It is done even when the search was cancelled.
func (k KMeans) finish(ctx context.Context, src linalg.Source, t *table, best result) (*Model, error) {
	m := &Model{centers: t.outside(best.centers), steps: best.steps, status: best.status}
	labels, distances, err := closestRows(given.Rest(ctx), src, m.centers)
	if err != nil {
		return nil, err
	}
	squared, weights := make([]float64, t.n), make([]float64, t.n)
	for i, d := range distances {
		squared[i], weights[i] = square(d), t.weight(i)
	}
	m.labels, m.weights = labels, weights
	switch {
	case k.Trim > 0:
		t.keep(squared, k.Trim, weights)
		for i, w := range weights {
			if w > 0 {
				m.radius = math.Max(m.radius, distances[i])
			}
		}
	case k.weighs():
		scale := best.scale / t.unit
		m.loss = k.spec().At(scale)
		if m.loss.Scale() == loss.MaxScale && scale > loss.MaxScale {
			return nil, bounded.ErrLarge
		}
		// The largest vote is 1, of the rows that have any.
		counted := t.countedRows()
		votes, own := make([]float64, len(counted)), make([]float64, len(counted))
		for a, i := range counted {
			own[a] = squared[i]
		}
		if m.largest = loss.RelativeWeights(votes, own, m.loss); math.IsInf(m.largest, 0) {
			m.largest = 0
		}
		for a, i := range counted {
			weights[i] = votes[a] * t.weight(i)
		}
		if full := judging.FullWeight(m.loss, squared, t.weights); !math.IsInf(full, 0) {
			m.largest = full
		}
	}
	for i, s := range squared {
		if w := t.weight(i); w > 0 {
			m.inertia = math.Min(m.inertia+w*s, math.MaxFloat64)
		}
	}
	m.cutoffs = cutoff.Limits(labels, t.weights, k.Clusters, t.rounding(), k.leftOut(t, labels, distances, weights), k.trusted(t, weights))
	for c := range m.cutoffs {
		m.cutoffs[c] /= t.unit
	}
	m.training = m.judge(slices.Clone(labels), distances)
	m.warn()
	return m, nil
}

// leftOut tells squared distances of rows, in the units of the table, from the centers that
// the other rows of their cluster would have: what new rows have on average. NaN for a row
// without others.
func (k KMeans) leftOut(t *table, labels []int, distances, weights []float64) func(i int) float64 {
	mass := make([]float64, k.Clusters)
	for i, c := range labels {
		mass[c] += weights[i]
	}
	return func(i int) float64 {
		all := mass[labels[i]]
		others := all - weights[i]/math.Max(1, t.weight(i)) // of repeated rows, one is left out
		if !(others > 1e-9*all) {
			return math.NaN()
		}
		return square(distances[i] * t.unit * (all / others))
	}
}

// trusted tells which rows are surely no outliers: those that were kept, or whose vote is
// not far below the usual.
func (k KMeans) trusted(t *table, weights []float64) func(i int) bool {
	least := math.SmallestNonzeroFloat64
	if k.weighs() {
		votes := make([]float64, 0, t.n)
		for _, i := range t.spaced(10001) {
			votes = append(votes, weights[i]/t.weight(i))
		}
		least = math.Max(least, 1e-3*univariate.Median(votes))
	}
	return func(i int) bool { return weights[i] > 0 && weights[i] >= least*t.weight(i) }
}

// warn collects remarks that the user should see.
func (m *Model) warn() {
	empty := 0
	for _, size := range m.Sizes() {
		if size == 0 {
			empty++
		}
	}
	if empty > 0 {
		m.warnings = append(m.warnings, fmt.Sprintf("without a row: %d of %s; there are fewer groups of different rows than that", empty, words.Plural(len(m.cutoffs), "cluster")))
	}
	if m.status == irls.StepLimit {
		m.warnings = append(m.warnings, "the step limit was reached before the centers stood still; raise max-steps")
	}
	if m.loss != nil {
		if ess := m.effective(); ess < 2*float64(len(m.cutoffs)) {
			m.warnings = append(m.warnings, fmt.Sprintf("the weights leave an effective sample of %.1f rows for %d clusters; a wider bandwidth would use more of the data", ess, len(m.cutoffs)))
		}
	}
}

// Centers returns a copy of the centers, one in each row.
func (m *Model) Centers() *mat.Dense { return mat.DenseCopyOf(m.centers) }

// Columns is how many numbers a row has.
func (m *Model) Columns() int { _, columns := m.centers.Dims(); return columns }

// Clusters is how many there are.
func (m *Model) Clusters() int { clusters, _ := m.centers.Dims(); return clusters }

func (m *Model) dims() (columns, clusters int) { k, d := m.centers.Dims(); return d, k }

// Labels are the clusters of the training rows, counted from 0; none where these are so many that they were not in memory.
func (m *Model) Labels() []int { return slices.Clone(m.labels) }

// Sizes are the numbers of training rows in each cluster.
func (m *Model) Sizes() []int {
	out := make([]int, len(m.cutoffs))
	if m.seen != nil {
		for c, n := range m.seen.Sizes {
			out[c] = int(n)
		}
	}
	for _, c := range m.labels {
		out[c]++
	}
	return out
}

// Weights are the votes of the training rows at the end of the fit.
func (m *Model) Weights() []float64 { return slices.Clone(m.weights) }

// Inertia is the sum of squared distances of all training rows from their centers, the
// largest float64 where it is larger.
func (m *Model) Inertia() float64 { return m.inertia }

// Steps is the trace: the mean squared distance, of the rows that are kept or in the terms
// of the loss where the fit is robust. It never rises within a stage.
func (m *Model) Steps() []irls.Step { return slices.Clone(m.steps) }

// Status tells how the fit ended.
func (m *Model) Status() irls.Status { return m.status }

// Loss is the loss at its final bandwidth; nil for ordinary and trimmed k-means.
func (m *Model) Loss() loss.Scaled { return m.loss }

// Warnings are remarks on the fit that its user should see.
func (m *Model) Warnings() []string { return slices.Clone(m.warnings) }

// Rows is the number of training rows.
func (m *Model) Rows() int { return max(m.rows, len(m.labels)) }

// Training is the verdict on the training rows; nil for models read from a file, and where rows were not in memory.
func (m *Model) Training() *verdict.Rows { return m.training }

// OutlyingRows are the outlying training rows, from 0, of a table that [Model.Training] is nil of because it was not in memory;
// false of every other model, and where they are too many to be named.
func (m *Model) OutlyingRows() (rows []int, known bool) {
	if m.seen == nil || m.seen.Flagged != len(m.seen.Rows) {
		return nil, false
	}
	return slices.Clone(m.seen.Rows), true
}

// effective is the effective number of training rows.
func (m *Model) effective() float64 {
	if m.seen != nil {
		return m.seen.effective()
	}
	return loss.EffectiveSampleSize(m.weights)
}
