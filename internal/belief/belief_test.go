package belief

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// drawn makes held-out scores of n rows whose true class follows the curve, and labels of
// which a share is changed.
func drawn(c Curve, n int, seed uint64) (scores []float64, labels []int) {
	r := rand.New(rand.NewPCG(seed, 1))
	k := len(c.Shift)
	pick := func(p func(l int) float64) int {
		u := r.Float64()
		for l := range k {
			if u -= p(l); u < 0 {
				return l
			}
		}
		return k - 1
	}
	for range n {
		row := make([]float64, k)
		for l := range row {
			row[l] = -0.5 + r.NormFloat64()
		}
		scores = append(scores, row...)
		c.True(row)
		truth := pick(func(l int) float64 { return row[l] })
		labels = append(labels, pick(func(l int) float64 { return c.given(truth, l) }))
	}
	return scores, labels
}

// The fit ends where no small change of a parameter makes the data more likely; weights are
// repeated rows, and a class without rows has about half a row.
func TestFitIsAMaximum(t *testing.T) {
	scores, labels := drawn(Curve{Slope: 2, Shift: []float64{0, 1, 0, 0}, Flips: []float64{0.1, 0.1, 0.1, 0.1}}, 300, 5)
	for i, l := range labels {
		if l == 3 {
			labels[i] = 0
		}
	}
	c := Fit(scores, 4, labels, nil, nil)
	f := newFitting(scores, 4, labels, nil)
	best := f.likelihood(c) + f.prior(c)
	for _, step := range []float64{-0.02, 0.02} {
		for p := range 5 {
			other := Curve{Slope: c.Slope, Shift: slices.Clone(c.Shift), Flips: c.Flips}
			if p == 0 {
				other.Slope *= 1 + step
			} else {
				other.Shift[p-1] += step
			}
			if v := f.likelihood(other) + f.prior(other); v > best+1e-4 {
				t.Errorf("parameter %d moved by %v: %v, before %v", p, step, v, best)
			}
		}
	}
	expected := 0.0
	for i := range labels {
		q := slices.Clone(scores[4*i : 4*i+4])
		c.True(q)
		expected += q[3]
	}
	if expected < 0.1 || expected > 1.5 {
		t.Errorf("%v rows expected of a class without any", expected)
	}
	weights := make([]float64, len(labels))
	var twice []float64
	var twiceLabels []int
	for i, l := range labels {
		weights[i] = float64(i % 3)
		for range i % 3 {
			twice, twiceLabels = append(twice, scores[4*i:4*i+4]...), append(twiceLabels, l)
		}
	}
	a, b := Fit(scores, 4, labels, weights, nil), Fit(twice, 4, twiceLabels, nil, nil)
	if math.Abs(a.Slope-b.Slope) > 1e-6*a.Slope || math.Abs(a.Shift[1]-b.Shift[1]) > 1e-6 {
		t.Errorf("weights %+v, repeated rows %+v", a, b)
	}
}
