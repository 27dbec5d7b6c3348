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

// Rows that obey an exact law are not accused because the law bends in the columns' transformed
// units, neither as cells nor as targets; a row that breaks it still is.
func TestObeyedLawsAccuseNobody(t *testing.T) {
	for _, seed := range []uint64{4, 5} {
		r := random.New(seed, "sums")
		var rows [][]string
		for range 200 {
			a, b, c, d := int(3*r.ExpFloat64()), 20+int(5*r.NormFloat64()), 80+int(15*r.NormFloat64()), int(math.Exp(1.5+0.7*r.NormFloat64()))
			rows = append(rows, []string{fmt.Sprint(a), fmt.Sprint(b), fmt.Sprint(c), fmt.Sprint(d), fmt.Sprint(a + b + c + d)})
		}
		rows[70][4] += "0"
		table := tolerant.FromStrings([]string{"a", "b", "c", "d", "sum"}, rows, tolerant.Options{})
		for _, target := range []string{"", "sum"}[:6-seed] {
			got, err := check.Run(context.Background(), table, check.Settings{Target: target}, nil)
			if err != nil {
				t.Fatal(err)
			}
			for i, wrong := range got.Wrong {
				if wrong != (i == 70) {
					t.Errorf("seed %d, target %q, row %d: %v: wrong %v, %s", seed, target, i, rows[i], wrong, got.Why(i))
				}
			}
		}
	}
}

// Two exchanged addends keep the sum and are found all the same; a negative amount where there is none is the one
// that broke its law.
func TestLawsThatDoNotSeeOrCannotTell(t *testing.T) {
	r := random.New(3, "addends")
	x := mat.NewDense(200, 5, nil)
	for i := range 200 {
		a, b, c := math.Floor(3*r.ExpFloat64()), math.Round(22+4*r.NormFloat64()), math.Round(90+8*r.NormFloat64())
		net := math.Round(100*math.Exp(6+r.NormFloat64())) / 100
		x.SetRow(i, []float64{a, b, c, a + b + c, net})
	}
	b, c := x.At(130, 1), x.At(130, 2)
	x.Set(130, 1, c)
	x.Set(130, 2, b)
	var rows [][]string
	for i := range 200 {
		row := x.RawRowView(i)
		gross := math.Round(119*row[4]) / 100
		if i == 100 {
			row[4] = -5
		}
		text := make([]string, 0, 6)
		for _, v := range append(row, gross) {
			text = append(text, fmt.Sprint(v))
		}
		rows = append(rows, text)
	}
	got, err := check.Run(context.Background(), tolerant.FromStrings([]string{"a", "b", "c", "sum", "net", "gross"}, rows, tolerant.Options{}), check.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	wrong := map[string]bool{}
	for _, c := range got.Cells {
		if c.Wrong {
			wrong[fmt.Sprint(c.Row, " ", c.Column)] = true
		}
	}
	if len(wrong) != 3 || !wrong["130 1"] || !wrong["130 2"] || !wrong["100 4"] {
		t.Errorf("wrong cells %v; want b and c of row 130 and net of row 100", wrong)
	}
}

// A product with 0 is 0 whatever the price: the law that holds there does not speak for the price.
func TestProductWithZeroDoesNotAcquit(t *testing.T) {
	r := random.New(1, "zero")
	var rows [][]string
	for i := range 300 {
		quantity, price := r.IntN(40), cents(20+3*r.NormFloat64())
		if i == 60 {
			quantity, price = 0, 2000
		}
		rows = append(rows, []string{fmt.Sprint(quantity), fmt.Sprint(price), fmt.Sprint(cents(float64(quantity) * price)), fmt.Sprintf("%.3f", r.NormFloat64())})
	}
	got, err := check.Run(context.Background(), tolerant.FromStrings([]string{"quantity", "price", "total", "z"}, rows, tolerant.Options{}), check.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, wrong := range got.Wrong {
		if wrong != (i == 60) {
			t.Errorf("row %d %v: wrong %v, %s", i, rows[i], wrong, got.Why(i))
		}
	}
}
