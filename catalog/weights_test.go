package catalog

import (
	"context"
	"maps"
	"math"
	"testing"
)

// An integer weight is the same as that many rows, and weight 0 as none: for the start,
// the fit, the bandwidths and the cut-offs.
func TestIntegerWeightsAreRepeatedRows(t *testing.T) {
	side(t, func(t *testing.T, e entrant) {
		far := newFar(t, e, generate(e.world, 60, 2), "rows", 0.1)
		data := far.spoil(20)
		weights := make([]float64, data.Rows())
		for i := range weights {
			weights[i] = float64((i*7 + i/5) % 4)
		}
		if e.method.Name == "hinge" { // its passes go over the rows in an order of their own
			e.params = maps.Clone(e.params)
			e.params["tol"], e.params["max-steps"] = "1e-12", "100000"
		}
		a, err := e.attempt(context.Background(), data, Run{Seed: 3, Weights: weights})
		if err != nil {
			t.Fatal(err)
		}
		b, err := e.attempt(context.Background(), repeatRows(data, weights), Run{Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		if d := apart(t, b, a, far.rest); !(d <= 1e-5) {
			t.Errorf("the fit with weights is %.3g apart from that with repeated rows", d)
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
	})
}
