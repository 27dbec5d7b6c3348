package check

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/internal/random"
	"gonum.org/v1/gonum/mat"
)

// A value that comes again and again is no slip, however far it is, unless it is one that stands for a
// missing value.
func TestFarValuesThatComeAgain(t *testing.T) {
	for _, far := range []float64{3200, 9999} {
		r := random.New(1, "salary")
		x := mat.NewDense(300, 3, nil)
		for i := range 300 {
			x.SetRow(i, []float64{math.Round(100*(-40+60*r.NormFloat64())) / 100, r.NormFloat64(), r.ExpFloat64()})
			if i%30 == 0 {
				x.Set(i, 0, far)
			}
		}
		_, got := judged(t, x)
		for i := range 300 {
			if i%30 == 0 && got.Wrong[i] != (far == 9999) || i%30 != 0 && got.Wrong[i] {
				t.Errorf("%g, row %d: wrong %v, %s", far, i, got.Wrong[i], got.Why(i))
			}
		}
		if why := got.Why(0); far == 3200 && (got.Part[0] != check.PartExtreme || !strings.Contains(why, "3200")) {
			t.Errorf("part %q: %s", got.Part[0], why)
		}
	}
}

// A fifth of the rows far from all others (as in the data of Hawkins, Bradu and Kass) is named as far.
func TestFarGroupIsNamed(t *testing.T) {
	r := random.New(2, "far group")
	x := mat.NewDense(75, 4, nil)
	for i := range 75 {
		for j := range 4 {
			v := 3 * r.Float64()
			if i < 14 && j < 3 {
				v = 20 + float64(5*j) + r.NormFloat64()
			}
			x.Set(i, j, v)
		}
	}
	_, got := judged(t, x)
	for i := range 75 {
		if named := got.Part[i] == check.PartExtreme && strings.Contains(got.Why(i), "one of 14 rows"); named != (i < 14) {
			t.Errorf("row %d: part %q, %q", i, got.Part[i], got.Why(i))
		}
	}
}

// Below a floor at 0 nothing can be right, nor a missing value's number beside a few others.
func TestNegativeWhereZeroIsTheLeast(t *testing.T) {
	r := random.New(3, "floor")
	x := mat.NewDense(400, 3, nil)
	for i := range 400 {
		x.SetRow(i, []float64{math.Round(10*max(0, 4*r.NormFloat64())) / 10, []float64{1, 3, 7, 28, 365}[r.IntN(5)], r.NormFloat64()})
	}
	x.Set(50, 0, -1.4)
	x.Set(90, 1, -999)
	x.Set(130, 1, -28)
	_, got := judged(t, x)
	wrongAre(t, got, map[string]func(check.Cell) bool{"50 0": nil, "90 1": nil, "130 1": nil})
}

// wrongAre insists on these cells, by row and column, and no others, being wrong, and on what is asked of each of them.
func wrongAre(t *testing.T, got *check.Result, want map[string]func(check.Cell) bool) {
	t.Helper()
	for _, c := range got.Cells {
		key := fmt.Sprint(c.Row, " ", c.Column)
		right, planted := want[key]
		if c.Wrong != planted || right != nil && !right(c) {
			t.Errorf("cell %s: wrong %v, %s; expected %g", key, c.Wrong, c.Why, c.Expected)
		}
		delete(want, key)
	}
	if len(want) > 0 {
		t.Errorf("not named: %v", slices.Sorted(maps.Keys(want)))
	}
}

// A value that many rows have by right is wrong in a row that it does not fit.
func TestCommonValueInTheWrongRow(t *testing.T) {
	r := random.New(4, "weights")
	x := mat.NewDense(400, 3, nil)
	for i := range 400 {
		v := 10 + 2*r.NormFloat64()
		if i%20 == 0 {
			v = 1
		}
		x.SetRow(i, []float64{v, math.Round(3 * v), r.NormFloat64()})
	}
	x.Set(77, 1, 3)
	_, got := judged(t, x)
	for i, wrong := range got.Wrong {
		if wrong != (i == 77) {
			t.Errorf("row %d: wrong %v, %s", i, wrong, got.Why(i))
		}
	}
}

// Where most rows have one value (no rain) the others are no group far from it, however near to it the
// nearest of them happens to lie.
func TestRowsBesideAPileAreNoFarGroup(t *testing.T) {
	for seed := range uint64(4) {
		r := random.New(seed, "inflated")
		x := mat.NewDense(300, 4, nil)
		for i := range 300 {
			for j := range 4 {
				if v := r.ExpFloat64(); r.Float64() >= 0.8 {
					x.Set(i, j, v)
				}
			}
		}
		_, got := judged(t, x)
		extreme := 0
		for _, p := range got.Part {
			if p == check.PartExtreme {
				extreme++
			}
		}
		if extreme > 6 {
			t.Errorf("seed %d: %d of 300 clean rows are called extreme", seed, extreme)
		}
	}
}
