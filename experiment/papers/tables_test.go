package papers

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
)

// outspoken is a model whose labels are not those of its largest scores.
type outspoken struct{ catalog.Model }

func (outspoken) Predict(context.Context, *mat.Dense) (*catalog.Prediction, error) {
	return &catalog.Prediction{Labels: []int{1, 1, 1}, Scores: mat.NewDense(3, 2, []float64{2, 1, 3, -1, 0, 5})}, nil
}

// The papers decide by the largest output, whatever probabilities say.
func TestPapersDecideByTheLargestOutput(t *testing.T) {
	set := &dataset.Set{X: mat.NewDense(3, 1, nil), Target: &dataset.Target{Labels: []int{0, 0, 1}, Classes: []string{"a", "b"}}}
	for name, f := range map[string]test{"plain": accuracyOf, "matched": matchedOf} {
		if a, err := f(context.Background(), outspoken{}, set); err != nil || a != 100 {
			t.Errorf("%s: %g %% (%v), want 100", name, a, err)
		}
	}
	labels := &catalog.Prediction{Labels: []int{1, 0, 1}}
	if got := largest(labels); len(got) != 3 || got[0] != 1 {
		t.Errorf("without scores: %v", got)
	}
}
