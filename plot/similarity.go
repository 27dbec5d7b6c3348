package plot

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/cluster"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/report"
)

func similarity() Kind {
	return Kind{
		Name: "similarity", Needs: Needs{Subject: OfModels, Data: true},
		Shows: "how alike rows are, ordered by cluster: clusters are bright squares on the diagonal",
		Of:    "clusterings and classifiers",
		About: fmt.Sprintf("Similarity is exp(-distance^2 / median distance^2), behind a reduction between the reduced rows. Of more than\n%d rows that many are taken, evenly spread, unless --rows says how many (at most %d).", usualSimilar, cluster.MostSimilarRows),
		Params: []Param{{Name: "rows", Kind: catalog.Integer, Min: 1, Max: cluster.MostSimilarRows, Range: fmt.Sprintf("from 1 to %d", cluster.MostSimilarRows),
			Default: strconv.Itoa(usualSimilar), Meaning: "compare at most so many rows"}},
		Example: Example{Of: "digits.npz digits.csv", Out: "similarity.png"},
		fits: func(m *fitted) bool {
			_, ok := m.Model.(catalog.Predictor)
			return ok && (m.about.Task == catalog.Cluster || m.about.Task == catalog.Classify)
		},
		draw: drawSimilarity,
	}
}

// usualSimilar is how many rows a similarity matrix has at most unless asked for more.
const usualSimilar = 1000

func drawSimilarity(ctx context.Context, j *job) (*Drawing, error) {
	m, set := j.models[0], j.data
	n := set.Rows()
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	chosen := spread(all, j.int("rows", usualSimilar))
	part := set.Subset(chosen)
	made, err := m.Model.(catalog.Predictor).Predict(ctx, part.X)
	if err != nil {
		return nil, err
	}
	x := part.X
	if c, ok := m.Model.(catalog.Chained); ok {
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
		text = fmt.Sprintf("%d of %s, evenly spread. ", len(chosen), words.Plural(n, "row")) + text
	}
	table, result := withinBetween(s, order, made.Labels, m.about.Classes)
	for _, l := range result {
		g.BlockNames = append(g.BlockNames, l.Cluster)
	}
	for k, i := range order {
		order[k] = chosen[i] + 1
	}
	return &Drawing{Title: title, Sections: []Section{{text, report.HeatMap(title, g)}}, Table: table,
		Result: map[string]any{"rows": len(chosen), "of": n, "order": order, "clusters": result}}, nil
}

// clusterLine is how alike the rows of a cluster are.
type clusterLine struct {
	Cluster string        `json:"cluster"`
	Rows    int           `json:"rows"`
	Within  report.Number `json:"within"`  // mean similarity of its rows to each other
	Between report.Number `json:"between"` // and to the rows of other clusters
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
		l := clusterLine{Cluster: name, Rows: last - first, Within: report.Number(in / (size * (size - 1))), Between: report.Number(out / (size * (float64(n) - size)))}
		lines = append(lines, l)
		t.Add(l.Cluster, l.Rows, float64(l.Within), float64(l.Between))
		first = last
	}
	return t, slices.Clip(lines)
}
