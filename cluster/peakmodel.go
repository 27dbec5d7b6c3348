package cluster

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/cutoff"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/refusal"
	"github.com/inlier-ml/inlier/verdict"
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
	rows  *mat.Dense // the training rows

	support *mat.Dense // those with weight, which new rows follow
	leads   []int      // their clusters
}

// Fit finds the peaks and the rows that follow them. A source outside memory is read once
// and held.
func (p DensityPeaks) Fit(ctx context.Context, src linalg.Source) (*PeakModel, error) {
	ctx = given.Context(ctx)
	if err := linalg.Given(src); err != nil {
		return nil, err
	}
	n, d := src.Dims()
	switch {
	case n < 2:
		return nil, refusal.Few(n, 2, "%d row given; at least 2 are needed", n)
	case n > MostPeakRows:
		return nil, &refusal.SizeError{
			Rows: n, Most: MostPeakRows, Problem: fmt.Sprintf("density-peaks compares all pairs of rows: %d rows are more than %d", n, MostPeakRows),
			Advice: "kmeans with init=density-peaks uses the peaks of a sample",
		}
	case p.Clusters < 0:
		return nil, refusal.Parameter("clusters", p.Clusters, "must not be negative")
	case !(p.Density.Reach >= 0) || math.IsInf(p.Density.Reach, 1):
		return nil, refusal.Parameter("dc", p.Density.Reach, "must be finite and not negative")
	case !(p.Density.Percent >= 0 && p.Density.Percent <= 100):
		return nil, refusal.Parameter("percent", p.Density.Percent, "must be between 0 and 100")
	case p.Weights != nil && len(p.Weights) != n:
		return nil, refusal.Weights("%d weights for %d rows", len(p.Weights), n)
	}
	x, err := linalg.Load(ctx, src)
	if err != nil {
		return nil, err
	}
	t, err := newTable(ctx, linalg.FromDense(x), p.Weights, false)
	if err != nil {
		return nil, err
	}
	if float64(p.Clusters) > t.size() {
		return nil, tooMany(p.Clusters, int(t.size()))
	}
	rows := t.countedRows()
	points, err := t.points(ctx, rows)
	if err != nil {
		return nil, err
	}
	p.Density.Reach *= t.unit
	g, err := points.graph(ctx, p.Density)
	if err != nil {
		return nil, err
	}
	k := p.Clusters
	if k == 0 {
		k = g.Suggested()
	}
	k = min(k, len(rows))
	found := g.assign(g.Peaks(k))
	halo, err := points.halo(ctx, g, found, k)
	if err != nil {
		return nil, err
	}
	m := &PeakModel{graph: g.spread(rows, n, t.unit), rows: mat.DenseCopyOf(x), halo: make([]bool, n)}
	base := &Model{centers: mat.NewDense(k, d, nil), labels: make([]int, n), weights: make([]float64, n), status: irls.Converged}
	for c, a := range g.Peaks(k) {
		m.peaks = append(m.peaks, rows[a])
		base.centers.SetRow(c, x.RawRowView(rows[a]))
	}
	for a, i := range rows {
		base.labels[i], m.halo[i], base.weights[i] = found[a], halo[a], t.weight(i)
	}
	m.Model = base
	m.follow()
	if len(rows) < n { // rows without weight are like new ones
		near, _, err := closestRows(ctx, linalg.FromDense(x), m.support)
		if err != nil {
			return nil, err
		}
		for i, a := range near {
			if t.weight(i) == 0 {
				base.labels[i] = m.leads[a]
			}
		}
	}
	distances, trusted := make([]float64, n), func(i int) bool { return base.weights[i] > 0 }
	for i, c := range base.labels {
		distances[i] = linalg.Distance(x.RawRowView(i), base.centers.RawRowView(c))
		if trusted(i) {
			base.inertia = math.Min(base.inertia+base.weights[i]*square(distances[i]), math.MaxFloat64)
		}
	}
	base.cutoffs = cutoff.Limits(base.labels, p.Weights, k, t.rounding(), func(i int) float64 { return square(distances[i] * t.unit) }, trusted)
	for c := range base.cutoffs {
		base.cutoffs[c] /= t.unit
	}
	base.training = base.judge(slices.Clone(base.labels), distances)
	return m, nil
}

