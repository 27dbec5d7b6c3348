package check

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

// In a log of several rooms, a row of each at every stamp, a room is held against its own rows before and behind: a slip accuses no rows around it, and
// a sensor that is stuck, or a stretch that leaves, in one room is found among those of the others.
func TestSeriesThatTakeTurns(t *testing.T) {
	rooms := []string{"kitchen", "bath", "office", "cellar", "bed", "hall", "attic", "living"}
	for seed := uint64(1); seed <= many(2, 8); seed++ {
		r := random.New(seed, "rooms")
		var rows [][]string
		now := make([]float64, len(rooms))
		for i := range 300 {
			stamp := time.Date(2024, 2, 1, 0, 10*i, 0, 0, time.UTC).Format("2006-01-02 15:04")
			for k, room := range rooms {
				now[k] = 0.97*now[k] + 0.12*r.NormFloat64()
				level := []float64{21, 22.5, 20.5, 12, 18, 17, 15, 21.5}[k] + now[k]
				switch {
				case k == 2 && i >= 100 && i < 112:
					level = 20.31
				case k == 5 && i >= 200 && i < 206:
					level += 6
				case k == 4 && i%50 == 20:
					level *= 10
				}
				rows = append(rows, []string{stamp, room, fmt.Sprintf("%.2f", level), fmt.Sprintf("%.1f", 55-2*now[k]+4*r.NormFloat64())})
			}
		}
		got, err := check.Run(context.Background(), tolerant.FromStrings([]string{"time", "room", "temp", "humidity"}, rows, tolerant.Options{}), check.Settings{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		stuck, left, slips := 0, 0, 0
		for row, wrong := range got.Wrong {
			i, k := row/len(rooms), row%len(rooms)
			switch {
			case !wrong:
			case k == 2 && i >= 100 && i < 112:
				stuck++
			case k == 5 && i >= 200 && i < 206:
				left++
			case k == 4 && i%50 == 20:
				slips++
			default:
				t.Errorf("seed %d: row %d is right: %s", seed, row, got.Why(row))
			}
		}
		if stuck < 12 || left < 5 || slips < 6 {
			t.Errorf("seed %d: %d of 12 stuck, %d of 6 away, %d of 6 slips are found", seed, stuck, left, slips)
		}
	}
}

// A long table of analyses has several rows a day and no devices: a result that comes often names none, and a limit that is the same for all rows of a kind
// of analysis is not stuck.
func TestOftenSeenResultsAreNoDevices(t *testing.T) {
	for seed := uint64(1); seed <= many(4, 16); seed++ {
		r := random.New(seed, "analyses")
		kinds := []struct {
			name, unit, low, high string
			middle, spread        float64
			digits                int
		}{{"glucose", "mg/dl", "70", "100", 95, 14, 0}, {"sodium", "mmol/l", "135", "145", 140, 2, 0}, {"potassium", "mmol/l", "3.5", "5.1", 4.2, 0.3, 1},
			{"haemoglobin", "g/dl", "12", "17.5", 14.2, 1.3, 1}, {"leukocytes", "10^9/l", "4", "10", 6.7, 1.6, 1}, {"TSH", "mU/l", "0.4", "4", 1.7, 0.5, 2}}
		var rows [][]string
		for order := 0; len(rows) < 1500; order++ {
			day := time.Date(2024, 1, 2, 0, 0, 0, 0, time.UTC).AddDate(0, 0, len(rows)/5).Format("2006-01-02")
			patient := fmt.Sprintf("P-%d", 1000+r.IntN(260))
			for _, k := range kinds {
				if r.Float64() < 0.55 {
					rows = append(rows, []string{fmt.Sprintf("A%d", 5000+3*order), patient, day, k.name, fmt.Sprintf("%.*f", k.digits, k.middle+k.spread*r.NormFloat64()), k.unit, k.low, k.high})
				}
			}
		}
		got, err := check.Run(context.Background(), tolerant.FromStrings([]string{"order", "patient", "date", "analyte", "value", "unit", "from", "to"}, rows, tolerant.Options{}), check.Settings{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if wrong := countTrue(got.Wrong); wrong > 5 {
			t.Errorf("seed %d: %d of %d right rows are called wrong", seed, wrong, len(rows))
		}
	}
}

// A thermometer that stands still breaks the law of its other scale, row by row: the other scale is right, and says what it was.
func TestOfALawTheCellThatStandsStillIsWrong(t *testing.T) {
	r := random.New(6, "scales")
	var rows [][]string
	for i := range 400 {
		stamp := time.Date(2024, 3, 1, 0, 30*i, 0, 0, time.UTC).Format("2006-01-02 15:04")
		for k, room := range []string{"roof", "hall", "cellar"} {
			celsius := math.Round(10*([]float64{12, 21, 9}[k]+3*math.Sin(float64(i)/8)+0.4*r.NormFloat64())) / 10
			fahrenheit := fmt.Sprintf("%.1f", 1.8*celsius+32)
			if k == 0 && i >= 200 && i < 220 {
				celsius = 12.4
			}
			rows = append(rows, []string{stamp, room, fmt.Sprintf("%.1f", celsius), fahrenheit})
		}
	}
	got, err := check.Run(context.Background(), tolerant.FromStrings([]string{"time", "room", "celsius", "fahrenheit"}, rows, tolerant.Options{}), check.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	given := 0
	for row := 600; row < 660; row += 3 {
		for k, c := range got.CellsOf(row) {
			switch {
			case (k == 0) != (c.Wrong && c.Column == 2), c.Wrong && (c.Doubt || c.Slip != "stuck"):
				t.Errorf("row %d: %+v", row, c)
			case c.Wrong && c.Expected == c.Expected:
				given++
			}
		}
	}
	if given < 10 {
		t.Errorf("%d of 20 are what the law gives", given)
	}
}
