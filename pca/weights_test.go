package pca

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// repeatedRows returns the table in which row i stands w[i] times in a row, and for each
// of its rows the row that it came from.
func repeatedRows(x *mat.Dense, w []float64) (*mat.Dense, []int) {
	var from []int
	for i, v := range w {
		for range int(v) {
			from = append(from, i)
		}
	}
	_, d := x.Dims()
	out := mat.NewDense(len(from), d, nil)
	for k, i := range from {
		out.SetRow(k, x.RawRowView(i))
	}
	return out, from
}

// Whether rows are sampled does not depend on those without weight: of 1100 rows of weight 2,
// fewer than 2000 are left when those off the subspace are gone.
func TestIntegerWeightsInASample(t *testing.T) {
	for seed := range uint64(3) {
		x, w := lowRank(t, 1100, 6, 0.1, seed+1).Set.X, slices.Repeat([]float64{2}, 1100)
		copies, _ := repeatedRows(x, w)
		a := fit(t, all(Options{Components: 2, Weights: w})["hq-pca"], x)
		b := fit(t, all(Options{Components: 2})["hq-pca"], copies)
		for j, v := range a.eigenvalues {
			if want := b.eigenvalues[j]; math.Abs(v-want) > 1e-8*want {
				t.Errorf("seed %d: eigenvalue %g, of repeated rows %g", seed, v, want)
			}
		}
	}
}

// An integer weight is as many copies of the row: the same subspace, variances, cut-offs
// and verdicts, for every method, start and shape of table.
func TestIntegerWeightsActAsRepeatedRows(t *testing.T) {
	ctx := context.Background()
	patterns := map[string]func(i int) float64{
		"zeros and more": func(i int) float64 { return float64(i % 4) },
		"one heavy row":  func(i int) float64 { return 1 + 6*float64(max(0, 1-i)) },
		"twos":           func(int) float64 { return 2 },
	}
	for _, c := range []struct {
		n, d int
		o    Options
	}{{60, 6, Options{Components: 2}}, {60, 6, Options{}}, {24, 40, Options{Components: 2}}, {60, 6, Options{Components: 2, Start: StartSpherical}},
		{60, 6, Options{Components: 2, Start: StartClassic}}, {1100, 6, Options{Components: 2}}} {
		x := lowRank(t, c.n, c.d, 0.1, 8).Set.X
		for pattern, weight := range patterns {
			w := make([]float64, c.n)
			for i := range w {
				w[i] = weight(i)
			}
			copies, from := repeatedRows(x, w)
			weighted := c.o
			weighted.Weights = w
			for name, m := range all(weighted) {
				if c.n > 1000 && (pattern != "twos" || name != "hq-pca" && name != "pca-l1") {
					continue
				}
				a, err := m.Fit(ctx, linalg.FromDense(x))
				if err != nil {
					t.Fatalf("%s, %s: %v", name, pattern, err)
				}
				b, err := all(c.o)[name].Fit(ctx, linalg.FromDense(copies))
				if err != nil {
					t.Fatal(err)
				}
				where := func() string { return name + ", " + pattern }
				_, ma := a.dims()
				_, mb := b.dims()
				if ma != mb {
					t.Errorf("%s, %+v: %d components, of repeated rows %d", where(), c, ma, mb)
					continue
				}
				if angle := largestAngle(a.Basis(), b.Basis()); angle > 1e-3 {
					t.Errorf("%s, %+v: %g degrees apart", where(), c, angle)
					continue
				}
				near := func(what string, got, want float64) {
					if math.Abs(got-want) > 1e-5*math.Abs(want) {
						t.Errorf("%s, %d x %d %s: %s %v, of repeated rows %v", where(), c.n, c.d, c.o.Start, what, got, want)
					}
				}
				near("orthogonal cut-off", a.orthogonalCutoff, b.orthogonalCutoff)
				near("score cut-off", a.scoreCutoff, b.scoreCutoff)
				near("residual", a.explained.Residual, b.explained.Residual)
				for j := range a.eigenvalues {
					near("eigenvalue", a.eigenvalues[j], b.eigenvalues[j])
				}
				for k, i := range from {
					if a.training.Kind[i] != b.training.Kind[k] {
						t.Errorf("%s: row %d is %v, of repeated rows %v", where(), i, a.training.Kind[i], b.training.Kind[k])
					}
				}
			}
		}
	}
}
