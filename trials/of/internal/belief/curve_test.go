package belief_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/internal/belief"
)

// drawn makes held-out scores of n rows whose true class follows the curve, and labels of
// which a share is changed.
func drawn(c belief.Curve, n int, seed uint64) (scores []float64, labels []int) {
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
		labels = append(labels, pick(func(l int) float64 {
			if l == truth {
				return 1 - c.Flips[l]
			}
			return c.Flips[truth] / float64(k-1)
		}))
	}
	return scores, labels
}

// Slope, shifts and the shares of wrong labels of each class are found again.
func TestFitFindsTheCurveThatDrewTheLabels(t *testing.T) {
	for _, want := range []belief.Curve{
		{Slope: 3, Shift: []float64{0, 0}, Flips: []float64{0, 0}},
		{Slope: 4, Shift: []float64{0.5, -0.5}, Flips: []float64{0.3, 0.05}},
		{Slope: 5, Shift: []float64{1, 0.5, -1.5}, Flips: []float64{0.2, 0.2, 0.2}},
	} {
		scores, labels := drawn(want, 6000, 3)
		for i := range scores {
			scores[i] = 7 + 0.01*scores[i] // the size of scores means nothing
		}
		got := belief.Fit(scores, len(want.Shift), labels, nil, nil)
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
			c := belief.Fit(scores, 4, labels, weights, nil)
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
	scores, labels := drawn(belief.Curve{Slope: 5, Shift: []float64{1, 0.5, -1.5}, Flips: []float64{0.1, 0.1, 0.1}}, 500, 9)
	if c := belief.Fit(scores, 3, labels, nil, nil); c.Mix != nil {
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

// A mix never exchanges classes: where labels of few rows contradict the scores, the best score is still that of the label.
func TestMixKeepsClassesApart(t *testing.T) {
	for seed := range uint64(20) {
		scores, labels := drawn(belief.Curve{Slope: 3, Shift: make([]float64, 3), Flips: make([]float64, 3)}, 60, seed)
		for i, l := range labels { // most labels of two classes are each other's
			if l > 0 && i%5 > 0 {
				labels[i] = 3 - l
			}
		}
		c := belief.Fit(scores, 3, labels, nil, nil)
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
