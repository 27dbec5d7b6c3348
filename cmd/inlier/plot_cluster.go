package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/cluster"
	"github.com/inlier-ml/inlier/report"
)

// decisive is a clustering by density peaks.
type decisive interface {
	DecisionGraph() (density, distance []float64, centers []int)
}

// learner is the last step of a model.
func learner(m *opened) catalog.Model {
	if c, ok := m.model.(catalog.Chained); ok {
		return c.Learner()
	}
	return m.model
}

// clusterKinds are pictures of clusterings.
func clusterKinds() []plotKind {
	return []plotKind{
		{
			name: "decision-graph", takes: []string{"MODEL"},
			shows:   "local density and distance to a denser row: cluster centers stand out at the upper right",
			of:      "density-peaks",
			example: "inlier plot decision-graph density.npz --out decision.svg",
			fits:    func(m *opened) bool { _, ok := learner(m).(decisive); return ok },
			draw: func(_ context.Context, a *app, _ *plotRequest, args []string) (*drawing, error) {
				m, err := a.modelFor("decision-graph", args[0])
				if err != nil {
					return nil, err
				}
				density, distance, centers := learner(m).(decisive).DecisionGraph()
				title := fmt.Sprintf("Decision graph of %s", plural(len(density), "row"))
				return &drawing{title: title,
					sections: []curveSection{{"Centers have many neighbours and lie far from every row with more of them. Rows at the upper left have no neighbours: outliers.", report.DecisionGraph(title, density, distance, centers)}},
					result:   map[string]any{"density": numbers(density), "distance": numbers(distance), "center_rows": oneBased(centers)}}, nil
			},
		},
		{
			name: "similarity", takes: []string{"MODEL", "DATA"},
			shows:   "how alike rows are, ordered by cluster: clusters are bright squares on the diagonal",
			of:      "clusterings and classifiers",
			long:    fmt.Sprintf("Similarity is exp(-distance^2 / median distance^2), behind a reduction between the reduced rows. Of more than\n%d rows that many are taken, evenly spread, unless --rows says how many (at most %d).", usualSimilar, cluster.MostSimilarRows),
			example: "inlier plot similarity digits.npz digits.csv --out similarity.png",
			fits: func(m *opened) bool {
				_, ok := m.model.(catalog.Predictor)
				return ok && (m.about.Task == catalog.Cluster || m.about.Task == catalog.Classify)
			},
			flags: func(c *cobra.Command, r *plotRequest) {
				c.Flags().IntVar(&r.count, "rows", 0, fmt.Sprintf("compare at most so many rows (default %d)", usualSimilar))
			},
			draw: func(ctx context.Context, a *app, r *plotRequest, args []string) (*drawing, error) {
				return a.similarity(ctx, r, args)
			},
		},
	}
}

// usualSimilar is how many rows a similarity matrix has at most unless asked for more.
const usualSimilar = 1000

func (a *app) similarity(ctx context.Context, r *plotRequest, args []string) (*drawing, error) {
	if r.count < 0 || r.count > cluster.MostSimilarRows {
		return nil, usage(fmt.Sprintf("from 1 to %d", cluster.MostSimilarRows), "--rows %d is not allowed", r.count)
	}
	m, err := a.modelFor("similarity", args[0])
	if err != nil {
		return nil, err
	}
	set, err := a.loadFor(ctx, m, args[1], r.data, false)
	if err != nil {
		return nil, err
	}
	n := set.Rows()
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	chosen := spread(all, orDefault(r.count, usualSimilar))
	part := set.Subset(chosen)
	made, err := m.model.(catalog.Predictor).Predict(ctx, part.X)
	if err != nil {
		return nil, err
	}
	x := part.X
	if c, ok := m.model.(catalog.Chained); ok {
		if x, err = c.Reducer().Transform(ctx, x); err != nil {
			return nil, err
		}
	}
	s, order, err := cluster.Similarity(ctx, x, made.Labels)
	if err != nil {
		return nil, err
	}
	g := report.Grid{Colors: report.Sequential, Key: "similarity", Min: 0, Max: 1, X: report.Axis{Label: "rows by cluster"}}
	for i := range order {
		g.Values = append(g.Values, s.RawRowView(i))
		if i > 0 && made.Labels[order[i]] != made.Labels[order[i-1]] {
			g.Blocks = append(g.Blocks, i)
		}
	}
	title := "Similarity of rows by " + m.about.Method
	text := "Bright squares on the diagonal are clusters whose rows are alike; thin lines are their borders."
	if len(chosen) < n {
		text = fmt.Sprintf("%d of %s, evenly spread. ", len(chosen), plural(n, "row")) + text
	}
	table, result := withinBetween(s, order, made.Labels, m.about.Classes)
	for _, l := range result {
		g.BlockNames = append(g.BlockNames, l.Cluster)
	}
	for k, i := range order {
		order[k] = chosen[i] + 1
	}
	return &drawing{title: title, sections: []curveSection{{text, report.HeatMap(title, g)}}, table: table,
		result: map[string]any{"rows": len(chosen), "of": n, "order": order, "clusters": result}}, nil
}

// clusterLine is how alike the rows of a cluster are.
type clusterLine struct {
	Cluster string `json:"cluster"`
	Rows    int    `json:"rows"`
	Within  number `json:"within"`  // mean similarity of its rows to each other
	Between number `json:"between"` // and to the rows of other clusters
}

func withinBetween(s *mat.Dense, order, labels []int, classes []string) (*report.Table, []clusterLine) {
	t := &report.Table{Columns: []report.Column{{Name: "cluster"}, {Name: "rows"}, {Name: "within", Format: "%.3f"}, {Name: "between", Format: "%.3f"}},
		Notes: []string{"within, between: mean similarity of the cluster's rows to each other and to all other rows."}}
	var lines []clusterLine
	n := len(order)
	for first := 0; first < n; {
		label := labels[order[first]]
		last := first
		for last < n && labels[order[last]] == label {
			last++
		}
		in, out := 0.0, 0.0
		for i := first; i < last; i++ {
			row := s.RawRowView(i)
			inside := floats.Sum(row[first:last])
			in += inside - row[i]
			out += floats.Sum(row) - inside
		}
		size := float64(last - first)
		name := strconv.Itoa(label + 1)
		if label < len(classes) {
			name = classes[label]
		}
		l := clusterLine{Cluster: name, Rows: last - first, Within: number(in / (size * (size - 1))), Between: number(out / (size * (float64(n) - size)))}
		lines = append(lines, l)
		t.Add(l.Cluster, l.Rows, float64(l.Within), float64(l.Between))
		first = last
	}
	return t, slices.Clip(lines)
}
