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
	got, err := check.Run(context.Background(), table, check.Settings{}, nil)
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
