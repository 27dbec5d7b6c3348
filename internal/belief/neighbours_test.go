package belief

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

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
	if most := Ceiling(x, 2, labels, nil); slices.Max(most) > 0.1 {
		t.Errorf("clean: up to %v wrong labels", most)
	}
	dirty, given := ring(400, 0.3)
	if most := Ceiling(dirty, 2, given, nil); most[0] < 0.3 || most[0] > 0.6 || most[1] > 0.15 {
		t.Errorf("30 %% of the first class wrong: up to %v", most)
	}
	// scores of a line that cuts a part of the ring off: all the rest is a cloud with half of its labels wrong to them
	scores := make([]float64, 0, 800)
	for i := range labels {
		f := 2 * (x.At(i, 0) - 0.6)
		scores = append(scores, -f, f)
	}
	loss := func(ceiling []float64) (sum float64) {
		c := Fit(scores, 2, labels, nil, ceiling)
		for i, l := range labels {
			p := slices.Clone(scores[2*i : 2*i+2])
			c.Probabilities(p)
			sum -= math.Log(p[l]) / 400
		}
		return sum
	}
	if free, bound := loss(nil), loss(Ceiling(x, 2, labels, nil)); free < 0.8 || bound > 0.7 {
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
		a, b := Ceiling(x, 2, labels, weights), Ceiling(all, 2, repeated, nil)
		for l := range a {
			if math.Abs(a[l]-b[l]) > 1e-12 {
				t.Errorf("%d rows: %v with weights, %v repeated", n, a, b)
			}
		}
	}
}
