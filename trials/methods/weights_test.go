package methods

import (
	"context"
	"maps"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/linalg"
)

// An integer weight is the same as that many rows, and weight 0 as none: for the start,
// the fit, the bandwidths and the cut-offs.
func TestIntegerWeightsAreRepeatedRows(t *testing.T) {
	side(t, func(t *testing.T, e entrant) { repeatedRows(t, e, 60) })
}

// The same with what is chosen by the data: nodes, penalties, widths, landmarks, folds.
func TestIntegerWeightsInChoices(t *testing.T) {
	linalg.SetThreads(1)
	defer linalg.SetThreads(0)
	rbf := map[string]string{"kernel": "rbf"}
	for _, c := range []struct {
		method, world string
		params        map[string]string
	}{
		{"elm", "line", nil}, {"relm", "line", nil}, {"elm-rcc", "line", nil}, {"elm-robust", "line", nil},
		{"relm", "line", map[string]string{"scaling": "standard"}},
		{"elm-robust", "line", map[string]string{"scaling": "standard", "loss": "l1", "max-steps": "100"}},
		{"elm-robust", "line", map[string]string{"scaling": "minmax", "loss": "huber", "max-steps": "100"}},
		{"elm-robust", "line", map[string]string{"scaling": "none", "clip": "off", "loss": "tukey"}},
		{"elm-kmpe", "line", map[string]string{"p": "3", "activation": "gaussian"}},
		{"elm-robust", "line", map[string]string{"activation": "tanh", "weighting": "row"}},
		{"relm", "classes", nil}, {"elm-robust", "classes", nil}, {"elm-robust", "classes", map[string]string{"weighting": "row", "scaling": "standard"}},
		{"square", "classes", rbf}, {"logistic", "classes", rbf}, {"regmaxcem", "classes", rbf},
		{"square", "classes", map[string]string{"clip": "auto", "scaling": "robust", "class-weights": "balanced"}},
		{"square", "classes", map[string]string{"kernel": "rbf", "approximation": "nystrom", "features": "12", "calibration": "holdout"}},
		{"square", "classes", map[string]string{"kernel": "rbf", "approximation": "fourier", "features": "20"}},
		{"logistic", "classes", map[string]string{"clip": "auto", "scaling": "minmax"}},
		{"regmaxcem", "classes", map[string]string{"sigma": "cv", "class-weights": "balanced"}},
		{"regmaxcem", "classes", map[string]string{"variant": "element", "scaling": "none"}},
		{"regmaxcem", "classes", map[string]string{"variant": "paper", "kernel": "rbf", "max-steps": "5"}},
	} {
		name := c.method + "," + c.world
		for _, k := range slices.Sorted(maps.Keys(c.params)) {
			name += "," + k + "=" + c.params[k]
		}
		t.Run(name, func(t *testing.T) {
			m, err := catalog.Lookup(c.method)
			if err != nil {
				t.Fatal(err)
			}
			repeatedRows(t, entrant{name, m, c.params, c.world}, 36)
		})
	}
}

// repeatedRows compares a fit of n rows with weights and one with repeated rows.
func repeatedRows(t *testing.T, e entrant, n int) {
	far := newFar(t, e, generate(e.world, n, 2), "rows", 0.1)
	data := far.spoil(20)
	weights := make([]float64, data.Rows())
	for i := range weights {
		weights[i] = float64((i*7 + i/5) % 4)
	}
	if e.method.Name == "hinge" { // its passes go over the rows in an order of their own
		e.params = maps.Clone(e.params)
		e.params["tol"], e.params["max-steps"] = "1e-12", "100000"
	}
	a, err := e.attempt(context.Background(), data, catalog.Run{Seed: 3, Weights: weights})
	if err != nil {
		t.Fatal(err)
	}
	b, err := e.attempt(context.Background(), repeatRows(data, weights), catalog.Run{Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	if d := apart(t, b, a, far.rest); !(d <= 1e-5) {
		t.Errorf("the fit with weights is %.3g apart from that with repeated rows", d)
	}
	if d := scoresApart(t, b, a, far.rest); !(d <= 1e-5) {
		t.Errorf("scores or probabilities with weights are %.3g apart from those with repeated rows", d)
	}
	x, y := judged(t, a, data), judged(t, b, data)
	for name, pair := range map[string][2]float64{
		"orthogonal cut-off": {x.OrthogonalCutoff, y.OrthogonalCutoff}, "score cut-off": {x.ScoreCutoff, y.ScoreCutoff}, "residual cut-off": {x.ResidualCutoff, y.ResidualCutoff},
	} {
		if d := math.Abs(pair[0] - pair[1]); !(d <= 1e-5*pair[1]) && pair[1] != 0 {
			t.Errorf("the %s is %.6g with weights, %.6g with repeated rows", name, pair[0], pair[1])
		}
	}
	for name, pair := range map[string][2][]float64{
		"orthogonal distance": {x.OrthogonalDistance, y.OrthogonalDistance}, "score distance": {x.ScoreDistance, y.ScoreDistance}, "residual": {x.Residual, y.Residual}, "weight": {x.Weight, y.Weight},
	} {
		for i, v := range pair[1] {
			if d := math.Abs(pair[0][i] - v); d > 1e-4*(1+math.Abs(v)) {
				t.Errorf("the %s of row %d is %.6g with weights, %.6g with repeated rows", name, i+1, pair[0][i], v)
				break
			}
		}
	}
	for i, k := range x.Kind {
		if k != y.Kind[i] {
			t.Errorf("row %d is %q with weights, %q with repeated rows", i+1, k, y.Kind[i])
			break
		}
	}
}

// scoresApart is the largest difference of scores and probabilities of classes.
func scoresApart(t *testing.T, a, b catalog.Model, probe *dataset.Set) float64 {
	t.Helper()
	p, ok := a.(catalog.Predictor)
	if !ok || a.Describe().Task != catalog.Classify {
		return 0
	}
	x, err := p.Predict(context.Background(), probe.X)
	if err != nil {
		t.Fatal(err)
	}
	y, err := b.(catalog.Predictor).Predict(context.Background(), probe.X)
	if err != nil {
		t.Fatal(err)
	}
	most := 0.0
	for _, pair := range [][2]*mat.Dense{{x.Scores, y.Scores}, {x.Probabilities, y.Probabilities}} {
		if pair[0] != nil {
			for i, v := range pair[0].RawMatrix().Data {
				most = math.Max(most, math.Abs(v-pair[1].RawMatrix().Data[i])/(1+math.Abs(v)))
			}
		}
	}
	return most
}
