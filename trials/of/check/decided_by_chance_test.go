package check

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// Three meters of which each uses about as much as on other days: how much was used nearly always tells which meter it was. A mild day of the one is as
// much as a cold day of another, and the amount, which is used by price, bears it out.
func TestAmountsDecideByChance(t *testing.T) {
	wrong, rows := 0, 0
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 3))
		var table [][]string
		for k, meter := range []struct {
			name, tariff string
			use, price   float64
		}{{"Z-4711", "trade", 31, 27.4}, {"Z-4712", "home", 12, 32.15}, {"Z-4713", "trade", 55, 27.4}} {
			at := []int{12034, 99520, 450}[k]
			for i := range 365 {
				day := time.Date(2024, 1, 1+i, 0, 0, 0, 0, time.UTC)
				used := max(1, math.Round(meter.use*(1+.02*(5+11*math.Cos(2*math.Pi*float64(i)/365)+2.6*r.NormFloat64()))*math.Exp(.09*r.NormFloat64())))
				if k != 1 && int(day.Weekday())%6 == 0 {
					used = math.Round(.7 * used)
				}
				at = (at + int(used)) % 100000
				table = append(table, []string{day.Format(time.DateOnly), meter.name, fmt.Sprint(at), fmt.Sprint(used), meter.tariff, fmt.Sprint(meter.price), fmt.Sprintf("%.2f", used*meter.price/100)})
			}
		}
		got, found := wrongRows(t, tolerant.FromStrings([]string{"day", "meter", "reading", "used", "tariff", "price", "amount"}, table, tolerant.Options{}))
		for _, i := range got {
			t.Logf("seed %d, row %d: %s", seed, i, found.Why(i))
		}
		wrong, rows = wrong+len(got), rows+len(table)
	}
	if wrong > 1 {
		t.Errorf("%d of %d right rows are called wrong", wrong, rows)
	}
}
