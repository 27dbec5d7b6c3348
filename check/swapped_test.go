package check

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/random"
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
	want := map[string]float64{"33 0": height, "77 1": weight, "200 0": tall, "200 1": heavy}
	for _, c := range got.Cells {
		key := fmt.Sprint(c.Row, " ", c.Column)
		meant, planted := want[key]
		if c.Wrong != planted || planted && math.Abs(c.Expected/meant-1) > 0.05 {
			t.Errorf("cell %s: wrong %v, %s; meant %g", key, c.Wrong, c.Why, meant)
		}
		delete(want, key)
	}
	if len(want) > 0 {
		t.Errorf("not named: %v", want)
	}
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
