package check

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
	"gonum.org/v1/gonum/mat"
)

func copyRow(table *tolerant.Table, from, to int) {
	for c := range table.Columns {
		table.Columns[c].Values[to] = table.Columns[c].Values[from]
	}
}

// Rows that agree in the few columns that laws give the others from are equal by chance, however many columns there are.
func TestEqualByLawsIsNoTwin(t *testing.T) {
	r := random.New(5, "pay")
	var rows [][]string
	for i := range 400 {
		hours, rate := 80.0, 20+math.Round(100*200*r.Float64())/100 // hardly two are equal
		if i == 328 || i == 388 {
			rate = 30.34
		}
		gross := hours * rate
		tax, fee := math.Round(22*gross)/100, math.Round(7.65*gross)/100
		day := fmt.Sprintf("%d-%02d-%02d", 2000+r.IntN(20), 1+r.IntN(12), 1+r.IntN(28))
		rows = append(rows, []string{day, []string{"HR", "IT", "Sales"}[r.IntN(3)], fmt.Sprintf("%.2f", rate), fmt.Sprintf("%.2f", gross),
			fmt.Sprintf("%.2f", tax), fmt.Sprintf("%.2f", fee), fmt.Sprintf("%.2f", gross-tax-fee)})
	}
	rows[388][1] = rows[328][1]
	table := tolerant.FromStrings([]string{"hired", "department", "rate", "gross", "tax", "fee", "net"}, rows, tolerant.Options{})
	got, err := check.Run(context.Background(), table, check.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got.Wrong[388] {
		t.Error(got.Why(388))
	}
}

// A row that is there twice is wrong as a whole: no cell of it is, so that nothing is put in the place of a far one.
func TestTwinsHaveNoWrongCell(t *testing.T) {
	r := random.New(3, "twins")
	x := mat.NewDense(400, 4, nil)
	for i := range 400 {
		a, b, noise := r.NormFloat64(), r.NormFloat64(), 0.1
		if i == 50 || i == 300 {
			a, b, noise = 4, -3, 0
		}
		for k, turn := range []float64{0.2, 1, 2, 2.7} {
			x.Set(i, k, math.Round(100*(20+2*(math.Cos(turn)*a+math.Sin(turn)*b+noise*r.NormFloat64())))/100)
		}
	}
	_, found := judged(t, x)
	if !found.Wrong[300] || found.Part[300] != check.PartDuplicate {
		t.Fatalf("the twin is %q, wrong %v", found.Part[300], found.Wrong[300])
	}
	for _, c := range found.Cells {
		if c.Wrong {
			t.Errorf("a cell of row %d is called wrong: %s", c.Row+1, c.Why)
		}
	}
}
