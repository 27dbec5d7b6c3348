package linear

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linear"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// A penalty that is strong beside the noise, or without any noise, shrinks the coefficients as ridge regression of the good rows does;
// with the scale of the start it took them to 0 and called nearly all rows outliers.
func TestPenaltyBesideLittleNoise(t *testing.T) {
	for _, noise := range []float64{0, 1e-9, 1e-3, 0.1} {
		for _, lambda := range []float64{0.01, 1, 10, 100} {
			for _, bad := range []int{0, 120} {
				x, y, truth := dirty(400, 3, 0, 9)
				for i := range y {
					line := truth[0] + truth[1]*x.At(i, 0) + truth[2]*x.At(i, 1) + truth[3]*x.At(i, 2)
					if y[i] = line + noise*(y[i]-line); i < bad {
						y[i] += 1000
					}
				}
				m, err := linear.Robust{Lambda: lambda, Seed: 1}.Fit(context.Background(), linalg.FromDense(x), y)
				if err != nil {
					t.Fatal(err)
				}
				what := fmt.Sprintf("noise %g, lambda %g, %d bad rows", noise, lambda, bad)
				flagged := 0
				for i, out := range m.Training().Outlier {
					if i < bad && !out {
						t.Fatalf("%s: row %d passes", what, i+1)
					}
					if i >= bad && out {
						flagged++
					}
				}
				if flagged > 12 {
					t.Errorf("%s: %d good rows are outliers", what, flagged)
				}
				// Good rows weigh .7 to 1 each, and the unit of a column is within a few per cent of 1.
				good := x.Slice(bad, 400, 0, 3).(*mat.Dense)
				least, most := ridge(good, y[bad:], lambda/0.6), ridge(good, y[bad:], lambda*0.8)
				for j, b := range estimates(m)[1:] {
					low, high := math.Min(least[j], most[j]), math.Max(least[j], most[j])
					if slack := 0.03 * noise; b < low-slack || b > high+slack {
						t.Errorf("%s: coefficient %d is %g, ridge of the good rows is between %g and %g", what, j+1, b, low, high)
					}
				}
			}
		}
	}
}

// ridge is textbook ridge regression with an intercept.
func ridge(x *mat.Dense, y []float64, lambda float64) []float64 {
	n, d := x.Dims()
	design := mat.NewDense(n+d, d, nil)
	side := mat.NewVecDense(n+d, nil)
	for j := range d {
		centre := floats.Sum(mat.Col(nil, j, x)) / float64(n)
		for i := range n {
			design.Set(i, j, x.At(i, j)-centre)
		}
		design.Set(n+j, j, math.Sqrt(lambda))
	}
	centre := floats.Sum(y) / float64(n)
	for i, v := range y {
		side.SetVec(i, v-centre)
	}
	var out mat.VecDense
	if err := out.SolveVec(design, side); err != nil {
		panic(err)
	}
	return out.RawVector().Data
}
