package methods

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/verdict"
)

// curve is a small regression, or two classes of its values.
func curve(n int, classes bool, unit, offset float64) *dataset.Set {
	random := rand.New(rand.NewPCG(7, 8))
	data := &dataset.Set{Name: "made", X: mat.NewDense(n, 2, nil), Target: &dataset.Target{Name: "y"}}
	if classes {
		data.Target.Classes = []string{"a", "b"}
	}
	for i := range n {
		row := data.X.RawRowView(i)
		row[0], row[1] = random.NormFloat64(), random.NormFloat64()
		y := row[0] + math.Sin(2*row[1]) + 0.1*random.NormFloat64()
		if i%20 == 0 {
			y += 30
		}
		if !classes {
			data.Target.Values = append(data.Target.Values, unit*(y+offset))
		} else if y+0.5*random.NormFloat64() > 0 {
			data.Target.Labels = append(data.Target.Labels, 1)
		} else {
			data.Target.Labels = append(data.Target.Labels, 0)
		}
	}
	return data
}

// told are the numbers that a model predicts.
func told(t *testing.T, m catalog.Model, x *mat.Dense) []float64 {
	t.Helper()
	p, err := m.(catalog.Predictor).Predict(context.Background(), x)
	switch {
	case err != nil:
		t.Fatal(err)
	case p.Values != nil:
		return p.Values
	case p.Probabilities != nil:
		return mat.Col(nil, 0, p.Probabilities)
	}
	return mat.Col(nil, 0, p.Scores)
}

// Weights that were normalised, to whatever sum, mean the same as before: penalties, cut-offs
// and probabilities count rows. However large ones leave numbers.
func TestNormalisedWeightsCountRows(t *testing.T) {
	for name, classes := range map[string]bool{"linear-robust": false, "elm-robust": false, "relm": false, "regmaxcem": true, "square": true} {
		m, data := lookup(t, name), curve(60, classes, 1, 0)
		fit := func(weight func(i int) float64) (catalog.Model, *verdict.Rows) {
			run := catalog.Run{Seed: 1, Weights: make([]float64, 60)}
			for i := range run.Weights {
				run.Weights[i] = weight(i)
			}
			model := mustFit(t, m, data, nil, run)
			return model, judged(t, model, data)
		}
		base, verdict := fit(func(i int) float64 { return 1 + 0.5*float64(i%2*2-1) })
		want := told(t, base, data.X)
		for _, size := range []float64{1.0 / 60, 1e-200} {
			model, o := fit(func(i int) float64 { return size * (1 + 0.5*float64(i%2*2-1)) })
			for i, v := range told(t, model, data.X) {
				if math.Abs(v-want[i]) > 1e-6 {
					t.Errorf("%s, weights of about %g: row %d is %g instead of %g", name, size, i+1, v, want[i])
					break
				}
			}
			if math.Abs(o.ResidualCutoff-verdict.ResidualCutoff) > 1e-9 {
				t.Errorf("%s, weights of about %g: cut-off %g instead of %g", name, size, o.ResidualCutoff, verdict.ResidualCutoff)
			}
		}
		huge, o := fit(func(int) float64 { return 1e307 })
		for i, v := range append(told(t, huge, data.X), o.ResidualCutoff) {
			if v-v != 0 {
				t.Errorf("%s, weights of 1e307: number %d is %g", name, i+1, v)
				break
			}
		}
		written(t, huge)
	}
}

// Neither the unit nor the origin of the target changes what is learned, also through a
// model file.
func TestTargetsOfAnyUnitAndOrigin(t *testing.T) {
	for _, name := range []string{"linear-robust", "elm-robust", "relm"} {
		m := lookup(t, name)
		base := curve(60, false, 1, 0)
		want := told(t, mustFit(t, m, base, nil, catalog.Run{Seed: 1}), base.X)
		for _, as := range [][2]float64{{1e-9, 0}, {1e12, 0}, {1, 1e4}, {1, -1e6}, {1e-9, 1.7e9}} {
			unit, offset := as[0], as[1]
			data := curve(60, false, unit, offset)
			model := reloaded(t, m, mustFit(t, m, data, nil, catalog.Run{Seed: 1}))
			for i, v := range told(t, model, data.X) {
				if d := math.Abs(v/unit - offset - want[i]); d > 0.3 {
					t.Errorf("%s, unit %g and offset %g: row %d is %.3g off", name, unit, offset, i+1, d)
					break
				}
			}
			o := judged(t, model, data)
			for i := range 60 {
				if i%20 == 0 && !o.Outlier[i] {
					t.Errorf("%s, unit %g and offset %g: row %d is not flagged", name, unit, offset, i+1)
				}
			}
		}
	}
}
