package check

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// Where the rest of a row suggests fewer than none, none is right: no stock has fewer than 0 boxes.
func TestNoneWhereLessIsExpected(t *testing.T) {
	for seed := range many(4, 20) {
		r := rand.New(rand.NewPCG(seed, 11))
		goods := []struct {
			name string
			box  int
			cost float64
		}{{"screws", 100, 0.05}, {"tools", 12, 15}, {"paint", 6, 9}, {"cable", 25, 1.2}}
		var rows [][]string
		for i := range 800 {
			g := goods[r.IntN(len(goods))]
			boxes, loose := r.IntN(60), r.IntN(g.box)
			hand := boxes*g.box + loose
			kept := 0
			for range hand {
				if r.Float64() < 0.12 {
					kept++
				}
			}
			cost := math.Round(1000*g.cost*math.Exp(0.25*r.NormFloat64())) / 1000
			rows = append(rows, []string{fmt.Sprintf("N-%d", 10000+13*i), g.name, fmt.Sprint(g.box), fmt.Sprint(boxes), fmt.Sprint(loose), fmt.Sprint(hand), fmt.Sprint(kept),
				fmt.Sprint(hand - kept), fmt.Sprintf("%.3f", cost), fmt.Sprintf("%.2f", cost*(1.55+0.06*r.NormFloat64())), fmt.Sprintf("%.2f", float64(hand)*cost)})
		}
		names := []string{"number", "group", "per box", "boxes", "loose", "on hand", "reserved", "available", "cost", "price", "value"}
		_, found := wrongRows(t, tolerant.FromStrings(names, rows, tolerant.Options{}))
		for _, c := range found.Cells {
			if c.Wrong && names[c.Column] == "boxes" && rows[c.Row][c.Column] == "0" {
				t.Errorf("seed %d, row %d: %s", seed, c.Row+1, c.Why)
			}
		}
	}
}
