package check

import (
	"context"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
	"gonum.org/v1/gonum/mat"
)

// Of two cells that predict each other the one is guilty that lies outside of what was learned of its column, and what is
// expected of it follows from the other.
func TestGuiltyOfTwoThatPredictEachOther(t *testing.T) {
	r := random.New(9, "stays")
	rows := func(n int) *mat.Dense {
		x := mat.NewDense(n, 4, nil)
		for i := range n {
			day, nights := float64(r.IntN(730)), float64(1+r.IntN(7))
			x.SetRow(i, []float64{day, day + nights, 80 + 10*r.NormFloat64(), float64(r.IntN(5))})
		}
		return x
	}
	m, err := check.Learn(context.Background(), tolerant.FromValues(nil, rows(520)), check.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	x := rows(60)
	for k, far := range []float64{-150, -70, 900, 820} {
		row := 10*k + 5
		day := 660.0
		if far > 400 {
			day = 60
		}
		x.Set(row, 0, day)
		x.Set(row, 1, far)
	}
	batch, _, _ := m.Align(tolerant.FromValues(nil, x))
	got, err := m.Judge(context.Background(), batch)
	if err != nil {
		t.Fatal(err)
	}
	for k := range 4 {
		row := 10*k + 5
		var named []int
		for _, c := range got.Cells {
			if c.Row == row && c.Wrong {
				named = append(named, c.Column)
				if e := x.At(row, 0) + 4; c.Column == 1 && !(c.Expected > e-15 && c.Expected < e+15) {
					t.Errorf("%g: expected %g, want about %g", x.At(row, 1), c.Expected, e)
				}
			}
		}
		if !slices.Equal(named, []int{1}) {
			t.Errorf("%g beside %g: columns %v are wrong", x.At(row, 1), x.At(row, 0), named)
		}
	}
}
