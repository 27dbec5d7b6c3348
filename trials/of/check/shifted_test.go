package check

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/internal/random"
)

// A row whose cells stand one column too far is told as one mistake, and a repair puts every cell back: behind a text with an unquoted comma,
// an empty field too many, and a field that is missing.
func TestShiftedRows(t *testing.T) {
	r := random.New(7, "shifted")
	var lines, clean []string
	const n = 300
	for i := range n {
		goods, per := [3]string{"coffee", "steel", "fish"}[i%3], [3]float64{0.6, 3.2, 0.8}[i%3]
		volume := 18 + 20*r.Float64()
		net := math.Round(1000 * volume * per * (1 + 0.05*r.NormFloat64()))
		tare := 2200 + 10*float64(r.IntN(12))
		day := time.Date(2024, 1, 1+i/2, 0, 0, 0, 0, time.UTC)
		line := fmt.Sprintf("C%05d,%s,%.1f,%.0f,%.0f,%.0f,%s,%.1f", 10000+7*i, goods, volume, net, tare, net+tare, day.Format(time.DateOnly), 4+r.NormFloat64())
		clean = append(clean, line)
		lines = append(lines, line)
	}
	cells := func(i int) []string { return strings.Split(clean[i], ",") }
	split, inserted, lost := cells(40), cells(90), cells(150)
	lines[40] = strings.Replace(clean[40], split[1], split[1]+", loose", 1)
	clean[40] = strings.Replace(clean[40], split[1], `"`+split[1]+`, loose"`, 1)
	lines[90] = strings.Join(append(append(append([]string{}, inserted[:3]...), ""), inserted[3:7]...), ",")
	clean[90] = strings.Join(append(append([]string{}, inserted[:7]...), ""), ",")
	lines[150] = strings.Join(append(append([]string{}, lost[:3]...), lost[4:]...), ",")
	clean[150] = strings.Join(append(append(append([]string{}, lost[:3]...), ""), lost[4:]...), ",")
	head := "container,goods,volume,net,tare,gross,day,share\n"
	result, err := inlier.Check{Paths: []string{"-"}, Reader: strings.NewReader(head + strings.Join(lines, "\n") + "\n"), Repair: true}.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []int{40, 90, 150} {
		if !result.Found.Wrong[row] || result.Found.Part[row] != check.PartShifted || !strings.Contains(result.Found.Why(row), "one column too far") {
			t.Errorf("row %d: %v %s: %s", row, result.Found.Wrong[row], result.Found.Part[row], result.Found.Why(row))
		}
	}
	if len(result.WrongRows) != 3 {
		t.Errorf("rows %v", result.WrongRows)
	}
	var out bytes.Buffer
	if err := result.WriteRepaired(&out); err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSpace(strings.ReplaceAll(out.String(), ", ", ",")), "\n")
	for i, want := range clean {
		if strings.ReplaceAll(want, ", ", ",") != got[i+1] {
			t.Errorf("row %d: %s, want %s", i, got[i+1], want)
		}
	}
}
