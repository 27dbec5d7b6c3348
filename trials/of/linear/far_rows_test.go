package linear

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linear"
)

// A fifth of the rows that lie together, far out along a slanted direction and with a target of their own, or that
// just miss the others, do not move a fit of fifty columns, of which no draw of random rows is without them.
func TestFarRowsOfManyColumns(t *testing.T) {
	const n, p = 500, 50
	for name, far := range map[string]float64{"far": 3 * math.Sqrt(p), "near": 10} {
		r := rand.New(rand.NewPCG(8, 77))
		fill := func(to []float64) float64 {
			sum := 0.0
			for j := range to {
				to[j] = r.NormFloat64()
				sum += to[j] * to[j]
			}
			return math.Sqrt(sum)
		}
		slopes, direction, x, y := make([]float64, p), make([]float64, p), mat.NewDense(n, p, nil), make([]float64, n)
		fill(slopes)
		length := fill(direction)
		for i := range n {
			row := x.RawRowView(i)
			fill(row)
			y[i] = r.NormFloat64()
			for j, b := range slopes {
				y[i] += b * row[j]
			}
			if i < n/5 {
				for j, v := range direction {
					row[j] += far / length * v
				}
				y[i] += 30
			}
		}
		m, err := linear.Robust{Seed: 1}.Fit(context.Background(), linalg.FromDense(x), y)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for j, b := range m.Coef() {
			sum += (b - slopes[j]) * (b - slopes[j])
		}
		if off := math.Sqrt(sum / p * n); off > 3 { // 1.1 of rows without errors
			t.Errorf("%s: coefficients are %.1f standard errors off", name, off)
		}
	}
}
