package belief

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Classes that merely overlap, and labels that have nothing to do with the scores, are no reason to doubt labels; those that
// are wrong among classes apart are found.
func TestOverlapIsNoWrongLabel(t *testing.T) {
	row := func(i int) []float64 { return []float64{float64(i)} }
	for _, k := range []int{2, 3} {
		for _, c := range []struct{ slope, wrong, least, most float64 }{{0, 0, 0, 0.02}, {2, 0, 0, 0.02}, {12, 0.15, 0.8, 0.02}} {
			for seed := range uint64(2) {
				curve := Curve{Slope: c.slope, Shift: make([]float64, k), Flips: make([]float64, k)}
				scores, labels := drawn(curve, 300, seed)
				g, changed := rand.New(rand.NewPCG(seed, 5)), make([]bool, len(labels))
				total := 0.0
				for i, l := range labels {
					if changed[i] = g.Float64() < c.wrong; changed[i] {
						labels[i] = (l + 1 + g.IntN(k-1)) % k
						total++
					}
				}
				found, falsely := 0.0, 0.0
				findings, _ := Learn(scores, k, labels, nil, nil).Findings(scores, labels, nil, row)
				for i, f := range findings {
					if f.Doubt && changed[i] {
						found++
					} else if f.Doubt {
						falsely++
					}
				}
				if falsely > c.most*300 || found < math.Floor(c.least*total) {
					t.Errorf("%d classes, slope %v, draw %d: %v of %v wrong labels doubted, and %v of the others", k, c.slope, seed, found, total, falsely)
				}
			}
		}
	}
}

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
		findings, _ := Learn(scores, 2, labels, nil, Ask(x, 2, labels, nil)).Findings(scores, labels, nil, x.RawRowView)
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
