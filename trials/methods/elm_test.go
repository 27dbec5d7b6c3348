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

// A learning machine tells how far out the inputs of a row are by the same distance as
// linear regression, in whatever units they are, and through a model file.
func TestMachinesKnowLeverage(t *testing.T) {
	const n = 120
	made := func(unit float64) *dataset.Set {
		x, y := mat.NewDense(n, 2, nil), []float64(nil)
		random := rand.New(rand.NewPCG(3, 4))
		for i := range n {
			a, b := random.NormFloat64(), random.NormFloat64()
			if i < 4 {
				a += 12
			}
			v := a + math.Sin(b) + 0.1*random.NormFloat64()
			if i == 0 || i == 10 {
				v += 50
			}
			x.SetRow(i, []float64{unit * a, 3 - b})
			y = append(y, v)
		}
		return &dataset.Set{Name: "made", X: x, Columns: []string{"a", "b"}, Target: &dataset.Target{Name: "y", Values: y}}
	}
	judge := func(method string, data *dataset.Set) *verdict.Rows {
		m := lookup(t, method)
		o, err := reloaded(t, m, mustFit(t, m, data, nil, catalog.Run{Seed: 1})).(catalog.Detector).Outliers(context.Background(), data)
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	data := made(1)
	machine, line, scaled := judge("elm-rcc", data), judge("linear-robust", data), judge("elm-rcc", made(1000))
	if machine.ScoreCutoff != line.ScoreCutoff || machine.ScoreCutoff == 0 {
		t.Errorf("cut-offs %g and %g", machine.ScoreCutoff, line.ScoreCutoff)
	}
	for i := range n {
		if machine.ScoreDistance[i] != line.ScoreDistance[i] {
			t.Fatalf("row %d: distance %g, linear regression has %g", i+1, machine.ScoreDistance[i], line.ScoreDistance[i])
		}
		if math.Abs(machine.ScoreDistance[i]-scaled.ScoreDistance[i]) > 1e-6*machine.ScoreDistance[i] {
			t.Fatalf("row %d: distance %g, in other units %g", i+1, machine.ScoreDistance[i], scaled.ScoreDistance[i])
		}
	}
	if machine.Kind[1] != "good leverage" || machine.Outlier[1] || machine.Kind[10] != "vertical outlier" || !machine.Outlier[10] {
		t.Errorf("a good leverage point is %q, an outlier among the others %q", machine.Kind[1], machine.Kind[10])
	}
}
