package belief

import (
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/internal/belief"
	"gonum.org/v1/gonum/mat"
)

// A quarter of the labels of two classes that overlap is wrong: fewer than a third of what chance would miss is told by any scores, neighbours included, and
// wrong labels are found all the same. Labels that nothing tells are not doubted.
func TestWrongLabelsOfOverlappingClasses(t *testing.T) {
	const n = 800
	for _, c := range []struct {
		apart, wrong float64
		least, most  int
	}{{1.1, 0.25, 80, n}, {0, 0.25, 0, n / 50}} {
		g := rand.New(rand.NewPCG(9, 2))
		x, scores, labels, changed := mat.NewDense(n, 2, nil), make([]float64, 0, 2*n), make([]int, n), make([]bool, n)
		for i := range labels {
			labels[i] = i % 2
			x.SetRow(i, []float64{c.apart*float64(2*labels[i]-1) + g.NormFloat64(), g.NormFloat64()})
			if changed[i] = g.Float64() < c.wrong; changed[i] {
				labels[i] = 1 - labels[i]
			}
			scores = append(scores, -x.At(i, 0), x.At(i, 0))
		}
		findings, _ := belief.Learn(scores, 2, labels, nil, belief.Ask(x, 2, labels, nil)).Findings(scores, labels, nil, x.RawRowView)
		found, all := 0, 0
		for i, f := range findings {
			if f.Doubt {
				if all++; changed[i] {
					found++
				}
			}
		}
		if found < c.least || all > c.most || c.least > 0 && 3*found < 2*all {
			t.Errorf("%v apart: %d labels are doubted, %d of them wrong", c.apart, all, found)
		}
	}
}
