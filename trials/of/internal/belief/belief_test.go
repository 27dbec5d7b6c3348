package belief

import (
	"math"
	"testing"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/internal/belief"
)

// Whatever the scores, the curve is one of numbers.
func TestFitOfHostileScores(t *testing.T) {
	for name, scores := range map[string][]float64{
		"equal": {1, 1, 1, 1, 1, 1, 1, 1}, "separated": {1, -1, 1, -1, -1, 1, -1, 1}, "backwards": {-1, 1, -1, 1, 1, -1, 1, -1},
		"huge": {1e300, -1e300, 1, -1, -1, 1, -1e308, 1e308}, "none": {math.NaN(), 1, math.Inf(1), 0, 1, -1, -1, 1}, "tiny": {1e-300, 0, 1e-300, 0, 0, 1e-300, 0, 1e-300},
	} {
		r := belief.Learn(scores, 2, []int{0, 0, 1, 1}, nil, nil)
		for _, row := range [][]float64{{1e308, -1e308}, {0, 0}, {1e-300, 0}} {
			margin := r.Margin(row, 1)
			r.Probabilities(row)
			if sum := row[0] + row[1]; math.Abs(sum-1) > 1e-12 || margin != margin || !(r.Slope >= 0) {
				t.Errorf("%s: slope %v, probabilities %v, margin %v", name, r.Slope, row, margin)
			}
		}
	}
	for _, row := range [][]float64{{1e308, -1e308, 1e308}, {-1e308, 0, 1e300}, {1e-300, 0, 0}} {
		c := belief.Curve{Slope: 1e10, Mix: []float64{1e9, -1e10, 0, 0, 1, 1, -1e10, 1e300, 1e300}, Shift: []float64{1, 2, 3}}
		margin := c.Margin(row, 1)
		if n := testing.AllocsPerRun(5, func() { c.Best(row); c.True(row) }); n != 0 {
			t.Errorf("%v allocations", n)
		}
		if sum := row[0] + row[1] + row[2]; math.Abs(sum-1) > 1e-12 || margin != margin {
			t.Errorf("probabilities %v, margin %v", row, margin)
		}
	}
	if c := belief.Fit([]float64{1, -1, 1, -1, -1, 1, -1, 1}, 2, []int{0, 0, 1, 1}, nil, nil); c.Slope*2 > 5 {
		t.Errorf("four rows that are right make a slope of %v", c.Slope)
	}
}

func TestKnownRowsAreFoundAgain(t *testing.T) {
	rows := [][]float64{{1, 2}, {2, 1}, {0, 1e300}, {math.Copysign(0, -1), 3}}
	var all []belief.Finding
	for i, row := range rows {
		all = append(all, belief.Finding{Key: belief.Key(row, 1), Doubt: i == 1, Label: 2, Margin: -0.5})
	}
	known := belief.Remember(all)
	rule := &belief.Rule{Curve: belief.Curve{Slope: 2, Mix: []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}, Shift: []float64{0, 1, 2}, Flips: []float64{0, .1, .2}, Wrong: 0.01}, Confidence: []float64{.5, .6, .7}, Limit: .3}
	arrays := map[string]archive.Array{}
	rule.Store(arrays, &known)
	reader := archive.State{Arrays: arrays}.Reader()
	back, again := belief.Restore(reader, 3)
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
	if _, none := belief.Restore(archive.State{}.Reader(), 3); none.Rows != nil {
		t.Error("files of old know rows")
	}
}

// Rows of any size differ, also such as lie far from zero beside what they differ by: times, places on a map.
func TestKeysTellRowsOfAnySizeApart(t *testing.T) {
	for _, unit := range []float64{1e-300, 1e-50, 1, 1e50, 1e300} {
		if belief.Key([]float64{unit, 2 * unit}, 0) == belief.Key([]float64{1.5 * unit, 2 * unit}, 0) {
			t.Errorf("unit %g: two rows have one key", unit)
		}
	}
	if belief.Key([]float64{1763310000}, 0) == belief.Key([]float64{1763310030}, 0) {
		t.Error("half a minute makes no difference")
	}
}
