package cluster

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/cluster"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

// Two groups and a sentinel in a third or more of the rows: the centers are those of the groups,
// and all rows with the sentinel are flagged.
func TestSentinelInManyRows(t *testing.T) {
	const n = 300
	welsch, err := loss.Parse("welsch")
	if err != nil {
		t.Fatal(err)
	}
	for _, value := range []float64{-1e12, 1e8, -1e200} {
		for _, far := range []int{30, 90, 100, 120, 140} {
			g := rand.New(rand.NewPCG(3, 1))
			x := mat.NewDense(n, 2, nil)
			for i, row := range g.Perm(n) {
				switch {
				case i < far && value > 0: // in one column alone
					x.SetRow(row, []float64{value, 10*float64(i%2) + g.NormFloat64()})
				case i < far:
					x.SetRow(row, []float64{value, value})
				default:
					at := 10 * float64(i%2)
					x.SetRow(row, []float64{at + g.NormFloat64(), at + g.NormFloat64()})
				}
			}
			m, err := cluster.KMeans{Clusters: 2, Loss: welsch}.Fit(t.Context(), linalg.FromDense(x))
			if err != nil {
				t.Fatal(err)
			}
			c := m.Centers()
			low, high := math.Min(c.At(0, 0), c.At(1, 0)), math.Max(c.At(0, 0), c.At(1, 0))
			if math.Abs(low) > 0.5 || math.Abs(high-10) > 0.5 {
				t.Errorf("%d of %d rows at %g: centers %v", far, n, value, mat.Formatted(c))
			}
			for i := range n {
				if x.At(i, 0) == value && !m.Training().Outlier[i] {
					t.Errorf("%d of %d rows at %g: row %d is not flagged", far, n, value, i+1)
					break
				}
			}
		}
	}
}

// Two tight groups that are 1e9 of their spreads apart are two groups, not one and its dirt.
func TestTightGroupsFarApart(t *testing.T) {
	welsch, err := loss.Parse("welsch")
	if err != nil {
		t.Fatal(err)
	}
	for _, unit := range []float64{1e-3, 1e-8} {
		const n = 100
		g := rand.New(rand.NewPCG(5, 1))
		x := mat.NewDense(n, 2, nil)
		x.Apply(func(i, _ int, _ float64) float64 {
			if i < 60 {
				return unit * g.NormFloat64()
			}
			return unit*1e9 + unit*g.NormFloat64()
		}, x)
		m, err := cluster.KMeans{Clusters: 2, Loss: welsch}.Fit(t.Context(), linalg.FromDense(x))
		if err != nil {
			t.Fatal(err)
		}
		if sizes := m.Sizes(); min(sizes[0], sizes[1]) != 40 || m.Training().Count() > 15 {
			t.Errorf("spread %g: sizes %v, %d flagged", unit, sizes, m.Training().Count())
		}
	}
}
