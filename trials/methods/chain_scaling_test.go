package methods

import (
	"context"
	"maps"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
)

// unlikeUnits has two classes apart in two columns of small numbers beside large ones that say
// nothing, and a column that never changes.
func unlikeUnits(n int) *dataset.Set {
	g := rand.New(rand.NewPCG(5, 8))
	x, labels := mat.NewDense(n, 5, nil), make([]int, n)
	for i := range n {
		labels[i] = i % 2
		a := 3 * float64(labels[i])
		x.SetRow(i, []float64{1e-3 * (a + g.NormFloat64()), 1e4 * g.NormFloat64(), 1e-2 * (a + g.NormFloat64()), 7, 1e5 * g.NormFloat64()})
	}
	set, err := dataset.FromMatrix(x, []string{"a", "b", "c", "d", "e"})
	if err != nil {
		panic(err)
	}
	set.Target = &dataset.Target{Name: "y", Labels: labels, Classes: []string{"p", "q"}}
	return set
}

// accuracyOf is the share of rows with the right class.
func accuracyOf(t *testing.T, m catalog.Model, data *dataset.Set) float64 {
	t.Helper()
	p, err := m.(catalog.Predictor).Predict(context.Background(), data.X)
	if err != nil {
		t.Fatal(err)
	}
	right := 0
	for i, k := range p.Labels {
		if k == data.Target.Labels[i] {
			right++
		}
	}
	return float64(right) / float64(len(p.Labels))
}

// The first step of a chain sees columns of a common size unless it is told otherwise; files
// keep that, and those of old, which do not tell, are not scaled.
func TestChainsScaleColumns(t *testing.T) {
	data := unlikeUnits(160)
	for _, learner := range []string{"nearest-center", "logistic", "nearest-subspace"} {
		params := map[string]string{"reduce": "pca", "reduce.components": "2"}
		none := maps.Clone(params)
		name := "reduce.scaling"
		if learner == "nearest-subspace" {
			params["reduce.components"], none["reduce.components"], name = "1", "1", "scaling"
		}
		none[name] = "none"
		m, plain := fitByName(t, learner, data, params), fitByName(t, learner, data, none)
		scaled := accuracyOf(t, m, data)
		if scaled < 0.9 && learner != "nearest-subspace" || scaled < accuracyOf(t, plain, data) {
			t.Errorf("%s: %.3f are right, without scaling %.3f", learner, scaled, accuracyOf(t, plain, data))
		}
		if used := m.Describe().Parameters[name]; used != "robust" {
			t.Errorf("%s: %s is %q", learner, name, used)
		}
		method, err := catalog.Lookup(learner)
		if err != nil {
			t.Fatal(err)
		}
		back := whole(t, method, m)
		a, _ := m.(catalog.Predictor).Predict(t.Context(), data.X)
		b, err := back.(catalog.Predictor).Predict(t.Context(), data.X)
		if err != nil || !mat.Equal(a.Scores, b.Scores) {
			t.Errorf("%s: a file changes the scores: %v", learner, err)
		}
		if one, two := judged(t, m, data), judged(t, back, data); one.Count() != two.Count() {
			t.Errorf("%s: a file changes the verdicts", learner)
		}
		if _, err := method.Check(map[string]string{"reduce": "pca", "reduce.scaling": "lots"}); err == nil {
			t.Errorf("%s: a scaling that is none is taken", learner)
		}
		if learner == "nearest-subspace" {
			continue
		}
		old := m.State()
		old.Arrays = maps.Clone(old.Arrays)
		for _, part := range []string{"offset", "scale", "low", "high"} {
			delete(old.Arrays, "reduce_input_"+part)
		}
		unscaled, err := method.Restore(old)
		if err != nil {
			t.Fatal(err)
		}
		if p, err := unscaled.(catalog.Predictor).Predict(t.Context(), data.X); err != nil || mat.Equal(p.Scores, a.Scores) {
			t.Errorf("%s: a file without scaling scales: %v", learner, err)
		}
	}
}

// Rows that are images keep their brightness.
func TestChainsLeaveImages(t *testing.T) {
	data := unlikeUnits(60)
	data.Shape = []int{1, 5}
	for _, params := range []map[string]string{{}, {"reduce": "pca", "reduce.components": "2"}} {
		used := fitByName(t, "nearest-center", data, params).Describe().Parameters
		if used["scaling"] != "none" || params["reduce"] != "" && used["reduce.scaling"] == "robust" {
			t.Errorf("images are scaled: %v", used)
		}
	}
}
