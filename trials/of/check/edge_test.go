package check

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/internal/random"
	"gonum.org/v1/gonum/mat"
)

// edged is a column with the value that is set in one of its rows.
type edged struct {
	name  string
	draw  func(r *rand.Rand) float64
	value float64
}

var orders, answer = func(r *rand.Rand) float64 { return float64(1 + r.IntN(39)) }, func(r *rand.Rand) float64 { return float64(1 + r.IntN(5)) }

// edgedTable draws the columns beside two that depend on each other. Row 50k+20 has the k-th value.
func edgedTable(columns []edged, seed uint64) (clean, dirty *mat.Dense) {
	r := random.New(seed, "edge")
	d := len(columns)
	clean = mat.NewDense(450, d+2, nil)
	for i := range 450 {
		v := r.NormFloat64()
		for j, c := range columns {
			clean.Set(i, j, c.draw(r))
		}
		clean.Set(i, d, v)
		clean.Set(i, d+1, 3*v+0.3*r.NormFloat64())
	}
	dirty = mat.DenseCopyOf(clean)
	for j, c := range columns {
		dirty.Set(50*j+20, j, c.value)
	}
	return clean, dirty
}

// Values a little beyond where hundreds of others end are impossible where these end sharply: a
// negative count, a height of 0, a child among adults, an answer that is none.
func TestImpossibleBesideTheEdge(t *testing.T) {
	columns := []edged{
		{"orders", orders, -4},
		{"height", func(r *rand.Rand) float64 { return float64(10 + r.IntN(80)) }, 0},
		{"age", func(r *rand.Rand) float64 { return float64(18 + r.IntN(62)) }, 3},
		{"percent", func(r *rand.Rand) float64 { return math.Round(1000*r.Float64()) / 10 }, 130},
		{"answer", answer, 0},
		{"answer", answer, 6},
		{"waiting", func(r *rand.Rand) float64 { return math.Round(10 * r.ExpFloat64()) }, -3},
	}
	for seed := range uint64(2) {
		clean, dirty := edgedTable(columns, seed)
		if _, got := judged(t, clean); countTrue(got.Wrong) > 0 {
			t.Errorf("seed %d: %d clean rows are wrong", seed, countTrue(got.Wrong))
		}
		_, got := judged(t, dirty)
		for j, c := range columns {
			row := 50*j + 20
			if !slices.ContainsFunc(got.Cells, func(k check.Cell) bool { return k.Wrong && k.Row == row && k.Column == j }) {
				t.Errorf("seed %d: %s of %g is not wrong (p %g)", seed, c.name, c.value, got.P[row])
			}
		}
		for i, wrong := range got.Wrong {
			if wrong && i%50 != 20 {
				t.Errorf("seed %d: row %d is wrong: %s", seed, i, got.Why(i))
			}
		}
	}
}

// What follows on where a column thins out is possible: a temperature below 0, no bath, the next year.
func TestPossibleBesideTheEdge(t *testing.T) {
	columns := []edged{
		{"temperature", func(r *rand.Rand) float64 { return math.Round(10*max(0.1, 12+4*r.NormFloat64())) / 10 }, -1.3},
		{"baths", func(r *rand.Rand) float64 { return 1 + math.Floor(r.ExpFloat64()) }, 0},
		{"year", func(r *rand.Rand) float64 { return float64(2019 + r.IntN(5)) }, 2024},
		{"orders", orders, 0},
		{"income", func(r *rand.Rand) float64 { return math.Round(1000 * math.Exp(r.NormFloat64())) }, 25000},
	}
	for seed := range uint64(2) {
		_, dirty := edgedTable(columns, seed)
		_, got := judged(t, dirty)
		for i, wrong := range got.Wrong {
			if wrong {
				t.Errorf("seed %d: row %d is wrong: %s", seed, i, got.Why(i))
			}
		}
	}
}

// Where a good part of a column is its largest value (points of 100, a full tank) nobody knows how the others thin out upwards, but where they end.
func TestReasonsBesideACap(t *testing.T) {
	r := random.New(4, "cap")
	x := mat.NewDense(600, 2, nil)
	for i := range 600 {
		x.Set(i, 0, math.Round(1000*r.Float64())/10)
		if r.Float64() < 0.4 {
			x.Set(i, 0, 100)
		}
		x.Set(i, 1, r.NormFloat64())
	}
	for _, words := range []string{"all others lie between", "nearly all others lie between"} {
		x.Set(77, 0, -8)
		_, got := judged(t, x)
		cells := got.CellsOf(77)
		if len(cells) == 0 || !cells[0].Wrong {
			t.Fatalf("the negative cell is not found: %v", cells)
		}
		least := math.Inf(1)
		for i := range 600 {
			if v := x.At(i, 0); v >= 0 {
				least = min(least, v)
			}
		}
		if c, want := cells[0], fmt.Sprintf("x1 is -8, %s %g and 100", words, least); !strings.HasPrefix(c.Why, want) || math.IsInf(c.Low, 0) || math.IsInf(c.High, 0) {
			t.Errorf("%s: from %g to %g; want %s", c.Why, c.Low, c.High, want)
		}
		x.Set(200, 0, -6) // then not all others do
	}
}
