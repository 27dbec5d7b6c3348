package check

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

// Two cells that were exchanged break laws that no single cell can mend: both are named, each with the
// other's value, and nothing else; a cell that is ten times too large stays the only guilty one.
func TestExchangedCellsOfLaws(t *testing.T) {
	r := random.New(8, "invoices")
	cents := func(v float64) float64 { return math.Round(100*v) / 100 }
	var rows [][]string
	for range 250 {
		quantity, price, rate := 1+r.IntN(12), cents(math.Exp(3+0.6*r.NormFloat64())), []float64{7, 19, 25}[r.IntN(3)]
		net := cents(float64(quantity) * price)
		vat := cents(net * rate / 100)
		rows = append(rows, []string{fmt.Sprint(quantity), fmt.Sprint(price), fmt.Sprint(net), fmt.Sprint(rate), fmt.Sprint(vat), fmt.Sprint(cents(net + vat))})
	}
	want := map[string]string{"40 4": rows[40][4], "40 5": rows[40][5], "90 2": rows[90][2], "90 4": rows[90][4], "150 2": rows[150][2]}
	rows[40][4], rows[40][5] = rows[40][5], rows[40][4]
	rows[90][2], rows[90][4] = rows[90][4], rows[90][2]
	var ten float64
	fmt.Sscan(rows[150][2], &ten)
	rows[150][2] = fmt.Sprint(10 * ten)
	table := tolerant.FromStrings([]string{"quantity", "price", "net", "rate", "vat", "total"}, rows, tolerant.Options{})
	got, err := check.Run(context.Background(), table, check.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range got.Cells {
		key := fmt.Sprint(c.Row, " ", c.Column)
		meant, planted := want[key]
		if delete(want, key); c.Wrong != planted {
			t.Errorf("cell %s: wrong %v: %s", key, c.Wrong, c.Why)
		} else if planted {
			var value float64
			if fmt.Sscan(meant, &value); math.Abs(c.Expected-value) > 0.011 {
				t.Errorf("cell %s: expected %g, meant %g: %s", key, c.Expected, value, c.Why)
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("not named: %v", want)
	}
}

// Where two shares changed places, so that two products are broken, the shares are given back, which are out of their usual order, and not the products.
func TestOfTwoPairsTheOneOutOfOrderChangedPlaces(t *testing.T) {
	r := random.New(11, "milk")
	var rows [][]string
	swapped := map[int]bool{}
	for i := range 600 {
		milk := math.Round(10*(28+6*r.NormFloat64())) / 10
		fat := math.Round(100*(4+0.35*r.NormFloat64())) / 100
		protein := math.Round(100*(0.8*fat+0.1+0.08*r.NormFloat64())) / 100
		row := []string{fmt.Sprintf("%.1f", milk), fmt.Sprintf("%.2f", fat), fmt.Sprintf("%.2f", protein), fmt.Sprintf("%.2f", milk*fat/100), fmt.Sprintf("%.2f", milk*protein/100)}
		if i%100 == 31 {
			row[1], row[2] = row[2], row[1]
			swapped[i] = true
		}
		rows = append(rows, row)
	}
	_, found := wrongRows(t, tolerant.FromStrings([]string{"milk", "fat %", "protein %", "fat kg", "protein kg"}, rows, tolerant.Options{}))
	seen := 0
	for _, c := range found.Cells {
		if !c.Wrong {
			continue
		}
		if seen++; !swapped[c.Row] || c.Column != 1 && c.Column != 2 {
			t.Errorf("row %d: %s", c.Row, c.Why)
		}
	}
	if seen < 10 {
		t.Errorf("%d of 12 cells are named", seen)
	}
}
