package check

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

func found(t *testing.T, p part, table *tolerant.Table) Evidence {
	t.Helper()
	e, err := p(context.Background(), &view{table: table})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func copyRow(table *tolerant.Table, from, to int) {
	for c := range table.Columns {
		table.Columns[c].Values[to] = table.Columns[c].Values[from]
	}
}

func TestDuplicates(t *testing.T) {
	table := ordersTable(500, 3)
	for k := range 5 {
		copyRow(table, 10*k, 400+k)
	}
	copyRow(table, 77, 300)
	table.Columns[1].Values[300] += 3
	e := found(t, duplicates, table)
	for row := range 500 {
		want := row >= 400 && row < 405 || row == 300
		if got := e.Rows[row] < 1e-4; got != want {
			t.Errorf("row %d: p %g, twin %v", row, e.Rows[row], want)
		}
	}
	if got := e.Why(300); got[:len("is the same as row 78 but for price")] != "is the same as row 78 but for price" {
		t.Error(got)
	}
	if got := e.Why(401); got != "is the same as row 11" {
		t.Error(got)
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
	got, err := Run(context.Background(), table, Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got.Wrong[388] {
		t.Error(got.Why(388))
	}
}

func TestEqualRowsByRight(t *testing.T) {
	for _, shape := range cleanShapes {
		for seed := range many(3, 50) {
			for _, size := range [][2]int{{3, 2}, {20, 3}, {100, 5}, {1500, 4}, {1500, 10}} {
				if e := found(t, duplicates, cleanTable(shape, size[0], size[1], seed)); e.Rows != nil || len(e.Cells) > 0 {
					t.Errorf("%s, %v, seed %d: %v", shape, size, seed, e.Rows[:20])
				}
			}
		}
	}
}

func TestRepeatedKeys(t *testing.T) {
	var rows [][]string
	for i := range 200 {
		rows = append(rows, []string{fmt.Sprintf("A-%05d", 7000+3*i), fmt.Sprintf("C%03d", i*i%97), fmt.Sprint(i * i % 31)})
	}
	rows[150][0] = rows[20][0]
	table := tolerant.FromStrings([]string{"order", "customer", "x"}, rows, tolerant.Options{As: map[string]tolerant.Kind{"order": tolerant.Identifier, "customer": tolerant.Identifier}})
	e := found(t, duplicates, table)
	if len(e.Cells) != 1 || e.Cells[0].Row != 150 || e.Cells[0].Column != 0 {
		t.Errorf("%+v", e.Cells)
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
	if !found.Wrong[300] || found.Part[300] != PartDuplicate {
		t.Fatalf("the twin is %q, wrong %v", found.Part[300], found.Wrong[300])
	}
	for _, c := range found.Cells {
		if c.Wrong {
			t.Errorf("a cell of row %d is called wrong: %s", c.Row+1, c.Why)
		}
	}
}
