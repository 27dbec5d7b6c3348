package check

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// Rows that are far and right stand behind those that are wrong, however far they are: downpours, and the one spice that costs a thousand times as much.
// Whoever expects a share of wrong rows gets the wrong ones.
func TestWrongRowsScoreAboveFarOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 14))
	goods := []string{"flour", "butter", "sugar", "potatoes", "saffron"}
	price := []float64{1.1, 8.4, 1.3, 0.95, 3900}
	var rows [][]string
	mistaken := map[int]bool{}
	for i := range 1200 {
		k := r.IntN(20) % 9 % 5
		cost := math.Round(100*price[k]*(1+0.02*r.NormFloat64())) / 100
		weight, rain, name := math.Round(100*math.Exp(0.4*r.NormFloat64()))/100, 0.0, goods[k]
		if r.Float64() < 0.06 {
			rain = math.Round(10*(1+r.ExpFloat64()*4)) / 10
		}
		sum := cost * weight
		if i%60 == 7 {
			mistaken[i] = true
			if i%120 == 7 {
				name = name[:2] + name[3:]
			} else {
				sum *= 1.2
			}
		}
		rows = append(rows, []string{name, fmt.Sprintf("%.2f", cost), fmt.Sprintf("%.2f", weight), fmt.Sprintf("%.2f", sum), fmt.Sprintf("%.1f", rain)})
	}
	table := tolerant.FromStrings([]string{"good", "price", "weight", "cost", "rain"}, rows, tolerant.Options{})
	_, found := wrongRows(t, table)
	least, most := math.Inf(1), 0.0
	for i, wrong := range found.Wrong {
		if wrong {
			least = min(least, found.Score[i])
		} else {
			most = max(most, found.Score[i])
		}
	}
	if least < most {
		t.Errorf("a wrong row scores %.2f, and one that is not %.2f", least, most)
	}
	found, err := check.Run(t.Context(), table, check.Settings{Expect: float64(len(mistaken)) / float64(len(rows))}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, wrong := range found.Wrong {
		if wrong != mistaken[i] {
			t.Errorf("row %d is called wrong: %v, %s", i, wrong, found.Why(i))
		}
	}
}
