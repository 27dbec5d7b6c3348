package plot

import (
	"context"
	"fmt"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/report"
)

func weights() Kind {
	return Kind{
		Name: "weights", Needs: Needs{Subject: OfModels},
		Shows:   "the weight of every training row, and how many rows have which weight",
		Of:      "models that weigh their training rows",
		Example: Example{Of: "sales.npz", Out: "weights.svg"},
		fits:    func(m *fitted) bool { w, _ := Weights(m.Model); return w != nil },
		draw: func(_ context.Context, j *job) (*Drawing, error) {
			m := j.models[0]
			w, outputs := Weights(m.Model)
			title := "Weights of the training rows of " + m.about.Method
			text := "The vote of each training row: 1 is a full vote, 0 is none."
			if outputs > 1 {
				text = fmt.Sprintf("The vote of each training row, the mean over %d outputs: 1 is a full vote, 0 is none.", outputs)
			}
			return &Drawing{Title: title, Sections: []Section{{text, report.Weights(title, w, lowWeight)}},
				Result: map[string]any{"method": m.about.Method, "weights": report.Numbers(w)}}, nil
		},
	}
}

// lowWeight marks rows that have lost nearly all of their vote.
const lowWeight = 0.1

// Weights are the weights of a model's training rows; where every output has its own, a
// row has their mean. Nil when the model keeps none.
func Weights(m catalog.Model) (weights []float64, outputs int) {
	a, ok := m.State().Arrays["weights"]
	if !ok || len(a.Data) == 0 {
		return nil, 0
	}
	if len(a.Shape) != 2 || a.Shape[1] < 1 {
		return a.Data, 1
	}
	rows, outputs := a.Shape[0], a.Shape[1]
	mean := make([]float64, rows)
	for i := range mean {
		for _, w := range a.Data[i*outputs : (i+1)*outputs] {
			mean[i] += w / float64(outputs)
		}
	}
	return mean, outputs
}
