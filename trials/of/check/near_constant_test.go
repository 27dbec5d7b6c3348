package check

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
	"gonum.org/v1/gonum/mat"
)

// Rows that are all the same but for one are not far from most rows.
func TestEqualRowsAreNotExtreme(t *testing.T) {
	x := mat.NewDense(300, 3, nil)
	for i := range 300 {
		x.SetRow(i, []float64{7, 1, 1.5})
	}
	x.Set(3, 2, 99)
	_, got := judged(t, x)
	for i, part := range got.Part {
		if i != 3 && part != 0 {
			t.Fatalf("row %d is %s: %s", i+1, part, got.Why(i))
		}
	}
}

// Numbers as small as laboratories write them are told with digits that count.
func TestReasonsOfSmallNumbers(t *testing.T) {
	r := random.New(2, "small")
	var rows [][]string
	for range 300 {
		rows = append(rows, []string{fmt.Sprintf("%.2e", 2e-12*(1+0.1*r.NormFloat64())), fmt.Sprintf("%.1f", r.NormFloat64())})
	}
	rows[50][0] = "3.11e-11"
	table := tolerant.FromStrings([]string{"current", "offset"}, rows, tolerant.Options{})
	_, got := wrongRows(t, table)
	const want = "current is 3.11e-11, the rest of the row suggests about 2e-12 ("
	if why := got.Why(50); !strings.HasPrefix(why, want) {
		t.Errorf("%q, want %q", why, want)
	}
}

// Where nought is to be expected it is no -1.6e-15.
func TestNoughtIsExpectedAsSuch(t *testing.T) {
	for seed := range uint64(20) {
		r := random.New(seed, "nought")
		x := mat.NewDense(300, 3, nil)
		for i := range 300 {
			x.SetRow(i, []float64{float64(r.IntN(2)), 5 * float64(r.IntN(4)/3), math.Round(10*r.NormFloat64()) / 10})
		}
		x.Set(20, 2, 9.9)
		_, got := judged(t, x)
		for _, c := range got.CellsOf(20) {
			if c.Expected != 0 && math.Abs(c.Expected) < 1e-9 || math.Signbit(c.Expected) && c.Expected == 0 || strings.Contains(c.Why, "about -0 ") {
				t.Errorf("%g is expected: %s", c.Expected, c.Why)
			}
		}
	}
}
