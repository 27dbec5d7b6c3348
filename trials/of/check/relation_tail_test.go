package check

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// wrongLines are the wrong rows of a table of lines, the first its names; rows count from 0.
func wrongLines(t *testing.T, lines []string) []int {
	t.Helper()
	var rows [][]string
	for _, l := range lines[1:] {
		rows = append(rows, strings.Split(l, ","))
	}
	wrong, _ := wrongRows(t, tolerant.FromStrings(strings.Split(lines[0], ","), rows, tolerant.Options{}))
	return wrong
}

// goods is a price list of five kinds of goods of unlike prices, each a cost times a factor.
func goods(seed uint64, factor func(*rand.Rand) float64) []string {
	random := rand.New(rand.NewPCG(seed, 1))
	levels := []float64{0.5, 25, 1800, 12, 60}
	lines := []string{"kind,cost,price,stock"}
	for range 800 {
		k := random.IntN(len(levels))
		cost := math.Round(100*levels[k]*math.Exp(0.6*random.NormFloat64())) / 100
		lines = append(lines, fmt.Sprintf("kind %d,%.2f,%.2f,%d", k, cost, cost*factor(random), random.IntN(400)))
	}
	return lines
}

// Prices that thin out towards their costs and now and then fall below them keep no law that those would break; nor is the dearest of
// all goods wrong whose cost is the highest too.
func TestPricesBelowCostThinOut(t *testing.T) {
	for seed := range uint64(4) {
		lines := goods(seed, func(r *rand.Rand) float64 { return math.Exp(0.45 + 0.18*r.NormFloat64()) })
		if wrong := wrongLines(t, lines); len(wrong) > 1 {
			t.Errorf("seed %d: rows %v of clean prices are wrong", seed, wrong)
		}
	}
}

// Where no price is below cost by far, one that is breaks a law.
func TestPriceBelowCostBreaksALaw(t *testing.T) {
	for seed := range uint64(4) {
		lines := goods(seed, func(r *rand.Rand) float64 { return 1.02 + 0.8*r.Float64()*r.Float64() })
		at := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "kind 3") })
		cells := strings.Split(lines[at], ",")
		cells[1], cells[2] = cells[2], cells[1]
		lines[at] = strings.Join(cells, ",")
		if wrong := wrongLines(t, lines); !slices.Contains(wrong, at-1) || len(wrong) > 2 {
			t.Errorf("seed %d: rows %v are wrong, want %d: %s", seed, wrong, at, lines[at])
		}
	}
}

// A value far out that alone has decimals is a slip of the decimal mark, also among columns that tell nothing of each other.
func TestDecimalWhereNoneHasAny(t *testing.T) {
	found, others := 0, 0
	for seed := range uint64(6) {
		random := rand.New(rand.NewPCG(seed, 2))
		lines := []string{"systolic,pulse,weight"}
		for i := range 600 {
			pulse := fmt.Sprintf("%.0f", 72+9*random.NormFloat64())
			if i == 300 {
				pulse = "6.8"
			}
			lines = append(lines, fmt.Sprintf("%.0f,%s,%.1f", 125+12*random.NormFloat64(), pulse, 75+10*random.NormFloat64()))
		}
		for _, row := range wrongLines(t, lines) {
			if row == 300 {
				found++
			} else {
				others++
			}
		}
	}
	if found < 6 || others > 2 {
		t.Errorf("found in %d of 6 tables, and %d other rows", found, others)
	}
}
