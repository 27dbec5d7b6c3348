package cluster

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
)

// DensityPeaks is the clustering by density peaks of Rodriguez and Laio (2014): centers
// are rows of high density far from every denser row, and every other row follows the
// nearest row that is denser than itself. Clusters may have any shape. All pairs of rows
// are compared, so tables of more than MostPeakRows rows are refused.
type DensityPeaks struct {
	// Clusters is the number of peaks. Zero: what the decision graph suggests.
	Clusters int
	// Density says how densities are measured.
	Density Density
	// Weights of the rows; nil: one each. An integer weight acts like repeated rows.
	Weights []float64
}

// PeakModel is a clustering by density peaks. Its centers are rows of the training data.
type PeakModel struct {
	*Model
	graph *Graph
	peaks []int
	halo  []bool
	rows  *mat.Dense // the training rows, which new rows follow
}

// Fit finds the peaks and the rows that follow them.
func (p DensityPeaks) Fit(ctx context.Context, x *mat.Dense) (*PeakModel, error) {
	n, d := x.Dims()
	switch {
	case n < 2:
		return nil, fmt.Errorf("cluster: %d row given; at least 2 are needed", n)
	case n > MostPeakRows:
		return nil, &SizeError{Rows: n}
	case p.Clusters < 0 || p.Density.Reach < 0 || !(p.Density.Percent >= 0 && p.Density.Percent <= 100):
		return nil, fmt.Errorf("cluster: %d clusters, reach %g and %g percent must not be negative", p.Clusters, p.Density.Reach, p.Density.Percent)
	case p.Weights != nil && len(p.Weights) != n:
		return nil, fmt.Errorf("cluster: %d weights for %d rows", len(p.Weights), n)
	case p.Clusters > n:
		return nil, &CountError{Clusters: p.Clusters, Rows: n}
	}
	t, err := newTable(ctx, linalg.FromDense(x), p.Weights)
	if err != nil {
		return nil, err
	}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	points, err := t.points(ctx, all)
	if err != nil {
		return nil, err
	}
	g, err := points.graph(ctx, p.Density)
	if err != nil {
		return nil, err
	}
	k := p.Clusters
	if k == 0 {
		k = g.Suggested()
	}
	m := &PeakModel{graph: g, peaks: g.Peaks(k), rows: mat.DenseCopyOf(x)}
	labels := g.assign(m.peaks)
	centers := mat.NewDense(k, d, nil)
	for c, i := range m.peaks {
		centers.SetRow(c, x.RawRowView(i))
	}
	squared, weights := make([]float64, n), make([]float64, n)
	base := &Model{centers: centers, labels: labels, weights: weights, status: irls.Converged}
	for i, c := range labels {
		squared[i] = squaredDistance(x.RawRowView(i), centers.RawRowView(c))
		weights[i] = t.weight(i)
		base.inertia += weights[i] * squared[i]
	}
	base.cutoffs = Cutoffs(labels, squared, weights, k, t.rounding())
	for i, c := range labels {
		if math.Sqrt(squared[i]) > base.cutoffs[c] {
			base.outliers++
		}
	}
	m.Model = base
	m.halo, err = points.halo(ctx, g, labels, k)
	return m, err
}

// halo marks the rows that the paper calls halo or noise: those less dense than the
// border of their cluster, which is the highest mean density of a row and a row of
// another cluster that is within reach of it.
func (p *points) halo(ctx context.Context, g *Graph, labels []int, k int) ([]bool, error) {
	strips := make([][]float64, (p.n+side-1)/side)
	err := p.strips(ctx, func(i0, i1 int, tile []float64) {
		border := make([]float64, k)
		for j0 := 0; j0 < p.n; j0 += side {
			j1 := min(j0+side, p.n)
			p.tile(i0, i1, j0, j1, tile)
			for i := i0; i < i1; i++ {
				for c, s := range tile[(i-i0)*(j1-j0) : (i-i0+1)*(j1-j0)] {
					if j := j0 + c; labels[i] != labels[j] && s <= g.Reach*g.Reach {
						border[labels[i]] = math.Max(border[labels[i]], (g.Density[i]+g.Density[j])/2)
					}
				}
			}
		}
		strips[i0/side] = border
	})
	if err != nil {
		return nil, err
	}
	border := make([]float64, k)
	for _, s := range strips {
		for c, v := range s {
			border[c] = math.Max(border[c], v)
		}
	}
	out := make([]bool, p.n)
	for i, c := range labels {
		out[i] = g.Density[i] < border[c]
	}
	return out, nil
}

