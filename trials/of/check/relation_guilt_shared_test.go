package check

import (
	"fmt"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

// A value that its column has nowhere else is rather wrong than one that is like others, and what
// hangs is rather wrong than what moves.
func TestLoneAndStuckValuesAreGuilty(t *testing.T) {
	r := random.New(5, "rooms")
	var rows [][]string
	for range 400 {
		price, nights := []int{79, 89, 99, 119, 129, 139, 249, 259, 269}[r.IntN(9)], []int{1, 1, 2, 2, 3, 4, 7}[r.IntN(7)]
		rows = append(rows, []string{fmt.Sprint(price), fmt.Sprint(nights), fmt.Sprint(price * nights)})
	}
	rows[70] = []string{"1", "2", "518"}
	hotel := tolerant.FromStrings([]string{"price", "nights", "total"}, rows, tolerant.Options{})
	rows = nil
	for range 600 {
		volt, ampere := 230+4*r.NormFloat64(), 1+3*r.Float64()
		rows = append(rows, []string{fmt.Sprintf("%.1f", volt), fmt.Sprintf("%.3f", ampere), fmt.Sprintf("%.1f", volt*ampere)})
	}
	for row := 301; row < 320; row++ {
		rows[row][0] = rows[300][0]
	}
	meter := tolerant.FromStrings([]string{"volt", "ampere", "watt"}, rows, tolerant.Options{})
	for name, table := range map[string]*tolerant.Table{"hotel": hotel, "meter": meter} {
		e, _ := lawsOf(t, table)
		if len(e.Cells) == 0 {
			t.Errorf("%s: nothing found", name)
		}
		for _, c := range e.Cells {
			if c.Column != 0 {
				t.Errorf("%s row %d: %s", name, c.Row, c.Why)
			}
		}
	}
}
