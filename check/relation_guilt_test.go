package check

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

// What a cell should be comes from the sharpest law about it: a selling price rounded to cents says little
// about a stock of cheap screws, the cost price and the value of the stock say all.
func TestSharpestLawGivesTheValue(t *testing.T) {
	r := random.New(3, "stock")
	var rows [][]string
	for range 300 {
		cost := max(cents(math.Exp(-1.5+0.8*r.NormFloat64())), 0.05)
		stock := 20 + r.IntN(400)
		rows = append(rows, []string{fmt.Sprintf("%.2f", cost), fmt.Sprintf("%.2f", cents(1.45*cost)), fmt.Sprint(stock), fmt.Sprintf("%.2f", cents(float64(stock)*cost))})
	}
	want := map[int]string{}
	plant := func(row, column int, text string) {
		want[row] = rows[row][column]
		rows[row][column] = text
	}
	for row := 10; row < 50; row += 10 {
		plant(row, 2, "-"+rows[row][2])
		plant(row+3, 3, strings.Replace(rows[row+3][3], ".", "9.", 1))
	}
	table := tolerant.FromStrings([]string{"cost", "price", "stock", "value"}, rows, tolerant.Options{})
	got, err := Run(context.Background(), table, Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range got.Cells {
		if !c.Wrong {
			continue
		}
		var meant float64
		if fmt.Sscan(want[c.Row], &meant); math.Abs(c.Expected-meant) > 0.006 {
			t.Errorf("row %d: expected %g, meant %s: %s", c.Row, c.Expected, want[c.Row], c.Why)
		}
		delete(want, c.Row)
	}
	if len(want) > 0 {
		t.Errorf("not named: %v", want)
	}
}

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
