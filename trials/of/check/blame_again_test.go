package check

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// Of three columns of which each follows closely from the other two, and loosely from one of them, one wrong cell accuses no other: what is expected of these
// without it is not as sure as with it.
func TestOneWrongCellOfThreeAccusesNoOther(t *testing.T) {
	for seed := range many(3, 12) {
		r := rand.New(rand.NewPCG(seed, 21))
		names := []string{"temp", "pH", "conductivity", "oxygen", "saturation", "nitrate"}
		var rows [][]string
		for i := range 700 {
			temp := 12 + 8*math.Sin(float64(i)/110) + 1.5*r.NormFloat64()
			saturation := 94 + 5*r.NormFloat64()
			oxygen := 14.62 * math.Exp(-0.0215*temp) * saturation / 100
			if i%80 == 15 {
				saturation *= 100
			}
			rows = append(rows, []string{fmt.Sprintf("%.1f", temp), fmt.Sprintf("%.2f", 7.6+0.2*r.NormFloat64()), fmt.Sprintf("%.0f", 450*math.Exp(0.3*r.NormFloat64())),
				fmt.Sprintf("%.2f", oxygen), fmt.Sprintf("%.1f", saturation), fmt.Sprintf("%.2f", math.Exp(0.6*r.NormFloat64()))})
		}
		_, found := wrongRows(t, tolerant.FromStrings(names, rows, tolerant.Options{}))
		wrong := 0
		for _, c := range found.Cells {
			if c.Wrong && c.Row%80 == 15 && c.Column != 4 {
				t.Errorf("seed %d, row %d: %s", seed, c.Row, c.Why)
			} else if c.Wrong {
				wrong++
			}
		}
		if wrong < 9 {
			t.Errorf("seed %d: %d of 9 wrong cells are found", seed, wrong)
		}
	}
}
