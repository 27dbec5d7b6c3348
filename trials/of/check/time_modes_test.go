package check

import (
	"math"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

// machineLog is a machine that runs or idles: every channel changes with it, the temperature slowly.
func machineLog(n int, seed uint64, word bool) *tolerant.Table {
	r := random.New(seed, "machine")
	rpm, current, torque, temp, vibration := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	mode := make([]string, n)
	warm, running := 35.0, false
	for i := range n {
		if r.Float64() < 0.02 {
			running = !running
		}
		rest := 33.0
		mode[i], rpm[i], torque[i] = "idle", 300+6*r.NormFloat64(), 4+0.4*r.NormFloat64()
		if running {
			rest = 72
			mode[i], rpm[i], torque[i] = "run", 1480+12*r.NormFloat64(), 52+5*r.NormFloat64()
		}
		warm += (rest-warm)*0.05 + 0.15*r.NormFloat64()
		temp[i] = math.Round(10*warm) / 10
		current[i] = cents(2 + torque[i]*rpm[i]*0.00021 + 0.12*r.NormFloat64())
		vibration[i] = cents((1.1 + rpm[i]*0.0012) * math.Exp(0.08*r.NormFloat64()))
		rpm[i], torque[i] = math.Round(rpm[i]), math.Round(10*torque[i])/10
	}
	t := numbersTable([]string{"rpm", "current", "torque", "temp", "vibration"}, rpm, current, torque, temp, vibration)
	t.Columns = append(t.Columns, hourly(n))
	if word {
		t.Columns = append(t.Columns, categoryColumn("mode", mode))
	}
	return t
}

// A machine that is switched on and off is not out of order: the other channels say so too. One channel that leaves alone is.
func TestModesAreNoExcursions(t *testing.T) {
	for _, word := range []bool{true, false} {
		for seed := uint64(2); seed <= many(1, 6)+1; seed++ {
			table := machineLog(1100, seed, word)
			if rows, r := wrongRows(t, table); len(rows) > 10 {
				t.Errorf("word %v, seed %d: %d rows of a clean log are wrong: row %d, %s", word, seed, len(rows), rows[0], r.Why(rows[0]))
			}
			for i := 500; i < 512; i++ {
				table.Columns[0].Values[i] += 400
			}
			_, r := wrongRows(t, table)
			if found := countTrue(r.Wrong[500:512]); found < 10 {
				t.Errorf("word %v, seed %d: %d of 12 rows in which the speed left alone are found", word, seed, found)
			}
		}
	}
}
