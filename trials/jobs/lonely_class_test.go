package jobs

import (
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset"
)

// A class of a single row is learned, and told; a target most of whose rows are alone in their class is refused.
func TestClassesOfASingleRow(t *testing.T) {
	g := rand.New(rand.NewPCG(5, 6))
	const n = 41
	x, labels, names := mat.NewDense(n, 2, nil), make([]int, n), make([]int, n)
	for i := range labels {
		labels[i], names[i] = i%2, i
		x.SetRow(i, []float64{g.NormFloat64() + 4*float64(i%2), g.NormFloat64()})
	}
	labels[n-1] = 2
	x.SetRow(n-1, []float64{2, 9})
	called := strings.Fields(strings.Repeat("one ", n))
	for i := range called {
		called[i] += string(rune('A' + i))
	}
	for _, method := range []string{"regmaxcem", "logistic", "hinge", "square", "elm", "elm-rcc", "nearest-center"} {
		data := inlier.Data{Set: &dataset.Set{X: x, Target: &dataset.Target{Name: "kind", Labels: labels, Classes: []string{"x", "y", "lonely"}}}}
		fit, err := inlier.Fit{Method: method, Data: data}.Run(t.Context(), nil)
		if err != nil {
			t.Errorf("%s: %v", method, err)
			continue
		}
		if told := strings.Contains(strings.Join(fit.Warnings, "\n"), `"lonely"`); !told {
			t.Errorf("%s says nothing of the class with a single row: %q", method, fit.Warnings)
		}
		data = inlier.Data{Set: &dataset.Set{X: x, Target: &dataset.Target{Name: "kind", Labels: names, Classes: called}}}
		if _, err := (inlier.Fit{Method: method, Data: data}).Run(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "the only one of their class") {
			t.Errorf("%s: a target of names: %v", method, err)
		}
	}
}
