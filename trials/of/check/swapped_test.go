package check

import (
	"math"
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/internal/random"
	"gonum.org/v1/gonum/mat"
)

// Where a column is a bent function of others (the body mass index) the cell that is far is blamed
// rather than those that follow from it, and two exchanged cells are given back to each other.
func TestGuiltyCellOfABentRelation(t *testing.T) {
	r := random.New(5, "bodies")
	x := mat.NewDense(300, 4, nil)
	for i := range 300 {
		height := math.Round(170 + 9*r.NormFloat64())
		weight := math.Round(10*(height-100+8*r.NormFloat64())) / 10
		x.SetRow(i, []float64{height, weight, math.Exp(10 + 0.4*r.NormFloat64()), math.Round(1e5*weight/height/height) / 10})
	}
	height, weight := x.At(33, 0), x.At(77, 1)
	x.Set(33, 0, height/100)
	x.Set(77, 1, weight*10)
	tall, heavy := x.At(200, 0), x.At(200, 1)
	x.Set(200, 0, heavy)
	x.Set(200, 1, tall)
	_, got := judged(t, x)
	meant := func(v float64) func(check.Cell) bool {
		return func(c check.Cell) bool { return math.Abs(c.Expected/v-1) <= 0.05 }
	}
	wrongAre(t, got, map[string]func(check.Cell) bool{"33 0": meant(height), "77 1": meant(weight), "200 0": meant(tall), "200 1": meant(heavy)})
}

// Two measurements of the same thing, both far out and both right, were not exchanged in a row that is wrong elsewhere.
func TestFarCellsThatAgreeWereNotExchanged(t *testing.T) {
	r := random.New(6, "twice")
	x := mat.NewDense(300, 5, nil)
	for i := range 300 {
		cause := r.NormFloat64()
		quantity, price := float64(1+r.IntN(40)), cents(20+3*r.NormFloat64())
		if i == 50 {
			cause = 5.2
		}
		x.SetRow(i, []float64{100 + 10*cause + r.NormFloat64(), 100 + 10*cause + r.NormFloat64(), quantity, price, cents(quantity * price)})
	}
	x.Set(50, 4, x.At(50, 4)+500)
	_, got := judged(t, x)
	if !got.Wrong[50] {
		t.Error("the row that breaks its law is not wrong")
	}
	for _, c := range got.Cells {
		if c.Row == 50 && c.Slip != "" && c.Column < 2 {
			t.Error(c.Why)
		}
	}
}