// SizeError is a table of more than MostPeakRows rows.
type SizeError struct{ Rows int }

// Error is one line.
func (e *SizeError) Error() string {
	return fmt.Sprintf("cluster: density peaks compare all pairs of rows: %d rows are more than %d", e.Rows, MostPeakRows)
}

// Graph is the decision graph of the training rows.
func (m *PeakModel) Graph() *Graph {
	g := *m.graph
	g.Density, g.Distance, g.Higher = slices.Clone(g.Density), slices.Clone(g.Distance), slices.Clone(g.Higher)
	return &g
}

// Peaks are the rows that are centers, in the order of the labels.
func (m *PeakModel) Peaks() []int { return slices.Clone(m.peaks) }

// Halo marks the training rows on the borders between clusters and in thin surroundings.
func (m *PeakModel) Halo() []bool { return slices.Clone(m.halo) }

// Judge gives every row the cluster of the nearest training row and measures its distance
// from that cluster's center.
func (m *PeakModel) Judge(ctx context.Context, x *mat.Dense) (*Judgement, error) {
	near, squared, err := nearestRow(ctx, x, m.rows)
	if err != nil {
		return nil, err
	}
	for i, row := range near {
		near[i] = m.labels[row]
		squared[i] = squaredDistance(x.RawRowView(i), m.centers.RawRowView(near[i]))
	}
	return m.judge(near, squared), nil
}

// PeakParts is everything a model file needs to bring a PeakModel back.
type PeakParts struct {
	Parts
	Rows              *mat.Dense // the training rows
	Density, Distance []float64
	Reach             float64
}

// Parts returns copies of everything that makes up the model.
func (m *PeakModel) Parts() PeakParts {
	return PeakParts{
		Parts: m.Model.Parts(), Rows: mat.DenseCopyOf(m.rows),
		Density: slices.Clone(m.graph.Density), Distance: slices.Clone(m.graph.Distance), Reach: m.graph.Reach,
	}
}

// PeaksFromParts makes the model again. What only the fit needs (who follows whom) is not
// kept.
func PeaksFromParts(p PeakParts) (*PeakModel, error) {
	base, err := FromParts(p.Parts)
	if err != nil {
		return nil, err
	}
	if p.Rows == nil || p.Rows.IsEmpty() {
		return nil, fmt.Errorf("cluster: the model has no training rows")
	}
	n, d := p.Rows.Dims()
	if want, _ := base.Dims(); d != want {
		return nil, fmt.Errorf("cluster: training rows of %d columns and centers of %d", d, want)
	}
	if len(p.Labels) != n || len(p.Density) != n || len(p.Distance) != n {
		return nil, fmt.Errorf("cluster: %d labels, %d densities and %d distances for %d training rows", len(p.Labels), len(p.Density), len(p.Distance), n)
	}
	g := &Graph{Density: slices.Clone(p.Density), Distance: slices.Clone(p.Distance), Reach: p.Reach}
	g.order = make([]int, n)
	for i := range g.order {
		g.order[i] = i
	}
	slices.SortStableFunc(g.order, g.denser)
	_, k := base.Dims()
	return &PeakModel{Model: base, graph: g, peaks: g.Peaks(k), rows: mat.DenseCopyOf(p.Rows)}, nil
}
