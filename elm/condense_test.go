package elm

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/refusal"
)

// Weights and repeated rows give the same model to the last digit, whatever is chosen, and
// both tell about every row they were given.
func TestCondensedRows(t *testing.T) {
	ctx := context.Background()
	g := rand.New(rand.NewPCG(1, 3))
	const n = 30
	x, y, w := mat.NewDense(n, 2, nil), mat.NewDense(n, 1, nil), make([]float64, n)
	var rows, targets []float64
	var from []int
	for i := range n {
		x.SetRow(i, []float64{g.NormFloat64(), g.NormFloat64()})
		y.Set(i, 0, x.At(i, 0)+0.1*g.NormFloat64())
		if i == 8 {
			x.Set(i, 1, 1e9)
		}
		w[i] = float64(i % 3)
		for range i % 3 {
			rows, targets, from = append(rows, x.RawRowView(i)...), append(targets, y.At(i, 0)), append(from, i)
		}
	}
	repeated := linalg.FromDense(mat.NewDense(len(from), 2, rows))
	for name, o := range map[string]Options{"scaled": {Scaling: ScaleStandard, Clip: -20}, "plain": {}, "by row": {PerRow: true, Scaling: ScaleRobust, Leverage: true}} {
		b, err := Robust{Options: o}.Fit(ctx, repeated, mat.NewDense(len(from), 1, targets))
		if err != nil {
			t.Fatal(err)
		}
		o.Weights = w
		a, err := Robust{Options: o}.Fit(ctx, linalg.FromDense(x), y)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(a.beta, b.beta) || a.lambda != b.lambda || !slices.Equal(a.scale, b.scale) || a.flag != b.flag {
			t.Errorf("%s: lambda %v and %v, scales %v and %v", name, a.lambda, b.lambda, a.scale, b.scale)
		}
		if a.Rows() != n || len(a.Weights()) != n || a.Training().Len() != n || b.Rows() != len(from) || len(b.Weights()) != len(from) || b.Training().Len() != len(from) {
			t.Errorf("%s: %d and %d rows, %d and %d weights", name, a.Rows(), b.Rows(), len(a.Weights()), len(b.Weights()))
		}
		for k, i := range from {
			if a.Weights()[i] != b.Weights()[k] || a.Training().Row(i) != b.Training().Row(k) {
				t.Errorf("%s: row %d: %+v and %+v", name, i, a.Training().Row(i), b.Training().Row(k))
			}
		}
		for i, v := range a.Weights() { // rows that do not count are weighed too
			if want := a.Training().Weight[i] * a.largest; i != 8 && math.Abs(v-want) > 1e-2 {
				t.Errorf("%s: row %d has weight %g in the fit, %g when judged", name, i, v, want)
			}
		}
		if name == "scaled" {
			wa, wb := a.Describe(archive.Names{}).Warnings, b.Describe(archive.Names{}).Warnings
			if len(wa) != 1 || len(wb) != 1 || !strings.HasPrefix(wa[0], "1 of 30 rows") || !strings.HasPrefix(wb[0], "2 of 30 rows") {
				t.Errorf("remarks %q and %q", wa, wb)
			}
		}
	}
	x.Set(20, 1, math.NaN())
	_, err := Robust{Options: Options{Weights: w, Scaling: ScaleRobust}}.Fit(ctx, linalg.FromDense(x), y)
	var cell *refusal.CellError
	if !errors.As(err, &cell) || cell.Row != 21 {
		t.Errorf("a missing number is not named by its row: %v", err)
	}
}
