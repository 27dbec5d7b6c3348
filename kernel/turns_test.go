package kernel

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Far values in every tenth row are not all that the middle of a table is taken from.
func TestMiddleOfRowsThatTakeTurns(t *testing.T) {
	for turn := range 10 {
		x := mat.NewDense(10*middleRows, 1, nil)
		for i := range 10 * middleRows {
			x.Set(i, 0, math.Sin(float64(i)))
			if i%10 == turn {
				x.Set(i, 0, -1e12)
			}
		}
		if m := middle(x); math.Abs(m[0]) > 0.6 {
			t.Errorf("number %d of every ten is far: middle %g", turn, m[0])
		}
	}
}
