package belief

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/internal/belief"
	"gonum.org/v1/gonum/mat"
)

// ring makes rows of a cloud and a ring around it, with a share of the labels of the cloud wrong.
func ring(n int, wrong float64) (*mat.Dense, []int) {
	g := rand.New(rand.NewPCG(4, 1))
	x, labels := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range labels {
		labels[i] = i % 2
		r := 0.3 * g.Float64()
		if labels[i] == 1 {
			r = 1 + 0.2*g.Float64()
		} else if g.Float64() < wrong {
			labels[i] = 1
		}
		sin, cos := math.Sincos(2 * math.Pi * g.Float64())
		x.SetRow(i, []float64{r * cos, r * sin})
	}
	return x, labels
}

// A class whose labels its neighbours agree with has few wrong ones at most, however little scores tell; wrong ones are let be.
func TestCeilingOfWrongLabels(t *testing.T) {
	x, labels := ring(400, 0)
	if most := belief.Ask(x, 2, labels, nil).Ceiling; slices.Max(most) > 0.1 {
		t.Errorf("clean: up to %v wrong labels", most)
	}
	dirty, given := ring(400, 0.3)
	if most := belief.Ask(dirty, 2, given, nil).Ceiling; most[0] < 0.3 || most[0] > 0.6 || most[1] > 0.15 {
		t.Errorf("30 %% of the first class wrong: up to %v", most)
	}
	// scores of a line that cuts a part of the ring off: all the rest is a cloud with half of its labels wrong to them
	scores := make([]float64, 0, 800)
	for i := range labels {
		f := 2 * (x.At(i, 0) - 0.6)
		scores = append(scores, -f, f)
	}
	loss := func(ceiling []float64) (sum float64) {
		c := belief.Fit(scores, 2, labels, nil, ceiling)
		for i, l := range labels {
			p := slices.Clone(scores[2*i : 2*i+2])
			c.Probabilities(p)
			sum -= math.Log(p[l]) / 400
		}
		return sum
	}
	if free, bound := loss(nil), loss(belief.Ask(x, 2, labels, nil).Ceiling); free < 0.8 || bound > 0.7 {
		t.Errorf("log loss %.3f, without a ceiling %.3f", bound, free)
	}
}

// An integer weight is that many rows, below the size at which rows are picked and above.
func TestCeilingOfWeights(t *testing.T) {
	for _, n := range []int{120, 700, 1500} {
		x, labels := ring(n, 0.2)
		weights := make([]float64, n)
		var rows [][]float64
		var repeated []int
		for i := range weights {
			weights[i] = float64(i % 4)
			for range i % 4 {
				rows, repeated = append(rows, x.RawRowView(i)), append(repeated, labels[i])
			}
		}
		all := mat.NewDense(len(rows), 2, nil)
		for i, r := range rows {
			all.SetRow(i, r)
		}
		a, b := belief.Ask(x, 2, labels, weights).Ceiling, belief.Ask(all, 2, repeated, nil).Ceiling
		for l := range a {
			if math.Abs(a[l]-b[l]) > 1e-12 {
				t.Errorf("%d rows: %v with weights, %v repeated", n, a, b)
			}
		}
	}
}

// Scores of classes of two clouds each that know one of them contradict all labels of the other; its neighbours do not. No
// label is doubted that they keep, and with wrong labels these alone are.
func TestNeighboursKeepLabels(t *testing.T) {
	for _, c := range []struct{ unknown, wrong float64 }{{0.25, 0}, {0.1, 0.12}} {
		g := rand.New(rand.NewPCG(6, 1))
		const n = 400
		x, scores, labels, changed := mat.NewDense(n, 2, nil), make([]float64, 0, 2*n), make([]int, n), make([]bool, n)
		for i := range labels {
			side, other := float64(2*(i%2)-1), 0.0
			if labels[i] = i % 2; g.Float64() < c.unknown {
				side, other = -side, 3
			}
			if changed[i] = g.Float64() < c.wrong; changed[i] {
				labels[i] = 1 - labels[i]
			}
			x.SetRow(i, []float64{side*(0.1+1.5*g.Float64()) + 0.3*g.NormFloat64(), other + 0.3*g.NormFloat64()})
			scores = append(scores, -x.At(i, 0), x.At(i, 0))
		}
		findings, _ := belief.Learn(scores, 2, labels, nil, belief.Ask(x, 2, labels, nil)).Findings(scores, labels, nil, x.RawRowView)
		found, falsely, total := 0, 0, 0
		for i, f := range findings {
			if changed[i] {
				total++
			}
			if f.Doubt && changed[i] {
				found++
			} else if f.Doubt {
				falsely++
			}
		}
		if falsely > n/40 || float64(found) < 0.75*float64(total) {
			t.Errorf("%v unknown: %d of %d wrong labels doubted, and %d of the others", c.unknown, found, total, falsely)
		}
	}
}
