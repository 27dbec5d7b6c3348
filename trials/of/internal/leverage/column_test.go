package leverage

import (
	"math"
	"testing"

	"github.com/inlier-ml/inlier/internal/leverage"
	"gonum.org/v1/gonum/mat"
)

// A sentinel in every tenth row is not all that centre and spread of a column are taken from,
// and weights of whole numbers give the sample of the repeated rows.
func TestColumnsOfRowsThatTakeTurns(t *testing.T) {
	for turn := range 10 {
		x := mat.NewDense(10*leverage.StandardRows, 1, nil)
		for i := range 10 * leverage.StandardRows {
			x.Set(i, 0, math.Sin(float64(i)))
			if i%10 == turn {
				x.Set(i, 0, -1e9)
			}
		}
		if c := leverage.Describe(x, nil)[0]; math.Abs(c.Centre) > 0.3 || !(c.Spread > 0.3 && c.Spread < 3) {
			t.Errorf("number %d of every ten is far: centre %g, spread %g", turn, c.Centre, c.Spread)
		}
	}
	w := make([]float64, leverage.StandardRows)
	var repeated []int
	for i := range w {
		w[i] = float64(i % 5)
		for range i % 5 {
			repeated = append(repeated, i)
		}
	}
	plain, _ := leverage.SampleOf(len(repeated), nil)
	for k, i := range first(leverage.SampleOf(len(w), w)) {
		if i != repeated[plain[k]] {
			t.Fatalf("place %d: row %d by weight, row %d repeated", k, i, repeated[plain[k]])
		}
	}
}

func first(rows []int, _ []float64) []int { return rows }
