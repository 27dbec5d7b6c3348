package plot

import (
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/plot"
)

// Where rows have scores no bad one is passed over: each line is the worst row of its part.
func TestCellMapShowsTheWorst(t *testing.T) {
	scores := make([]float64, 1205)
	for _, i := range []int{0, 777, 1204} {
		scores[i] = 9
	}
	var asked []int
	cells := plot.Cells{Title: "t", Rows: len(scores), Columns: []string{"a"}, Scores: scores}
	_, err := cells.Draw("", func(rows, _ []int) ([][]float64, error) {
		asked = rows
		off := make([][]float64, len(rows))
		for i := range off {
			off[i] = []float64{scores[rows[i]]}
		}
		return off, nil
	})
	if err != nil || len(asked) != 100 || !slices.IsSorted(asked) {
		t.Fatal(err, asked)
	}
	for i, s := range scores {
		if s > 0 && !slices.Contains(asked, i) {
			t.Errorf("row %d is not shown", i+1)
		}
	}
}
