package check

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// A machine that idles, is set up or has a fault takes less power and has less pressure than its other channels promise: the word of its state tells
// so, and its rows are not wrong, also where two states are alike. A pressure that leaves within a state is.
func TestStatesOfMachinesAreNotWrong(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 11))
	var rows [][]string
	state, left, set, temperature := "SETUP", 20, 180.0, 150.0
	last := map[string]float64{"SETUP": 15, "RUN": 90, "IDLE": 12, "FAULT": 10}
	run := 0
	for i := range 2000 {
		if left == 0 {
			switch u := r.Float64(); {
			case state == "SETUP" || state == "IDLE":
				state = "RUN"
			case state == "FAULT" || u < 0.35:
				state, set = "SETUP", []float64{180, 195, 210}[r.IntN(3)]
			case u < 0.5:
				state = "FAULT"
			default:
				state = "IDLE"
			}
			left = int(last[state] * (0.6 + 0.8*r.Float64()))
		}
		left--
		temperature += (set-temperature)/4 + 0.5*r.NormFloat64()
		pressure, speed, power := 0.09*temperature+12+0.25*r.NormFloat64(), 0.0, 11+0.05*temperature+0.4*r.NormFloat64()
		switch state {
		case "RUN":
			speed = 42 + 0.6*r.NormFloat64()
			pressure, power = pressure+28, 31+0.05*temperature+0.3*speed+0.6*r.NormFloat64()
			if run++; run > 700 && run <= 712 {
				pressure -= 15
			}
		case "FAULT":
			power = 3 + 0.2*r.Float64()
		}
		rows = append(rows, []string{fmt.Sprintf("2024-06-%02dT%02d:%02d:00", 3+i/1440, i/60%24, i%60), state, fmt.Sprint(set), fmt.Sprintf("%.1f", temperature),
			fmt.Sprintf("%.1f", pressure), fmt.Sprintf("%.1f", speed), fmt.Sprintf("%.2f", power)})
	}
	wrong, found := wrongRows(t, tolerant.FromStrings([]string{"stamp", "state", "set", "temperature", "pressure", "speed", "power"}, rows, tolerant.Options{}))
	hits := 0
	for _, c := range found.Cells {
		if c.Wrong && c.Column == 4 {
			hits++
		}
	}
	if hits < 9 || len(wrong) > 24 { // where the set point changes the temperature follows late
		t.Errorf("%d of 12 found, %d rows called wrong: %v, %s", hits, len(wrong), wrong, found.Why(wrong[0]))
	}
}
