package classify_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/classify"
	"github.com/inlier-ml/inlier/linalg"
)

// A class of which a sample has no row, and one whose rows all have weight 0, are learned from blocks as in memory.
func TestFitBesideRare(t *testing.T) {
	const n, d = 9000, 2
	for name, classes := range map[string][]int{"rare": {n - 2, 2}, "two of three": {n/2 - 2, n / 2, 2}, "weightless": {n / 3, n / 3, n / 3}} {
		draw := rand.New(rand.NewPCG(3, 7))
		table, x, labels, weights := mat.NewDense(n, d+1, nil), mat.NewDense(n, d, nil), make([]int, n), []float64(nil)
		last := len(classes) - 1
		at := 0
		for l, rows := range classes {
			for range rows {
				labels[at] = l
				at++
			}
		}
		draw.Shuffle(n, func(i, j int) { labels[i], labels[j] = labels[j], labels[i] })
		for i, l := range labels {
			row := table.RawRowView(i)
			row[0], row[1], row[d] = draw.NormFloat64()+float64(l), 0.5*float64(l)*draw.NormFloat64(), float64(l)
			copy(x.RawRowView(i), row)
			if name == "weightless" {
				weights = append(weights, float64(min(last-l, 1)))
			}
		}
		o := classify.Options{Lambda: 1e-3, Scaling: classify.ScaleNone, Clip: 1e300, Calibration: classify.NoCalibration, Tol: 1e-14, Weights: weights}
		for _, with := range []besides{classify.Logistic{Options: o}, classify.Square{Options: o}, classify.RegMaxCEM{Options: o, Variant: classify.PerRowJoint}} {
			want, err := with.Fit(t.Context(), linalg.FromDense(x), labels, len(classes))
			if err != nil {
				t.Fatal(err)
			}
			m, err := with.FitBeside(t.Context(), &blocks{x: table, room: 2000 * (d + 1)}, classes)
			if err != nil {
				t.Errorf("%s: %T: %v", name, with, err)
				continue
			}
			a, _ := want.Scores(t.Context(), x)
			b, _ := m.Scores(t.Context(), x)
			off := 0.0
			for i, l := range labels { // how far below zero a class lies that has no weight is told by half a row
				for j := range classes {
					if j < last || name != "weightless" {
						off = max(off, math.Abs(a.At(i, j)-b.At(i, j)-(a.At(i, 0)-b.At(i, 0))))
					} else if b.At(i, last) > b.At(i, 0) && b.At(i, last) > b.At(i, 1) && l < last {
						t.Fatalf("%s: %T: row %d is given to a class without weight", name, with, i+1)
					}
				}
			}
			if effective := m.Effective() / want.Effective(); !(off < 1e-3) || m.Status() != want.Status() || math.Abs(effective-1) > 1e-3 {
				t.Errorf("%s: %T: off by %.2g, %s, %g of the effective rows", name, with, off, m.Status(), effective)
			}
		}
	}
}
