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

// Rows of a time sheet that moved are put back also where so many did that what stands in them is a habit of its column: empty cells at the end,
// words of the project for a mark of missing hours. A repair of the repaired file changes nothing.
func TestShiftedRowsOfTimeSheet(t *testing.T) {
	r := random.New(3, "time sheet")
	notes, projects := [8]string{"site", "training", "travel", "", "", "", "", ""}, [4]string{"NORTH", "SOUTH", "ADMIN", "P-310"}
	clock := func(minutes int) string { return fmt.Sprintf("%02d:%02d", minutes/60, minutes%60) }
	var rows [][]string
	for i := range 600 {
		start, pause, work := 360+15*r.IntN(16), 30+15*r.IntN(3), 360+15*r.IntN(13)
		day := time.Date(2024, 1, 1+i/10, 0, 0, 0, 0, time.UTC)
		rows = append(rows, []string{fmt.Sprintf("E%d", 100+i%10), day.Format(time.DateOnly), clock(start), clock(start + pause + work), fmt.Sprint(pause),
			fmt.Sprintf("%.2f", float64(work)/60), projects[r.IntN(4)], notes[r.IntN(8)]})
	}
	for _, row := range []int{11, 101, 201, 301, 401, 502, 560} {
		rows[row][6] = "ADMIN"
	}
	whole := func(cells []string) []string { return append(cells, "")[:8] }
	lost := func(row, column int) {
		rows[row] = whole(append(append([]string{}, rows[row][:column]...), rows[row][column+1:]...))
	}
	gained := func(row, column int) {
		rows[row] = append(append(append([]string{}, rows[row][:column]...), ""), rows[row][column:]...)
	}
	moved := []int{11, 101, 201, 301, 401, 502, 560}
	for _, row := range moved[:4] {
		lost(row, 4)
	}
	lost(401, 5)
	gained(502, 4)
	gained(560, 3)
	check := func(text string) (*inlier.CheckResult, []inlier.Change) {
		result, err := inlier.Check{Paths: []string{"-"}, Reader: strings.NewReader(text), Repair: true}.Run(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return result, result.Changes()
	}
	text := "employee,date,start,end,pause,hours,project,note\n"
	for _, cells := range rows {
		text += strings.Join(cells, ",") + "\n"
	}
	first, _ := check(text)
	for _, row := range moved {
		if !first.Found.Wrong[row] || first.Found.Part[row].String() != "shifted" {
			t.Errorf("row %d: %v %s: %s", row, first.Found.Wrong[row], first.Found.Part[row], first.Found.Why(row))
		}
	}
	if len(first.WrongRows) != len(moved) {
		t.Errorf("rows %v, want those behind %v", first.WrongRows, moved)
	}
	var out bytes.Buffer
	if err := first.WriteRepaired(&out); err != nil {
		t.Fatal(err)
	}
	if _, changes := check(out.String()); len(changes) > 0 {
		t.Errorf("repaired again: %v", changes)
	}
}
