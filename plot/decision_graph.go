package plot

import (
	"context"
	"fmt"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/cluster"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/report"
)

// decisive is a clustering that chooses its centers by a decision graph.
type decisive interface {
	Graph() *cluster.Graph
	Peaks() []int
}

func decisionGraph() Kind {
	return Kind{
		Name: "decision-graph", Needs: Needs{Subject: OfModels},
		Shows:   "local density and distance to a denser row: cluster centers stand out at the upper right",
		Of:      "clusterings by density peaks",
		Example: Example{Of: "density.npz", Out: "decision.svg"},
		fits:    func(m *fitted) bool { _, ok := catalog.As[decisive](m.learner()); return ok },
		draw: func(_ context.Context, j *job) (*Drawing, error) {
			graph, _ := catalog.As[decisive](j.models[0].learner())
			shown, centers := graph.Graph(), graph.Peaks()
			density, distance := shown.Density, shown.Distance
			title := fmt.Sprintf("Decision graph of %s", words.Plural(len(density), "row"))
			text := "Centers have many neighbours and lie far from every row with more of them. Rows at the upper left have no neighbours: outliers."
			return &Drawing{Title: title, Sections: []Section{{text, report.DecisionGraph(title, density, distance, centers)}},
				Result: map[string]any{"density": report.Numbers(density), "distance": report.Numbers(distance), "center_rows": oneBased(centers)}}, nil
		},
	}
}
