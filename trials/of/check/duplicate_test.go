package check

import (
	"context"
	"fmt"
	"math"
	"slices"
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

// Wages of few grades and hours in cents are equal by chance, and so is all that follows from them. A row that was copied among rows that
// differ more is there twice.
func TestEqualByChance(t *testing.T) {
	r := random.New(5, "wages")
	const n = 700
	columns := make([][]float64, 8)
	for range n {
		grade, hours := float64(1+r.IntN(7)), 40.0
		hourly := cents(14 + 3.1*grade + 0.6*r.NormFloat64())
		if r.IntN(5) == 0 {
			hours = float64(15 + r.IntN(15))
		}
		if r.IntN(10) < 3 {
			hours += 0.5 * float64(1+r.IntN(11))
		}
		overtime := max(hours-40, 0)
		gross := cents((hours-overtime)*hourly + 1.5*overtime*hourly)
		tax, insurance := cents(gross*[]float64{0.12, 0.18, 0.22}[min(int(gross/500), 2)]), cents(0.0765*gross)
		for k, v := range []float64{grade, hourly, hours, overtime, gross, tax, insurance, cents(gross - tax - insurance)} {
			columns[k] = append(columns[k], v)
		}
	}
	names := []string{"grade", "hourly", "hours", "overtime", "gross", "tax", "insurance", "net"}
	if rows, found := wrongRows(t, numbersTable(names, columns...)); len(rows) > n/100 {
		t.Errorf("%d rows are wrong: %s", len(rows), found.Why(rows[0]))
	}
	for i := range n {
		columns[1][i] = cents(columns[1][i] + 20*r.Float64())
		columns[7][i] = cents(1000 * r.Float64())
	}
	table := numbersTable(names, columns...)
	copyRow(table, 17, 400)
	if rows, _ := wrongRows(t, table); !slices.Contains(rows, 400) {
		t.Errorf("the copy is not among %v", rows)
	}
}

// Rows each of which repeats the one before it but for one column are a run, whatever is looked at first: the same verdict comes every time.
func TestChainOfTwinsIsTheSameEveryTime(t *testing.T) {
	r := random.New(6, "chain")
	x := mat.NewDense(400, 6, nil)
	for i := range 400 {
		for j := range 6 {
			x.Set(i, j, math.Round(1e4*r.NormFloat64()))
		}
	}
	for k := range 4 { // changes go on, always in another column
		x.SetRow(201+k, x.RawRowView(200+k))
		x.Set(201+k, k, x.At(201+k, k)+37)
	}
	_, first := judged(t, x)
	for range 12 {
		_, again := judged(t, x)
		for i := range first.P {
			if first.P[i] != again.P[i] {
				t.Fatalf("row %d: p is %g, and %g with the same table", i+1, first.P[i], again.P[i])
			}
		}
	}
}
