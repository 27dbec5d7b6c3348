package bounded

import (
	"context"
	"math"
	"testing"

	"github.com/inlier-ml/inlier/internal/bounded"
	"github.com/inlier-ml/inlier/linalg"
	"gonum.org/v1/gonum/mat"
)

// A sentinel in every tenth row of a table whose size is a multiple of the sample's is not
// taken for the bulk.
func TestSentinelThatTakesTurns(t *testing.T) {
	const n = 6000
	for turn := range 10 {
		x := mat.NewDense(n, 2, nil)
		for i := range n {
			x.SetRow(i, []float64{math.Sin(float64(i)), math.Cos(3 * float64(i))})
			if i%10 == turn {
				x.Set(i, 0, -1e12)
			}
		}
		l, err := bounded.Of(context.Background(), linalg.FromDense(x), nil)
		if err != nil {
			t.Fatal(err)
		}
		if !(math.Abs(l.Centre[0]) < 0.5 && l.Low[0] > -1e11 && l.High[0] > 1e6) {
			t.Errorf("turn %d: limits from %g to %g about %g", turn, l.Low[0], l.High[0], l.Centre[0])
		}
	}
}
