package linear

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linear"
	"gonum.org/v1/gonum/mat"
)

// cleanPlane is a clean regression of n rows on d normal columns with noise of one tenth.
func cleanPlane(n, d int, seed uint64) (*mat.Dense, []float64) {
	draw := seeded(seed)
	x, y := mat.NewDense(n, d, nil), make([]float64, n)
	for i := range n {
		y[i] = 1
		for j := range d {
			x.Set(i, j, draw.NormFloat64())
			y[i] += float64(j+1) * x.At(i, j)
		}
		y[i] += 0.1 * draw.NormFloat64()
	}
	return x, y
}

// Columns without a value have no say; without an intercept there must be another one.
func TestEmptyColumns(t *testing.T) {
	x, y := cleanPlane(60, 3, 2)
	for i := range 60 {
		x.Set(i, 1, 0)
	}
	for _, o := range []linear.Robust{{}, {Start: linear.StartLTS}, {Start: linear.StartClassic}, {Weights: append([]float64{0}, slices.Repeat([]float64{1}, 59)...)}} {
		o.Loss = linear.DefaultLoss
		for _, o.NoIntercept = range []bool{true, false} {
			m, err := o.Fit(context.Background(), linalg.FromDense(x), y)
			if err != nil || !slices.Equal(m.Dropped(), []int{1}) {
				t.Errorf("%s, intercept %v: %v", o.Start, !o.NoIntercept, err)
			}
			m, err = o.Fit(context.Background(), linalg.FromDense(mat.NewDense(60, 3, nil)), y)
			if o.NoIntercept == (err == nil) {
				t.Errorf("%s, intercept %v, no column: %v", o.Start, !o.NoIntercept, err)
			} else if err == nil && len(m.Dropped()) != 3 {
				t.Errorf("%s: dropped %v", o.Start, m.Dropped())
			}
		}
	}
}

// A table with rows repeated is the same as one with weights: search, scale, standard
// errors and cut-offs, also where rows are searched in groups.
func TestWeightsRepeatRowsInTheSearch(t *testing.T) {
	for _, n := range []int{40, 700} {
		x, y, _ := dirty(n, 3, 0.3, 11)
		w := make([]float64, n)
		var rows []int
		for i := range w {
			w[i] = float64(i % 4)
			for range i % 4 {
				rows = append(rows, i)
			}
		}
		z, v := mat.NewDense(len(rows), 3, nil), make([]float64, len(rows))
		for k, i := range rows {
			z.SetRow(k, x.RawRowView(i))
			v[k] = y[i]
		}
		a, err := linear.Robust{Loss: linear.DefaultLoss, Weights: w, Seed: 3}.Fit(context.Background(), linalg.FromDense(x), y)
		if err != nil {
			t.Fatal(err)
		}
		b, err := linear.Robust{Loss: linear.DefaultLoss, Seed: 3}.Fit(context.Background(), linalg.FromDense(z), v)
		if err != nil {
			t.Fatal(err)
		}
		near := func(what string, a, b, tol float64) {
			t.Helper()
			if math.Abs(a-b) > tol*math.Abs(b) {
				t.Errorf("%d rows: %s %.10g with weights, %.10g with repeated rows", n, what, a, b)
			}
		}
		near("scale", a.Scale(), b.Scale(), 1e-7)
		near("freedom", a.Freedom(), b.Freedom(), 0)
		_, ta := a.Table()
		_, tb := b.Table()
		for j := range ta {
			near("coefficient", ta[j].Value, tb[j].Value, 1e-6)
			near("standard error", ta[j].Error, tb[j].Error, 1e-5)
		}
		ja, _ := a.Judge(context.Background(), x, y)
		jb, _ := b.Judge(context.Background(), x, y)
		near("cut-off", ja.ResidualCutoff, jb.ResidualCutoff, 1e-12)
		for i := range n {
			near("leverage", ja.ScoreDistance[i], jb.ScoreDistance[i], 1e-6)
		}
	}
}

// New rows of the same kind are flagged about as often as a normal variable leaves 2.5
// standard deviations, 1.2 %.
func TestShareOfNewRowsFlagged(t *testing.T) {
	for _, d := range []int{1, 3, 8} {
		for n, repeats := range map[int]int{30: 60, 100: 30, 1000: 6} {
			flagged, total := 0, 0
			for seed := range uint64(repeats) {
				x, y := cleanPlane(n, d, seed)
				m, err := linear.Robust{Loss: linear.DefaultLoss, Samples: 100}.Fit(context.Background(), linalg.FromDense(x), y)
				if err != nil {
					t.Fatal(err)
				}
				fresh, targets := cleanPlane(500, d, 1000+seed)
				j, err := m.Judge(context.Background(), fresh, targets)
				if err != nil {
					t.Fatal(err)
				}
				flagged += j.Count()
				total += 500
			}
			share, most := float64(flagged)/float64(total), 0.0124+0.01
			if n == 30 {
				most = 0.06
			}
			if share > most || share < 0.004 {
				t.Errorf("%d rows of %d columns: %.4f of new rows are flagged", n, d, share)
			}
		}
	}
}
