package scaling

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/scaling"
)

// TestSpreadsWithinClassesInAnyUnits: columns in other units have spreads within classes that are as many times as large.
func TestSpreadsWithinClassesInAnyUnits(t *testing.T) {
	g := rand.New(rand.NewPCG(3, 4))
	units := []float64{4, 0.5, 1024}
	x, other, members := mat.NewDense(60, 3, nil), mat.NewDense(60, 3, nil), make([][]int, 2)
	for i := range 60 {
		members[i%2] = append(members[i%2], i)
		for j, unit := range units {
			v := 3*float64(i%2) + g.NormFloat64()
			x.Set(i, j, v)
			other.Set(i, j, unit*v)
		}
	}
	spreads := func(x *mat.Dense) []float64 {
		s := scaling.Fit(x, scaling.Rules{Kind: scaling.Robust})
		s.NarrowToClasses(t.Context(), x, nil, members)
		return s.Scale
	}
	plain, scaled := spreads(x), spreads(other)
	for j, unit := range units {
		if got := scaled[j] / unit; math.Abs(got-plain[j]) > 1e-12*plain[j] {
			t.Errorf("column %d: spread %v, in units of %v %v", j+1, plain[j], unit, got)
		}
	}
}
