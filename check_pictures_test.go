package inlier

import (
	"math"
	"testing"

	"github.com/inlier-ml/inlier/check"
)

// A cell that a law names has no room around its expected value, and is not drawn as a missing one for it.
func TestDeviationsOfPictures(t *testing.T) {
	none := math.NaN()
	for _, c := range []struct{ value, expected, low, high, want float64 }{
		{39.18, 78.36, 78.36, 78.36, -mapLimit}, // a law's
		{78.36, 39.18, none, none, mapLimit},
		{5, 4, 2, 6, 1},
		{-1e308, 1e308, 9e307, 1.1e308, -mapLimit},
		{1e308, -1e308, -1.7e308, 1.7e308, 2 / (2 * 1.7 / 4)},
		{none, 4, 2, 6, mapLimit}, // unreadable
		{5, none, none, none, mapLimit},
	} {
		got := deviation(&check.Cell{Expected: c.expected, Low: c.low, High: c.high}, c.value)
		if !(math.Abs(got-c.want) < 1e-12) {
			t.Errorf("%+v: %g", c, got)
		}
	}
}
