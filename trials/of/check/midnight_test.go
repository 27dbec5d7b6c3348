package check

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// A time that follows two others goes on after midnight where either tells so: the end of a shift whose break came after midnight is still after its start.
// An end before its start that no others are like is found.
func TestTimesThatFollowSeveral(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 7))
	clock := func(minutes int) string { return fmt.Sprintf("%02d:%02d", minutes/60%24, minutes%60) }
	var rows [][]string
	for range 400 {
		start, length := 17*60+r.IntN(6*60), 7*60+r.IntN(120)
		rows = append(rows, []string{clock(start + 3*60 + r.IntN(60)), clock(start), clock(start + length), fmt.Sprintf("%.2f", float64(length)/60)})
	}
	names := []string{"pause", "start", "end", "hours"}
	table := check.AcrossMidnight(tolerant.FromStrings(names, rows, tolerant.Options{}), nil)
	for row := range table.Rows {
		if span := table.Columns[2].Values[row] - table.Columns[1].Values[row]; span < 7*3600 || span > 9*3600+60 {
			t.Fatalf("row %d: %q lasts %g h", row, rows[row], span/3600)
		}
	}
	if wrong, found := wrongRows(t, table); len(wrong) > 0 {
		t.Errorf("clean: %v, %s", wrong, found.Why(wrong[0]))
	}
}

// A flight may leave early or late, across midnight in either direction.
func TestTimesNearMidnightBeforeAndBehind(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 7))
	clock := func(minutes int) string { return fmt.Sprintf("%02d:%02d", (minutes+1440)/60%24, (minutes+1440)%60) }
	var rows [][]string
	for range 600 {
		planned, late, length := r.IntN(288)*5, r.IntN(50)-15, 60+r.IntN(20)*5
		rows = append(rows, []string{clock(planned), clock(planned + late), fmt.Sprint(late), clock(planned + length), fmt.Sprint(length)})
	}
	table := check.AcrossMidnight(tolerant.FromStrings([]string{"planned", "left", "late", "arrives", "minutes"}, rows, tolerant.Options{}), nil)
	for row := range table.Rows {
		at := func(c int) float64 { return table.Columns[c].Values[row] }
		if at(1)-at(0) != 60*at(2) || at(3)-at(0) != 60*at(4) {
			t.Fatalf("row %d: %q is %g, %g, %g h", row, rows[row], at(0)/3600, at(1)/3600, at(3)/3600)
		}
	}
	if wrong, found := wrongRows(t, table); len(wrong) > 0 {
		t.Errorf("clean: %v, %s", wrong, found.Why(wrong[0]))
	}
}

// All rows of a series that stood still are repaired alike: none of them gets a guess where others are emptied.
func TestStuckRunsAreRepairedAlike(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 7))
	var rows [][]string
	level, stood := 0.0, 0.0
	for i := range 800 {
		level += 0.3 * r.NormFloat64()
		temperature := 20 + level
		if i == 300 {
			stood = temperature
		}
		if i >= 300 && i < 340 {
			temperature = stood
		}
		rows = append(rows, []string{fmt.Sprintf("2024-01-%02d %02d:00", 1+i/24, i%24), fmt.Sprintf("%.2f", temperature), fmt.Sprintf("%.1f", 60-2*level+0.3*r.NormFloat64())})
		rows[i][0] = fmt.Sprintf("2024-%02d-%02d %02d:00", 1+i/24/28, 1+i/24%28, i%24)
	}
	wrong, found := wrongRows(t, tolerant.FromStrings([]string{"time", "temperature", "humidity"}, rows, tolerant.Options{}))
	guessed, empty := 0, 0
	for _, c := range found.Cells {
		if c.Wrong && c.Column == 1 && c.Row >= 300 && c.Row < 340 {
			if math.IsNaN(c.Expected) {
				empty++
			} else {
				guessed++
			}
		}
	}
	if guessed > 0 && empty > 0 || guessed+empty < 38 || len(wrong) > 42 {
		t.Errorf("%d guessed, %d emptied; wrong %v", guessed, empty, wrong)
	}
}
