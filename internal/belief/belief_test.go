package belief

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/archive"
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

// Whatever the scores, the curve is one of numbers.
func TestFitOfHostileScores(t *testing.T) {
	for name, scores := range map[string][]float64{
		"equal": {1, 1, 1, 1, 1, 1, 1, 1}, "separated": {1, -1, 1, -1, -1, 1, -1, 1}, "backwards": {-1, 1, -1, 1, 1, -1, 1, -1},
		"huge": {1e300, -1e300, 1, -1, -1, 1, -1e308, 1e308}, "none": {math.NaN(), 1, math.Inf(1), 0, 1, -1, -1, 1}, "tiny": {1e-300, 0, 1e-300, 0, 0, 1e-300, 0, 1e-300},
	} {
		r := Learn(scores, 2, []int{0, 0, 1, 1}, nil, nil)
		for _, row := range [][]float64{{1e308, -1e308}, {0, 0}, {1e-300, 0}} {
			margin := r.Margin(row, 1)
			r.Probabilities(row)
			if sum := row[0] + row[1]; math.Abs(sum-1) > 1e-12 || margin != margin || !(r.Slope >= 0) {
				t.Errorf("%s: slope %v, probabilities %v, margin %v", name, r.Slope, row, margin)
			}
		}
	}
	for _, row := range [][]float64{{1e308, -1e308, 1e308}, {-1e308, 0, 1e300}, {1e-300, 0, 0}} {
		c := Curve{Slope: 1e10, Mix: []float64{1e9, -1e10, 0, 0, 1, 1, -1e10, 1e300, 1e300}, Shift: []float64{1, 2, 3}}
		margin := c.Margin(row, 1)
		if n := testing.AllocsPerRun(5, func() { c.Best(row); c.True(row) }); n != 0 {
			t.Errorf("%v allocations", n)
		}
		if sum := row[0] + row[1] + row[2]; math.Abs(sum-1) > 1e-12 || margin != margin {
			t.Errorf("probabilities %v, margin %v", row, margin)
		}
	}
	if c := Fit([]float64{1, -1, 1, -1, -1, 1, -1, 1}, 2, []int{0, 0, 1, 1}, nil, nil); c.Slope*2 > 5 {
		t.Errorf("four rows that are right make a slope of %v", c.Slope)
	}
}

func TestKnownRowsAreFoundAgain(t *testing.T) {
	rows := [][]float64{{1, 2}, {2, 1}, {0, 1e300}, {math.Copysign(0, -1), 3}}
	var all []Finding
	for i, row := range rows {
		all = append(all, Finding{Key: Key(row, 1), Doubt: i == 1, Label: 2, Margin: -0.5})
	}
	known := Remember(all)
	rule := &Rule{Curve: Curve{Slope: 2, Mix: []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}, Shift: []float64{0, 1, 2}, Flips: []float64{0, .1, .2}, Wrong: 0.01}, Confidence: []float64{.5, .6, .7}, Limit: .3}
	arrays := map[string]archive.Array{}
	rule.Store(arrays, &known)
	reader := archive.State{Arrays: arrays}.Reader()
	back, again := Restore(reader, 3)
	if reader.Err() != nil || back.Slope != 2 || back.Wrong != 0.01 || back.Confidence[2] != .7 || back.Limit != .3 || back.Flips[2] != .2 || back.Mix[5] != 6 {
		t.Fatalf("%+v, %v", back, reader.Err())
	}
	for i, row := range [][]float64{{1, 2 * (1 + 1e-12)}, {2, 1}, {0, 1e300}, {0, 3}} {
		if f, ok := again.Find(row, 1); !ok || f.Doubt != (i == 1) || f.Doubt && (f.Label != 2 || f.Margin != -0.5) {
			t.Errorf("row %d: %+v, known %v", i, f, ok)
		}
		if _, ok := again.Find(row, 0); ok {
			t.Errorf("row %d is known with another label", i)
		}
	}
	if n := testing.AllocsPerRun(10, func() { again.Find(rows[1], 1) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if _, ok := again.Find([]float64{1, 2.001}, 1); ok {
		t.Error("another row is known")
	}
	if _, none := Restore(archive.State{}.Reader(), 3); none.Rows != nil {
		t.Error("files of old know rows")
	}
}

// Rows of any size differ, also such as lie far from zero beside what they differ by: times, places on a map.
func TestKeysTellRowsOfAnySizeApart(t *testing.T) {
	for _, unit := range []float64{1e-300, 1e-50, 1, 1e50, 1e300} {
		if Key([]float64{unit, 2 * unit}, 0) == Key([]float64{1.5 * unit, 2 * unit}, 0) {
			t.Errorf("unit %g: two rows have one key", unit)
		}
	}
	if Key([]float64{1763310000}, 0) == Key([]float64{1763310030}, 0) {
		t.Error("half a minute makes no difference")
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
