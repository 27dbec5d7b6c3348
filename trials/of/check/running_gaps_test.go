package check

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/internal/random"
)

// A cell that is empty or cannot be read is 0 in a column of which most cells are empty where the other one of two is filled, and not known in one that is
// filled in nearly every row: no other cell of its row pays for it.
func TestRunningSumsOfUnknownCells(t *testing.T) {
	r := random.New(5, "bunker")
	n, last := 400, 1200.0
	used, taken, left := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		if used[i] = math.Round(10*(28+4*r.NormFloat64())) / 10; last < 200 {
			taken[i] = float64(800 + r.IntN(300))
		}
		last = math.Round(10*(last-used[i]+taken[i])) / 10
		left[i] = last
	}
	for _, i := range []int{77, 190, 191, 305} {
		used[i] = math.NaN()
	}
	left[120] *= 10
	got, err := check.Run(context.Background(), numbersTable([]string{"used", "taken", "left"}, used, taken, left), check.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(got.Relations, func(r check.Relation) bool { return r.Text == "left = left of the row before - used + taken" }) {
		t.Errorf("relations %q", texts(got.Relations))
	}
	for row, wrong := range got.Wrong {
		if wrong != (row == 120) {
			t.Errorf("row %d is called wrong: %v, %s", row, wrong, got.Why(row))
		}
	}
}
