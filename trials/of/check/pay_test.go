package check

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// Of a payroll nearly all columns are lines of each other in most rows, pair by pair: its sums are laws all the same, and two cells that were
// exchanged are told as such in the first run.
func TestSumsOfAPayroll(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	rows := make([][]string, 1000)
	cents := func(v float64) float64 { return math.Round(100*v) / 100 }
	exchanged := map[int]bool{}
	for i := range rows {
		hours, rate := float64(80+40*r.IntN(3))+.25*float64(r.IntN(20)), []float64{12.4, 14.1, 17.35, 21.8, 28.6}[r.IntN(5)]+.45*float64(r.IntN(4))
		gross := cents(hours * rate)
		pension := cents(.05 * gross)
		taxable := cents(gross - pension)
		tax, insured := cents(.2*max(0, min(taxable-1047.5, 3141.67))+.4*max(0, taxable-4189.17)), cents(.08*max(0, min(gross, 4189)-1048)+.02*max(0, gross-4189))
		net := cents(taxable - tax - insured)
		if i%80 == 11 && tax > 2*insured && insured > 0 {
			tax, insured, exchanged[i] = insured, tax, true
		}
		for _, v := range []float64{hours, rate, gross, pension, taxable, tax, insured, net} {
			rows[i] = append(rows[i], fmt.Sprintf("%.2f", v))
		}
	}
	got, found := wrongRows(t, tolerant.FromStrings([]string{"hours", "rate", "gross", "pension", "taxable", "tax", "insured", "net"}, rows, tolerant.Options{}))
	sums := 0
	for _, law := range found.Relations {
		if strings.Count(law.Text, " + ") > 0 && !strings.ContainsAny(law.Text, "*/^") {
			sums++
		}
	}
	if sums < 2 {
		t.Errorf("%d sums are found", sums)
	}
	for _, i := range got {
		if !exchanged[i] {
			t.Errorf("row %d is right: %s", i, found.Why(i))
		}
	}
	told := 0
	for i := range exchanged {
		for _, c := range found.CellsOf(i) {
			if c.Wrong && strings.HasPrefix(c.Slip, "exchanged") {
				told++
			}
		}
	}
	if told < 2*len(exchanged)-2 {
		t.Errorf("%d cells of %d exchanged pairs are told", told, len(exchanged))
	}
}
