package check

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

// A row that keeps the law of another word than its own has the wrong word, and its numbers stay; a number that keeps neither is wrong itself.
func TestWordThatDecidesALaw(t *testing.T) {
	r := random.New(11, "tariffs")
	var rows [][]string
	for i := range 600 {
		energy := 20 + 60*r.Float64()
		tariff, price := "day", 0.34
		if i%3 == 1 {
			tariff, price = "night", 0.26
		}
		energy = math.Round(1000*energy) / 1000
		rows = append(rows, []string{tariff, fmt.Sprintf("%.3f", energy), fmt.Sprintf("%.4f", price*energy), fmt.Sprintf("%.1f", 230+r.NormFloat64())})
	}
	want := map[int]string{}
	for _, row := range []int{30, 91, 300, 400} {
		want[row] = rows[row][0]
		rows[row][0] = map[string]string{"night": "day", "day": "night"}[want[row]]
	}
	rows[150][2] = strings.Replace(rows[150][2], ".", "", 1)
	table := tolerant.FromStrings([]string{"tariff", "energy", "cost", "volts"}, rows, tolerant.Options{})
	result, err := check.Run(context.Background(), table, check.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range result.Cells {
		word, is := want[c.Row]
		switch {
		case !c.Wrong:
		case is && c.Column == 0 && c.Level == word && !c.Doubt:
			delete(want, c.Row)
		case c.Row != 150 || c.Column != 2:
			t.Errorf("row %d: %s", c.Row, c.Why)
		}
	}
	if len(want) > 0 || !result.Wrong[150] {
		t.Errorf("not found: %v; row 150: %v", want, result.Wrong[150])
	}
}
