package check

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

// hourly is a column of dates, one an hour.
func hourly(n int) tolerant.Column {
	c := tolerant.Column{Name: "time", Kind: tolerant.Date}
	for i := range n {
		c.Values = append(c.Values, 1.7e9+3600*float64(i))
	}
	return c
}

// A rain that goes on for two days is no drift of the gauge: a series that rests most of the time comes and goes.
func TestSpellsOfRain(t *testing.T) {
	r := random.New(2, "rain")
	const n = 2000
	rain, damp, warm := make([]float64, n), make([]float64, n), make([]float64, n)
	wet, air := false, 0.0
	for i := range n {
		wet = r.Float64() < map[bool]float64{false: 0.02, true: 0.85}[wet] || i >= 1200 && i < 1240
		air = 0.8*air + 1.5*r.NormFloat64()
		if wet {
			rain[i] = math.Round(10*(0.1+r.ExpFloat64()))/10 + 0.1
		}
		damp[i] = math.Round(65 + 12*map[bool]float64{true: 1}[wet] - 0.6*air + 6*r.NormFloat64())
		warm[i] = math.Round(10*(10+air)) / 10
	}
	table := numbersTable([]string{"rain", "damp", "warm"}, rain, damp, warm)
	table.Columns = append([]tolerant.Column{hourly(n)}, table.Columns...)
	if rows, found := wrongRows(t, table); len(rows) > n/200 {
		t.Errorf("%d rows are wrong: %s", len(rows), found.Why(rows[0]))
	}
}

// Four equal values in a row are chance where every tenth follows itself, and a channel that hangs where next to none does: in a table of
// this size such a run comes by chance in fewer than one of a thousand.
func TestStuckForFour(t *testing.T) {
	r := random.New(4, "stuck")
	const n = 600
	level, flow := make([]float64, n), make([]float64, n)
	for i := range n {
		level[i], flow[i] = math.Round(100*(20+2*r.NormFloat64()))/100, math.Round(10*(5+0.3*r.NormFloat64()))/10
	}
	for i := 300; i < 304; i++ {
		level[i], flow[i] = 20.37, 5.1
	}
	table := numbersTable([]string{"level", "flow"}, level, flow)
	table.Columns = append([]tolerant.Column{hourly(n)}, table.Columns...)
	_, found := wrongRows(t, table)
	for row := 300; row < 304; row++ {
		cells := found.CellsOf(row)
		if !found.Wrong[row] || len(cells) != 1 || cells[0].Column != 1 || cells[0].Slip != "stuck" {
			t.Errorf("row %d: wrong %v, %+v", row, found.Wrong[row], cells)
		}
	}
}

// In the night in which clocks are set back an hour comes twice in logs of local time: none of its stamps is out of order, while one that a
// clock tells wrong is, then as on other days.
func TestAnHourThatComesTwice(t *testing.T) {
	for _, minutes := range []int{1, 15, 60} {
		r := random.New(uint64(minutes), "autumn")
		var rows [][]string
		start := time.Date(2024, 10, 27, 0, 0, 0, 0, time.UTC).Add(-100 * time.Duration(minutes) * time.Minute) // 200 rows before and behind
		set := time.Date(2024, 10, 27, 3, 0, 0, 0, time.UTC)
		for i := range 400 {
			at := start.Add(time.Duration(i*minutes) * time.Minute)
			if !at.Before(set) {
				at = at.Add(-time.Hour)
			}
			if i == 30 || i == 350 {
				at = at.Add(-50 * time.Hour)
			}
			rows = append(rows, []string{at.Format("2006-01-02 15:04"), fmt.Sprintf("%.2f", 20+r.NormFloat64())})
		}
		table := tolerant.FromStrings([]string{"time", "load"}, rows, tolerant.Options{})
		_, found := wrongRows(t, table)
		for i, wrong := range found.Wrong {
			if said := wrong && found.Part[i] == check.PartTime; said != (i == 30 || i == 350) {
				t.Errorf("every %d minutes: row %d, %s, wrong %v: %s", minutes, i+1, rows[i][0], wrong, found.Why(i))
			}
		}
		for _, c := range found.CellsOf(350) {
			if off := c.Expected - table.Columns[0].Values[349]; c.Column == 0 && math.Abs(off-60*float64(minutes)) > 60*float64(minutes) {
				t.Errorf("every %d minutes: the wrong stamp is expected %g s behind the one before", minutes, off)
			}
		}
	}
}

// A track goes one way, so that the few places that turn back are mostly wrong ones: they do not tell what is usual. What stands instead is what the
// rows before and after say, with their range, and the digits that are there where these fit.
func TestSpikesOfATrack(t *testing.T) {
	r := random.New(9, "track")
	const n = 400
	lat, speed := make([]float64, n), make([]float64, n)
	at, v := 47.0, 4.0
	for i := range n {
		v = 0.9*v + 0.4 + 0.2*r.NormFloat64()
		at += 0.00004 * max(v, 0.5)
		lat[i], speed[i] = math.Round(1e6*at)/1e6, math.Round(100*v)/100
	}
	meant := lat[99]
	for _, i := range []int{40, 120, 300} {
		lat[i] += 27
	}
	lat[99] = math.Round(1e6*meant) / 1e7
	table := numbersTable([]string{"lat", "speed"}, lat, speed)
	table.Columns[0].Decimals, table.Columns[1].Decimals = 6, 2
	table.Columns = append([]tolerant.Column{hourly(n)}, table.Columns...)
	_, found := wrongRows(t, table)
	for _, i := range []int{40, 99, 120, 300} {
		cells := found.CellsOf(i)
		if !found.Wrong[i] || len(cells) == 0 || cells[0].Column != 1 || !(cells[0].High-cells[0].Low < 0.001) {
			t.Fatalf("row %d: %v %+v", i, found.Wrong[i], cells)
		}
		if i != 99 && math.Abs(cells[0].Expected-lat[i]+27) > 0.0005 {
			t.Errorf("row %d: %.6f is expected", i, cells[0].Expected)
		}
	}
	if c := found.CellsOf(99)[0]; math.Abs(c.Repaired(&table.Columns[1], lat[99])-meant) > 1e-5 || !strings.Contains(c.Slip, "ten times") {
		t.Errorf("%+v", c)
	}
}

// A course that crosses north once goes from 356 to 3, which is no jump.
func TestCourseAcrossNorthOnce(t *testing.T) {
	r := random.New(3, "course")
	const n = 400
	course, level := make([]float64, n), make([]float64, n)
	for i := range n {
		course[i] = math.Round(10*(4+340*math.Pow(math.Sin(float64(i)/127), 2)+3*r.Float64())) / 10
		level[i] = math.Round(100*(5+r.NormFloat64())) / 100
	}
	course[398], course[399] = 356.2, 2.1
	table := numbersTable([]string{"course", "level"}, course, level)
	table.Columns = append([]tolerant.Column{hourly(n)}, table.Columns...)
	if _, found := wrongRows(t, table); found.Wrong[398] {
		t.Error(found.Why(398))
	}
}
