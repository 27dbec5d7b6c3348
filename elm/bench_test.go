package elm

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// wide makes standard normal inputs and a smooth target.
func wide(n, d int) (x, t *mat.Dense) {
	random := rand.New(rand.NewPCG(1, 1))
	x, t = mat.NewDense(n, d, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		row := x.RawRowView(i)
		for j := range row {
			row[j] = random.NormFloat64()
		}
		t.Set(i, 0, math.Sin(row[0])+row[1]*row[2]+0.1*random.NormFloat64())
		if i%10 == 0 {
			t.Set(i, 0, t.At(i, 0)+20)
		}
	}
	return x, t
}
