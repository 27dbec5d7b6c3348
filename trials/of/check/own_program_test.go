package check

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// A machine makes one of its products once only: its ninety rows are another kind, of which the program tells, and no three channels that leave the others.
// A speed that stands at its limit is there elsewhere too, and not stuck.
func TestOneRunOfAProduct(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var rows [][]string
	at, warm, speed := time.Date(2025, 4, 7, 6, 0, 0, 0, time.UTC), 38.0, 30.0
	for i := range 1100 {
		program, cycle, rpm, feed, load := "O1001", 41200.0, 8000.0, 1200.0, 38.0
		if i/90%2 == 1 {
			program, cycle, rpm, feed, load = "O1002", 28700.0, 12000.0, 2100.0, 24.0
		}
		if i/90 == 5 {
			program, cycle, rpm, feed, load = "O2005", 63900.0, 5200.0, 700.0, 55.0
		}
		at = at.Add(time.Duration(cycle)*time.Millisecond + time.Duration(r.IntN(2000))*time.Millisecond)
		warm += .03*(36+load/10-warm) + .12*r.NormFloat64()
		speed = min(48, max(4, speed+.3+1.6*r.NormFloat64()))
		if i%200 == 0 {
			speed = 20
		}
		rows = append(rows, []string{at.Format("2006-01-02 15:04:05"), program, fmt.Sprintf("%.0f", cycle*math.Exp(.008*r.NormFloat64())), fmt.Sprintf("%.0f", rpm*(1+.002*r.NormFloat64())),
			fmt.Sprintf("%.0f", feed*(1+.004*r.NormFloat64())), fmt.Sprintf("%.1f", load+1.1*r.NormFloat64()), fmt.Sprintf("%.1f", warm), fmt.Sprintf("%.1f", speed)})
	}
	got, found := wrongRows(t, tolerant.FromStrings([]string{"ts", "program", "cycle_ms", "rpm", "feed", "load", "temp", "conveyor"}, rows, tolerant.Options{}))
	if len(got) > 1 {
		t.Errorf("%d of 1100 right rows are called wrong: %s", len(got), found.Why(got[len(got)/2]))
	}
}
