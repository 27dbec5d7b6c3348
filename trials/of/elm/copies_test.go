package elm

import (
	"github.com/inlier-ml/inlier/elm"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// Weights of two, rows twice side by side, and a table with itself below it are the same, and fit as the rows once do: nodes that
// meet copies of rows have learned nothing of new ones.
func TestCopiesTellNothingNew(t *testing.T) {
	const n = 60
	x, y := bends(n, 2, 10)
	side, below := make([]int, 0, 2*n), make([]int, 0, 2*n)
	for i := range n {
		side, below = append(side, i, i), append(below, i)
	}
	below = append(below, below...)
	rows := func(which []int, of *mat.Dense) *mat.Dense {
		_, width := of.Dims()
		out := mat.NewDense(len(which), width, nil)
		for a, i := range which {
			out.SetRow(a, of.RawRowView(i))
		}
		return out
	}
	o := elm.Options{Hidden: 60, Scaling: elm.ScaleStandard}
	twice := o
	twice.Weights = slices.Repeat([]float64{2}, n)
	for name, fit := range map[string]func(o elm.Options, x, y *mat.Dense) (*elm.Model, error){
		"ridge": func(o elm.Options, x, y *mat.Dense) (*elm.Model, error) {
			return elm.Ridge{o}.Fit(t.Context(), linalg.FromDense(x), y)
		},
		"robust": func(o elm.Options, x, y *mat.Dense) (*elm.Model, error) {
			return elm.Robust{Options: o}.Fit(t.Context(), linalg.FromDense(x), y)
		},
	} {
		once, err := fit(o, x, y)
		if err != nil {
			t.Fatal(err)
		}
		for how, m := range map[string]func() (*elm.Model, error){
			"weights":      func() (*elm.Model, error) { return fit(twice, x, y) },
			"side by side": func() (*elm.Model, error) { return fit(o, rows(side, x), rows(side, y)) },
			"below":        func() (*elm.Model, error) { return fit(o, rows(below, x), rows(below, y)) },
		} {
			got, err := m()
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(got.Scale()[0]/once.Scale()[0]-1) > 0.02 || math.Abs(math.Log(got.Lambda()/once.Lambda()/2)) > 0.1 {
				t.Errorf("%s, %s: scale %g and lambda %g; of the rows once %g and %g", name, how, got.Scale()[0], got.Lambda(), once.Scale()[0], once.Lambda())
			}
		}
	}
}

// One weight for a row of several outputs leaves each of them a scale of its own.
func TestScalesOfRowsWithOneWeight(t *testing.T) {
	x, y := bends(400, 2, 10)
	both := mat.NewDense(400, 2, nil)
	for i := range 400 {
		both.SetRow(i, []float64{y.At(i, 0), 1000 * y.At(399-i, 0)})
	}
	o := elm.Options{Hidden: 20, Lambda: 1e-3}
	apart, err := elm.Ridge{o}.Fit(t.Context(), linalg.FromDense(x), both)
	if err != nil {
		t.Fatal(err)
	}
	o.PerRow = true
	for _, robust := range []bool{false, true} {
		fit := elm.Ridge{o}.Fit
		if robust {
			fit = elm.Robust{Options: o}.Fit
		}
		m, err := fit(t.Context(), linalg.FromDense(x), both)
		if err != nil {
			t.Fatal(err)
		}
		for c, want := range apart.Scale() {
			if !(math.Abs(m.Scale()[c]/want-1) < 0.3) {
				t.Errorf("robust %v: scale %g of output %d, alone %g", robust, m.Scale()[c], c, want)
			}
		}
	}
}
