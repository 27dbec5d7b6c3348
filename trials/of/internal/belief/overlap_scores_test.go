package belief_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/internal/belief"
)

// Classes that merely overlap, and labels that have nothing to do with the scores, are no reason to doubt labels; those that
// are wrong among classes apart are found.
func TestOverlapIsNoWrongLabel(t *testing.T) {
	row := func(i int) []float64 { return []float64{float64(i)} }
	for _, k := range []int{2, 3} {
		for _, c := range []struct{ slope, wrong, least, most float64 }{{0, 0, 0, 0.02}, {2, 0, 0, 0.02}, {12, 0.15, 0.8, 0.02}} {
			for seed := range uint64(2) {
				curve := belief.Curve{Slope: c.slope, Shift: make([]float64, k), Flips: make([]float64, k)}
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
				findings, _ := belief.Learn(scores, k, labels, nil, nil).Findings(scores, labels, nil, row)
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
