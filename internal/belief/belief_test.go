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

// Slope, shifts and the shares of wrong labels of each class are found again.
func TestFitFindsTheCurveThatDrewTheLabels(t *testing.T) {
	for _, want := range []Curve{
		{Slope: 3, Shift: []float64{0, 0}, Flips: []float64{0, 0}},
		{Slope: 4, Shift: []float64{0.5, -0.5}, Flips: []float64{0.3, 0.05}},
		{Slope: 5, Shift: []float64{1, 0.5, -1.5}, Flips: []float64{0.2, 0.2, 0.2}},
	} {
		scores, labels := drawn(want, 6000, 3)
		for i := range scores {
			scores[i] = 7 + 0.01*scores[i] // the size of scores means nothing
		}
		got := Fit(scores, len(want.Shift), labels, nil, nil)
		if math.Abs(got.Slope/(100*want.Slope)-1) > 0.2 {
			t.Errorf("slope %v, want %v", got.Slope, 100*want.Slope)
		}
		for l := range want.Shift {
			if math.Abs(got.Shift[l]-got.Shift[0]-want.Shift[l]+want.Shift[0]) > 0.2 || math.Abs(got.Flips[l]-want.Flips[l]) > 0.05 {
				t.Errorf("shifts %v and wrong labels %v, want %v and %v", got.Shift, got.Flips, want.Shift, want.Flips)
			}
		}
	}
}

// Two classes between two others have the highest score nowhere, and nothing that is added to theirs tells them apart:
// what the others' scores say of them is found, also when a fifth of the labels is wrong, and gives each
// row its class. Scores that need no mixing are left alone.
func TestFitFindsClassesBetweenOthers(t *testing.T) {
	for _, wrong := range []float64{0, 0.2} {
		r := rand.New(rand.NewPCG(7, 7))
		var scores []float64
		var labels, truth []int
		for i := range 400 {
			x := -4 + 8*r.Float64()
			truth = append(truth, min(max(int(math.Floor((x+4)/2)), 0), 3))
			labels = append(labels, truth[i])
			if r.Float64() < wrong {
				labels[i] = (truth[i] + 1 + r.IntN(3)) % 4
			}
			for _, slope := range []float64{-0.3, -0.02, 0.02, 0.3} { // as least squares has them
				scores = append(scores, 1000+slope*x+0.03*r.NormFloat64())
			}
		}
		for _, weights := range [][]float64{nil, ones(400)} {
			c := Fit(scores, 4, labels, weights, nil)
			right := 0
			for i := range truth {
				if c.Best(scores[4*i:4*i+4]) == truth[i] {
					right++
				}
			}
			if right < 360 {
				t.Errorf("%v wrong: %d of 400 rows have their class", wrong, right)
			}
		}
	}
	scores, labels := drawn(Curve{Slope: 5, Shift: []float64{1, 0.5, -1.5}, Flips: []float64{0.1, 0.1, 0.1}}, 500, 9)
	if c := Fit(scores, 3, labels, nil, nil); c.Mix != nil {
		t.Errorf("mixed by %v without need", c.Mix)
	}
}

func ones(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = 1
	}
	return out
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

// A mix never exchanges classes: where labels of few rows contradict the scores, the best score is still that of the label.
func TestMixKeepsClassesApart(t *testing.T) {
	for seed := range uint64(20) {
		scores, labels := drawn(Curve{Slope: 3, Shift: make([]float64, 3), Flips: make([]float64, 3)}, 60, seed)
		for i, l := range labels { // most labels of two classes are each other's
			if l > 0 && i%5 > 0 {
				labels[i] = 3 - l
			}
		}
		c := Fit(scores, 3, labels, nil, nil)
		if c.Mix == nil {
			continue
		}
		for l := range 3 {
			for m := range l {
				if c.Mix[m*3+l] > c.Slope+c.Mix[l*3+l] && c.Mix[l*3+m] > c.Slope+c.Mix[m*3+m] {
					t.Fatalf("draw %d: the scores of classes %d and %d are exchanged: slope %v, mix %v", seed, l, m, c.Slope, c.Mix)
				}
			}
		}
	}
}
