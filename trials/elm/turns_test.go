package elm

import (
	"context"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/linalg"
)

// Of many rows a part tells probabilities: every class is among them, also where classes take turns, so that every
// second row is of one class, or where one has few rows.
func TestManyRowsTellOfEveryClass(t *testing.T) {
	const n = 5600
	for name, class := range map[string]func(i int) int{
		"in turns": func(i int) int { return i % 2 },
		"rare": func(i int) int {
			if i%700 == 3 {
				return 1
			}
			return 0
		},
	} {
		g := rand.New(rand.NewPCG(3, 4))
		x, labels := mat.NewDense(n, 2, nil), make([]int, n)
		for i := range labels {
			labels[i] = class(i)
			x.SetRow(i, []float64{g.NormFloat64() + 8*float64(labels[i]), g.NormFloat64()})
		}
		m, err := elm.Ridge{Options: elm.Options{Labels: true, Hidden: 8, Scaling: elm.ScaleStandard}}.Fit(context.Background(), linalg.FromDense(x), elm.OneVsAll(labels, 2))
		if err != nil {
			t.Fatal(err)
		}
		out, err := m.Predict(context.Background(), x)
		if err != nil {
			t.Fatal(err)
		}
		got, _ := m.Classes(out)
		wrong := 0
		for i, l := range got {
			if l != labels[i] {
				wrong++
			}
		}
		if flagged := m.Training().Count(); wrong > 2 || flagged > 8 {
			t.Errorf("%s: %d of %d rows are given another class, %d are outliers", name, wrong, n, flagged)
		}
	}
}