// spread gives the graph of some rows a place in a table of n, in the units of the data;
// other rows have density 0.
func (g *Graph) spread(rows []int, n int, unit float64) *Graph {
	out := &Graph{Density: make([]float64, n), Distance: make([]float64, n), Higher: make([]int, n), Reach: g.Reach / unit, total: g.total}
	for i := range out.Higher {
		out.Higher[i] = -1
	}
	for a, i := range rows {
		out.Density[i], out.Distance[i] = g.Density[a], g.Distance[a]/unit
		if h := g.Higher[a]; h >= 0 {
			out.Higher[i] = rows[h]
		}
	}
	for _, a := range g.order {
		out.order = append(out.order, rows[a])
	}
	return out
}

// follow lists the training rows that new rows can follow: those with weight.
func (m *PeakModel) follow() {
	_, d := m.rows.Dims()
	var data []float64
	m.leads = nil
	for i, w := range m.weights {
		if w > 0 {
			data = append(data, m.rows.RawRowView(i)...)
			m.leads = append(m.leads, m.labels[i])
		}
	}
	m.support = mat.NewDense(len(m.leads), d, data)
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
func (m *PeakModel) Judge(ctx context.Context, x *mat.Dense) (*verdict.Rows, error) {
	ctx = given.Context(ctx)
	near, distances, err := closestRows(ctx, linalg.FromDense(x), m.support)
	if err != nil {
		return nil, err
	}
	for i, a := range near {
		near[i] = m.leads[a]
		distances[i] = linalg.Distance(x.RawRowView(i), m.centers.RawRowView(near[i]))
	}
	return m.judge(near, distances), nil
}

// Predict gives every row the cluster of the nearest training row.
func (m *PeakModel) Predict(ctx context.Context, x *mat.Dense) (*verdict.Prediction, error) {
	ctx = given.Context(ctx)
	judged, err := m.Judge(ctx, x)
	if err != nil {
		return nil, err
	}
	return &verdict.Prediction{Labels: judged.Label}, nil
}

// peakParts is everything a model file needs to bring a PeakModel back.
type peakParts struct {
	parts
	Rows              *mat.Dense // the training rows
	Density, Distance []float64
	Reach             float64
}

// parts returns copies of everything that makes up the model.
func (m *PeakModel) parts() peakParts {
	return peakParts{
		parts: m.Model.parts(), Rows: mat.DenseCopyOf(m.rows),
		Density: slices.Clone(m.graph.Density), Distance: slices.Clone(m.graph.Distance), Reach: m.graph.Reach,
	}
}

// peaksFromParts makes the model again. What only the fit needs (who follows whom) is not
// kept.
func peaksFromParts(p peakParts) (*PeakModel, error) {
	base, err := fromParts(p.parts)
	if err != nil {
		return nil, err
	}
	if p.Rows == nil || p.Rows.IsEmpty() {
		return nil, fmt.Errorf("cluster: the model has no training rows")
	}
	n, d := p.Rows.Dims()
	if want, _ := base.dims(); d != want {
		return nil, fmt.Errorf("cluster: training rows of %d columns and centers of %d", d, want)
	}
	if len(p.Labels) != n || len(p.Density) != n || len(p.Distance) != n {
		return nil, fmt.Errorf("cluster: %d labels, %d densities and %d distances for %d training rows", len(p.Labels), len(p.Density), len(p.Distance), n)
	}
	if len(p.Weights) != n {
		return nil, fmt.Errorf("cluster: %d weights for %d training rows", len(p.Weights), n)
	}
	g := &Graph{Density: slices.Clone(p.Density), Distance: slices.Clone(p.Distance), Reach: p.Reach}
	for i, w := range p.Weights {
		if w > 0 {
			g.order = append(g.order, i)
			g.total += math.Max(w, 1)
		}
	}
	slices.SortStableFunc(g.order, g.denser)
	_, k := base.dims()
	if len(g.order) < k {
		return nil, fmt.Errorf("cluster: %d centers and %d training rows with weight", k, len(g.order))
	}
	m := &PeakModel{Model: base, graph: g, peaks: g.Peaks(k), rows: mat.DenseCopyOf(p.Rows)}
	m.follow()
	return m, nil
}
