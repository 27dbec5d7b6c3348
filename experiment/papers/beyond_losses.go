package papers

import (
	"context"
	"fmt"
	"math"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset/synthetic"
	"github.com/inlier-ml/inlier/experiment"
	"github.com/inlier-ml/inlier/report"
	"github.com/inlier-ml/inlier/score"
)

// gridLosses are tried in every model; bandwidths are chosen by each model's own rule.
var gridLosses = []string{"square", "l1", "huber", "cauchy", "welsch", "tukey", "kmpe:p=1", "kmpe:p=4", "gcorr:alpha=1", "gm:p=0.3"}

// gridModels are the models with a task each: a draw, a fit and an error, lower is better.
var gridModels = []struct {
	data, method, what string
	recipe             string
	params             map[string]string // of the recipe
	fit                map[string]string
	measure            func(ctx context.Context, m catalog.Model, made *synthetic.Generated) (float64, error)
}{
	{"subspace, 20 % scattered", "pca-robust", "degrees", "low-rank", map[string]string{"outliers": "scattered", "fraction": "0.2"}, map[string]string{"components": "3"}, angleError},
	{"subspace, 40 % clustered", "pca-robust", "degrees", "low-rank", map[string]string{"outliers": "clustered", "fraction": "0.4"}, map[string]string{"components": "3"}, angleError},
	{"subspace, clean", "pca-robust", "degrees", "low-rank", map[string]string{"outliers": "none"}, map[string]string{"components": "3"}, angleError},
	{"plane, 20 % mixed", "linear-robust", "RMSE", "plane", nil, nil, testError},
	{"plane, clean", "linear-robust", "RMSE", "plane", map[string]string{"outliers": "none"}, nil, testError},
	{"sinc, 10 % outliers", "elm-robust", "RMSE", "sinc", nil, map[string]string{"hidden": "40", "lambda": "1e-5", "scaling": "none"}, testError},
	{"clusters, 15 % background", "kmeans-robust", "share wrong", "mixture", map[string]string{"fraction": "0.15"}, map[string]string{"clusters": "4"}, clusterError},
}

func init() {
	experiment.Register(&experiment.Spec{
		ID: "beyond-losses-models", Paper: "beyond", Item: "Losses x models", Title: "any loss in any model",
		About: "The papers pair each loss with one model. Here ten losses meet four models on seven tasks, each with the bandwidth that the model chooses by itself: is it the loss or the model that matters?",
		Protocol: []string{
			"Subspaces (`pca-robust`), planes (`linear-robust`), extreme learning machines (`elm-robust`) and clusters (`kmeans-robust`) with default starts; synthetic data with known truth.",
			"Errors: largest angle in degrees; RMSE on clean test rows; share of inliers in the wrong cluster.",
			"All losses meet the same draws. Bandwidths are automatic, so that losses are comparable.",
		},
		Choices: []string{"The square loss is the classical method, but from the robust start and, for planes, with that start's first guess: what is seen is the loss alone."},
		Quick:   experiment.Form{Repeats: 5, Minutes: 1}, Full: experiment.Form{Repeats: 30, Minutes: 1},
		Plan: planGrid, Present: presentGrid, Learned: learnedGrid,
	})
}

func planGrid(context.Context, *experiment.Env) ([]experiment.Case, error) {
	var out []experiment.Case
	for _, g := range gridModels {
		c := experiment.Case{Data: g.data, Draw: func(_ context.Context, seed uint64) (any, error) { return synthetic.Generate(g.recipe, g.params, seed) }}
		for _, l := range gridLosses {
			params := map[string]string{"loss": l}
			for k, v := range g.fit {
				params[k] = v
			}
			c.Entrants = append(c.Entrants, experiment.Entrant{Name: l, Params: params, Run: func(ctx context.Context, b *experiment.Bench) error {
				made := b.Data.(*synthetic.Generated)
				m, err := b.Fit(ctx, g.method, params, made.Set)
				if err != nil {
					return err
				}
				e, err := g.measure(ctx, m, made)
				b.Score("error", e)
				return err
			}})
		}
		out = append(out, c)
	}
	return out, nil
}

func angleError(_ context.Context, m catalog.Model, made *synthetic.Generated) (float64, error) {
	basis, err := experiment.Basis(m)
	if err != nil {
		return 0, err
	}
	return score.LargestAngle(made.Truth.Basis, basis)
}

func testError(ctx context.Context, m catalog.Model, made *synthetic.Generated) (float64, error) {
	return rmseOf(ctx, m, made.Test)
}

func clusterError(ctx context.Context, m catalog.Model, made *synthetic.Generated) (float64, error) {
	p, err := m.(catalog.Predictor).Predict(ctx, made.Set.X)
	if err != nil {
		return 0, err
	}
	var truth, got []int
	for i, bad := range made.Truth.Outlier {
		if !bad {
			truth, got = append(truth, made.Truth.Labels[i]), append(got, p.Labels[i])
		}
	}
	a, err := score.MatchedAccuracy(truth, got)
	return 1 - a, err
}

func presentGrid(_ context.Context, v *experiment.View) error {
	var values [][]float64
	var names []string
	t := &report.Table{Title: "Mean error", Columns: []report.Column{{Name: "task"}, {Name: "error"}}, Across: true}
	for _, l := range gridLosses {
		t.Columns = append(t.Columns, report.Column{Name: l, Format: "%.3g", Best: report.Lowest})
	}
	for _, g := range gridModels {
		least := math.Inf(1)
		row := []any{g.data, g.what}
		for _, l := range gridLosses {
			s := v.Stat(g.data, l, "error")
			least = min(least, s.Mean)
			row = append(row, s.Mean)
		}
		t.Add(row...)
		var line []float64
		for _, l := range gridLosses {
			line = append(line, math.Log10(max(v.Stat(g.data, l, "error").Mean, 1e-6)/max(least, 1e-6)))
		}
		values, names = append(values, line), append(names, g.data)
	}
	heat := report.HeatMap("How many times worse than the best loss of the row, as a power of ten", report.Grid{Values: values, Rows: names, Columns: gridLosses, Min: 0, Max: 1.5, Key: "log10(error / best)", Print: "%.1f"})
	v.Keep("losses-models", heat)
	v.Page.Add("The grid", "Dark is best.", heat, t)
	return nil
}

func learnedGrid(v *experiment.View) []string {
	var out []string
	for _, g := range gridModels {
		best, worst := "", ""
		low, high := math.Inf(1), math.Inf(-1)
		for _, l := range gridLosses {
			e := v.Stat(g.data, l, "error").Mean
			if e < low {
				best, low = l, e
			}
			if e > high {
				worst, high = l, e
			}
		}
		out = append(out, fmt.Sprintf("%s: %s is best (%.3g %s), %s worst (%.3g).", g.data, best, low, g.what, worst, high))
	}
	return out
}
