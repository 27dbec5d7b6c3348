package cluster

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/loss"
)

// Model is a set of centers with how far rows usually lie from them. It never changes and
// may be used by many goroutines.
type Model struct {
	centers *mat.Dense
	cutoffs []float64 // distance from each center beyond which a row is an outlier
	loss    loss.Loss // nil: every row has one vote
	largest float64   // log-weight that counts as 1
	radius  float64   // distance beyond which rows were trimmed; 0: none were

	labels   []int // of the training rows
	weights  []float64
	steps    []irls.Step
	status   irls.Status
	inertia  float64
	warnings []string
	outliers int
}

// finish computes labels, distances, weights and cut-offs at the centers that were found.
// It is done even when the search was cancelled.
func (k KMeans) finish(ctx context.Context, t *table, best result) (*Model, error) {
	ctx = context.WithoutCancel(ctx)
	labels, squared, weights := make([]int32, t.n), make([]float64, t.n), make([]float64, t.n)
	if err := t.nearest(ctx, best.centers, labels, squared); err != nil {
		return nil, err
	}
	m := &Model{centers: t.outside(best.centers), steps: best.steps, status: best.status, weights: weights}
	for i := range weights {
		weights[i] = t.weight(i)
	}
	switch {
	case k.Trim > 0:
		t.keep(squared, k.Trim, weights)
		for i, w := range weights {
			if w > 0 {
				m.radius = math.Max(m.radius, math.Sqrt(squared[i]))
			}
		}
	case k.Loss != loss.Spec{} && best.steps != nil:
		m.loss = k.Loss.At(best.scale)
		if m.largest = loss.RelativeWeights(weights, squared, m.loss); math.IsInf(m.largest, 0) {
			m.largest = 0
		}
		for i := range weights {
			weights[i] *= t.weight(i)
		}
	}
	for i, s := range squared {
		m.inertia += t.weight(i) * s
	}
	m.labels = make([]int, t.n)
	for i, c := range labels {
		m.labels[i] = int(c)
	}
	m.cutoffs = Cutoffs(m.labels, squared, weights, k.Clusters, t.rounding())
	for i, c := range m.labels {
		if math.Sqrt(squared[i]) > m.cutoffs[c] {
			m.outliers++
		}
	}
	m.warn(t)
	return m, nil
}

// warn collects remarks that the user should see.
func (m *Model) warn(t *table) {
	empty := 0
	for _, size := range m.Sizes() {
		if size == 0 {
			empty++
		}
	}
	if empty > 0 {
		m.warnings = append(m.warnings, fmt.Sprintf("%d of %d clusters have no rows: there are fewer groups of different rows than that", empty, len(m.cutoffs)))
	}
	if m.status == irls.StepLimit {
		m.warnings = append(m.warnings, "the step limit was reached before the centers stood still; raise max-steps")
	}
	if m.loss != nil {
		if ess := loss.EffectiveSampleSize(m.weights); ess < 2*float64(len(m.cutoffs)) {
			m.warnings = append(m.warnings, fmt.Sprintf("the weights leave an effective sample of %.1f rows for %d clusters; a wider bandwidth would use more of the data", ess, len(m.cutoffs)))
		}
	}
}

// Cutoffs is, for each cluster, the 97.5 % limit of the distance of a regular row from its
// center. Distances to the power 2/3 are nearly normal (Wilson and Hilferty), so the limit
// comes from their median and median absolute deviation among the rows with a vote. A
// cluster of fewer than ten such rows shares the limit of all rows. squared holds squared
// distances from the own center; least is a distance that counts as rounding.
func Cutoffs(labels []int, squared, weights []float64, k int, least float64) []float64 {
	groups := make([][]float64, k)
	var all []float64
	for i, c := range labels {
		if weights[i] > 0 {
			v := math.Cbrt(squared[i])
			groups[c] = append(groups[c], v)
			all = append(all, v)
		}
	}
	pooled := math.Max(regularLimit(all), least)
	out := make([]float64, k)
	for c, g := range groups {
		out[c] = pooled
		if len(g) >= 10 {
			out[c] = math.Max(regularLimit(g), least)
		}
	}
	return out
}

// regularLimit takes distances to the power 2/3 and returns a distance.
func regularLimit(power []float64) float64 {
	if len(power) == 0 {
		return 0
	}
	const normal = 1.959963984540054 // 97.5 % of the normal distribution
	centre, spread := univariate.Deviation(slices.Clone(power))
	return math.Pow(centre+normal*spread, 1.5)
}

// Centers returns a copy of the centers, one in each row.
func (m *Model) Centers() *mat.Dense { return mat.DenseCopyOf(m.centers) }

// Dims returns the number of columns and of clusters.
func (m *Model) Dims() (columns, clusters int) { k, d := m.centers.Dims(); return d, k }

// Labels are the clusters of the training rows, counted from 0.
func (m *Model) Labels() []int { return slices.Clone(m.labels) }

// Sizes are the numbers of training rows in each cluster.
func (m *Model) Sizes() []int {
	out := make([]int, len(m.cutoffs))
	for _, c := range m.labels {
		out[c]++
	}
	return out
}

// Weights are the votes of the training rows at the end of the fit.
func (m *Model) Weights() []float64 { return slices.Clone(m.weights) }

// Inertia is the sum of squared distances of all training rows from their centers.
func (m *Model) Inertia() float64 { return m.inertia }

// Steps is the trace: the mean squared distance, of the rows that are kept or in the terms
// of the loss where the fit is robust. It never rises within a stage.
func (m *Model) Steps() []irls.Step { return slices.Clone(m.steps) }

// Status tells how the fit ended.
func (m *Model) Status() irls.Status { return m.status }

// Loss is the loss at its final bandwidth; nil for ordinary and trimmed k-means.
func (m *Model) Loss() loss.Loss { return m.loss }

// Warnings are remarks on the fit that its user should see.
func (m *Model) Warnings() []string { return slices.Clone(m.warnings) }

// OutlierCount is the number of training rows beyond the cut-off of their cluster.
func (m *Model) OutlierCount() int { return m.outliers }
