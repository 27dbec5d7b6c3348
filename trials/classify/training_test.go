package classify

import (
	"math"
	"testing"

	"github.com/inlier-ml/inlier/classify"
	"github.com/inlier-ml/inlier/kernel"
	"github.com/inlier-ml/inlier/linalg"
)

// The verdict on the training rows, which is made of the scores of the fit, is that of Judge.
func TestTrainingIsJudge(t *testing.T) {
	x, labels := rowData()
	check := func(name string, m *classify.Model, err error) {
		if err != nil {
			t.Fatal(name, err)
		}
		want, err := m.Judge(t.Context(), x, labels)
		if err != nil {
			t.Fatal(name, err)
		}
		for i := range labels {
			a, b := m.Training().Row(i), want.Row(i)
			if a.Kind != b.Kind || a.Label != b.Label || math.Abs(a.Residual-b.Residual) > 1e-9 || math.Abs(a.Weight-b.Weight) > 1e-9 {
				t.Errorf("%s, row %d: %+v, Judge says %+v", name, i, a, b)
			}
		}
	}
	for _, o := range []classify.Options{{}, {Kernel: kernel.Kernel{Kind: kernel.RBF}}} {
		src := linalg.FromDense(x)
		m, err := classify.Square{Options: o}.Fit(t.Context(), src, labels, 3)
		check("square", m, err)
		m, err = classify.Hinge{Options: o}.Fit(t.Context(), src, labels, 3)
		check("hinge", m, err)
		m, err = classify.Logistic{Options: o}.Fit(t.Context(), src, labels, 3)
		check("logistic", m, err)
		m, err = classify.RegMaxCEM{Options: o}.Fit(t.Context(), src, labels, 3)
		check("regmaxcem", m, err)
	}
}
