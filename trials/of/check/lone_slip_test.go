package check

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// A lone slip in a column that is a list of few values is found and undone, also where the list has two values or the slip lies between them; so is a 0 from which
// all other marks stay away. Without it nothing is wrong.
func TestLoneSlipsInLists(t *testing.T) {
	for seed := range many(3, 20) {
		r := rand.New(rand.NewPCG(seed, 6))
		one := func(values ...float64) float64 { return values[r.IntN(len(values))] }
		mark := func() float64 { return max(30, min(100, math.Round(66+11*r.NormFloat64()))) }
		for _, c := range []struct {
			name        string
			draw        func() float64
			cell, meant float64 // NaN: any
		}{
			{"days", func() float64 { return one(30, 45) }, 450, 45},
			{"term", func() float64 { return one(1, 6, 6, 12, 12, 12, 24) }, 2.4, 24},
			{"pack", func() float64 { return one(0.5, 1, 2) }, 0.05, 0.5},
			{"span", func() float64 { return one(30, 45) }, -45, 45},
			{"mark", mark, 0, math.NaN()},
		} {
			var rows [][]string
			for i := range 150 + 150*int(seed%3) {
				rows = append(rows, []string{fmt.Sprintf("S%d", i), fmt.Sprint(c.draw()), fmt.Sprintf("%.2f", math.Exp(5+0.5*r.NormFloat64())), string(rune('a' + r.IntN(3)))})
			}
			names := []string{"id", c.name, "cost", "class"}
			if wrong, found := wrongRows(t, tolerant.FromStrings(names, rows, tolerant.Options{})); len(wrong) > 0 {
				t.Errorf("%s, seed %d, clean: %v, %s", c.name, seed, wrong, found.Why(wrong[0]))
			}
			rows[77][1] = fmt.Sprint(c.cell)
			wrong, found := wrongRows(t, tolerant.FromStrings(names, rows, tolerant.Options{}))
			if cells := found.CellsOf(77); !slices.Equal(wrong, []int{77}) || cells[0].Column != 1 || c.meant == c.meant && cells[0].Expected != c.meant {
				t.Errorf("%s, seed %d: %v, %+v", c.name, seed, wrong, cells)
			}
		}
	}
}

// Two slips of different kinds in one list take nothing from each other; a value that comes again is one of the list, if a rare one.
func TestSeveralSlipsInAList(t *testing.T) {
	for seed := range many(3, 20) {
		r := rand.New(rand.NewPCG(seed, 61))
		var rows [][]string
		for i := range 330 {
			rate := "0.48"
			switch {
			case i%33 == 5:
				rate = "1"
			case i == 61:
				rate = "9999"
			case i == 176:
				rate = "-0.48"
			}
			rows = append(rows, []string{rate, fmt.Sprintf("%.2f", math.Exp(5+0.5*r.NormFloat64())), string(rune('a' + r.IntN(3)))})
		}
		names := []string{"rate", "cost", "class"}
		if wrong, _ := wrongRows(t, tolerant.FromStrings(names, rows, tolerant.Options{})); !slices.Equal(wrong, []int{61, 176}) {
			t.Errorf("seed %d: %v", seed, wrong)
		}
		for _, row := range []int{61, 176, 177} {
			rows[row][0] = "-0.48"
		}
		if wrong, found := wrongRows(t, tolerant.FromStrings(names, rows, tolerant.Options{})); len(wrong) > 0 {
			t.Errorf("seed %d, three times the same: %v, %s", seed, wrong, found.Why(wrong[0]))
		}
	}
}
