package linalg

import (
	"context"
	"math"
	"testing"

	"github.com/inlier-ml/inlier/linalg"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

func TestWeightedMomentsAgreeWithGonum(t *testing.T) {
	x, w := random(1, 400, 6), weights(2, 400)
	total, mean, scatter, err := linalg.WeightedMoments(context.Background(), linalg.FromDense(x), w)
	if err != nil {
		t.Fatal(err)
	}
	var cov mat.SymDense
	stat.CovarianceMatrix(&cov, x, w)
	cov.ScaleSym(total-1, &cov)
	near(t, "scatter", scatter, &cov, 1e-11)
	for j := range mean {
		if want := stat.Mean(mat.Col(nil, j, x), w); math.Abs(mean[j]-want) > 1e-14 {
			t.Errorf("mean %d: %v, want %v", j, mean[j], want)
		}
	}
}

// A weight of two is the row twice; a weight of zero is no row.
func TestIntegerWeightsAreRepeatedRows(t *testing.T) {
	x := random(1, 700, 4)
	w := make([]float64, 700)
	var repeated []float64
	for i := range w {
		w[i] = float64(i % 3)
		for range i % 3 {
			repeated = append(repeated, x.RawRowView(i)...)
		}
	}
	again := mat.NewDense(len(repeated)/4, 4, repeated)
	total, mean, scatter, err := linalg.WeightedMoments(context.Background(), linalg.FromDense(x), w)
	if err != nil {
		t.Fatal(err)
	}
	wantTotal, wantMean, wantScatter, err := linalg.WeightedMoments(context.Background(), linalg.FromDense(again), nil)
	if err != nil {
		t.Fatal(err)
	}
	if total != wantTotal {
		t.Errorf("total %v, want %v", total, wantTotal)
	}
	near(t, "mean", column(mean), column(wantMean), 1e-14)
	near(t, "scatter", scatter, wantScatter, 1e-11)
}
