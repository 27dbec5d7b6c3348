package jobs

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

// On a track headings of 359 degrees are beside 1 and a car that stands keeps its place; a place far off, a heading that is one row's alone and a
// height that is stuck while the car drives are found.
func TestTracks(t *testing.T) {
	r, start := random.New(7, "track"), time.Date(2024, 5, 4, 7, 0, 0, 0, time.UTC)
	var rows [][]string
	heading, north, east, height := 0.0, 48.1, 11.5, 520.0
	for k := range 2500 {
		heading += 0.05*r.NormFloat64() - 0.02*math.Sin(heading)
		height += 0.2 * r.NormFloat64()
		speed := math.Round(100*(5+2*math.Sin(float64(k)/90)+0.1*r.NormFloat64())) / 100
		if k >= 1000 && k < 1060 {
			speed = 0
		}
		north, east = north+speed*math.Cos(heading)/111320, east+speed*math.Sin(heading)/74000
		degrees := math.Mod(heading*180/math.Pi+3600, 360)
		rows = append(rows, []string{start.Add(time.Duration(k) * time.Second).Format(time.DateTime), fmt.Sprintf("%.6f", north), fmt.Sprintf("%.6f", east),
			fmt.Sprintf("%.1f", height), fmt.Sprintf("%.2f", speed), fmt.Sprintf("%.1f", min(degrees, 359.9))})
	}
	wrong := func() []int {
		names := []string{"time", "lat", "lon", "ele", "speed", "heading"}
		result, err := inlier.Check{Table: tolerant.FromStrings(names, rows, tolerant.Options{})}.Run(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return result.WrongRows
	}
	if list := wrong(); len(list) > 10 {
		t.Errorf("%d rows of a clean track are wrong: %v", len(list), list)
	}
	rows[300][1], rows[500][5] = "48.6", "180.0"
	for k := range 41 {
		rows[1700+k][3] = rows[1700][3]
	}
	list := wrong()
	for _, row := range []int{301, 501, 1701, 1741} {
		if !slices.Contains(list, row) {
			t.Errorf("row %d is not among the %d wrong ones: %v", row, len(list), list)
		}
	}
	if len(list) > 55 {
		t.Errorf("%d rows are wrong, 43 were to be: %v", len(list), list)
	}
}
