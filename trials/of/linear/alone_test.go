package linear

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linear"
	"github.com/inlier-ml/inlier/loss"
	"gonum.org/v1/gonum/mat"
)

// One cell of 1e300 is as good as its row left out, also where the loss rejects nothing and the row is so far off that its weight is next to none: its pull is not.
func TestOneAbsurdCell(t *testing.T) {
	ctx := context.Background()
	const d = 8
	for _, n := range []int{500, 30000} {
		draw := rand.New(rand.NewPCG(7, 7))
		x, y := mat.NewDense(n, d, nil), make([]float64, n)
		for i := range n {
			for j := range d {
				x.Set(i, j, 3*draw.NormFloat64())
				y[i] += float64(j-3) * x.At(i, j)
			}
			if y[i] += draw.NormFloat64(); i%10 == 0 {
				y[i] += 60
			}
		}
		for _, text := range []string{"huber", "l1", "cauchy", "tukey", "lp:p=1.5"} {
			for _, far := range []float64{1e300, 1e5} {
				x.Set(0, 2, far)
				o := linear.Robust{Loss: loss.MustParse(text), Weights: make([]float64, n)}
				for i := range n {
					o.Weights[i] = 1
				}
				got, err := o.Fit(ctx, linalg.FromDense(x), y)
				if err != nil {
					t.Fatal(err)
				}
				o.Weights[0] = 0
				want, err := o.Fit(ctx, linalg.FromDense(x), y)
				if err != nil {
					t.Fatal(err)
				}
				_, lines := got.Table()
				_, wanted := want.Table()
				for j, c := range wanted {
					if !(math.Abs(lines[j].Value-c.Value) < 0.05*c.Error) {
						t.Errorf("%d rows, %s, %g: coefficient %d is %v, without the row %v", n, text, far, j, lines[j], c)
					}
				}
			}
		}
	}
}
