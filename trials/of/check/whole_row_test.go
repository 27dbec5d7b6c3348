package check

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// The largest bill of a year is far in its net, tax, gross and what is left to pay, all four of which follow from one
// number: it was called unlike all others as a whole.
func TestLargestBillIsConsistent(t *testing.T) {
	called := 0
	for seed := uint64(16); seed < 26; seed++ {
		r := rand.New(rand.NewPCG(seed, 5))
		day := time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC)
		rows := make([][]string, 700)
		for i := range rows {
			net := math.Round(100*math.Exp(6.6+r.NormFloat64())) / 100
			tax := math.Round(20*net) / 100
			paid := math.Round(100*(net+tax)*[]float64{0, 0, .3, .5, 1}[r.IntN(5)]) / 100
			day = day.AddDate(0, 0, r.IntN(2))
			town, settled := r.IntN(5), "no"
			if net+tax-paid < .005 {
				settled = "yes"
			}
			rows[i] = []string{day.Format(time.DateOnly), []string{"Dupont", "Mairie", "Ets Moreau", "SCI Garnier"}[r.IntN(4)], []string{"69003", "75011", "44000", "59800", "45000"}[town],
				[]string{"Lyon", "Paris", "Nantes", "Lille", "Tours"}[town], fmt.Sprintf("%.2f", net), fmt.Sprintf("%.2f", tax), fmt.Sprintf("%.2f", net+tax), fmt.Sprintf("%.2f", paid),
				fmt.Sprintf("%.2f", net+tax-paid), settled}
		}
		got, found := wrongRows(t, tolerant.FromStrings([]string{"day", "client", "code", "town", "net", "tax", "gross", "paid", "left", "settled"}, rows, tolerant.Options{}))
		for _, i := range got {
			if found.Part[i] == check.PartRow {
				t.Logf("seed %d: %s", seed, found.Why(i))
				called++
			}
		}
	}
	if called > 0 {
		t.Errorf("%d of 7000 right bills are called wrong", called)
	}
}

// A machine that is switched on is cold, and the rows of its first minutes go on from each other.
func TestWarmingUpIsNoMistake(t *testing.T) {
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 6))
		rows := make([][]string, 1100)
		at, warm := 0.0, 31.0
		for i := range rows {
			at += 44 + 2*r.Float64()
			warm += .03*(39.8-warm) + .12*r.NormFloat64()
			rows[i] = []string{fmt.Sprintf("2025-04-07 %02d:%02d:%06.3f", 6+int(at)/3600, int(at)/60%60, math.Mod(at, 60)), fmt.Sprintf("%.0f", 41200*math.Exp(.008*r.NormFloat64())),
				fmt.Sprintf("%.0f", 8000+16*r.NormFloat64()), fmt.Sprintf("%.1f", 38+1.1*r.NormFloat64()), fmt.Sprintf("%.1f", warm)}
		}
		got, _ := wrongRows(t, tolerant.FromStrings([]string{"ts", "cycle_ms", "rpm", "load", "temp"}, rows, tolerant.Options{}))
		got = slices.DeleteFunc(got, func(i int) bool { return i > 20 })
		if len(got) > 0 {
			t.Errorf("seed %d: rows %v of the first minutes are called wrong", seed, got)
		}
	}
}
