package check

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/linalg"
)

// related makes rows of columns that share a cause, in unlike units.
func related(n, d int, seed uint64) *mat.Dense {
	r := random.New(seed, "related")
	x := mat.NewDense(n, d, nil)
	for i := range n {
		cause := r.NormFloat64()
		for j := range d {
			x.Set(i, j, 100*float64(j+1)+math.Pow(10, float64(j%4))*(cause+0.2*r.NormFloat64()))
		}
	}
	return x
}

// Many cells that are put at their predictions one after the other are where all at once are: what the others say of each is nothing.
func TestManyCellsAtTheirPredictions(t *testing.T) {
	const d = 60
	r, z := random.New(5, "many"), related(400, d, 5)
	for j := range d { // z in units of each column
		for i := range 400 {
			z.Set(i, j, (z.At(i, j)-100*float64(j+1))/math.Pow(10, float64(j%4)))
		}
	}
	c := learnConditional(z, make([]bool, d), make([]bool, d))
	y, v, cells := make([]float64, d), make([]float64, d), []int{}
	for j := range y {
		y[j] = 5 * r.NormFloat64()
		linalg.Axpy(y[j], c.omega[j*d:(j+1)*d], v)
	}
	var room growing
	for j := range 2 * mostUnknown {
		cells = append(cells, j*7%d)
		c.settle(y, v, cells, &room)
	}
	for j := range d {
		product := linalg.Inner(c.omega[j*d:(j+1)*d], y)
		if math.Abs(product-v[j]) > 1e-9*c.diag[j] || slices.Contains(cells, j) && math.Abs(product) > 1e-9*c.diag[j] {
			t.Errorf("column %d: product %g, kept up to date %g", j, product, v[j])
		}
	}
}
