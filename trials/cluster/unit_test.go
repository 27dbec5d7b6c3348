package cluster

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/cluster"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/refusal"
)

// A unit changes nothing, up to sizes for which the loss has no bandwidth: those are refused,
// where every row was flagged.
func TestUnitsOfWholeTables(t *testing.T) {
	table := func(unit float64) linalg.Source {
		draw := rand.New(rand.NewPCG(8, 1))
		x := mat.NewDense(100, 3, nil)
		for i := range 100 {
			for j := range 3 {
				v := float64(6*(i%2)) + draw.NormFloat64()
				if i < 5 {
					v = 30 - 40*float64(j%2)
				}
				x.Set(i, j, unit*v)
			}
		}
		return linalg.FromDense(x)
	}
	two := cluster.KMeans{Clusters: 2}
	want, err := cluster.Robust{KMeans: two}.Fit(context.Background(), table(1))
	if err != nil {
		t.Fatal(err)
	}
	for _, unit := range []float64{0x1p-400, 0x1p400} {
		if m, err := (cluster.Robust{KMeans: two}).Fit(context.Background(), table(unit)); err != nil || !slices.Equal(m.Training().Outlier, want.Training().Outlier) {
			t.Errorf("unit %g: other rows are flagged: %v", unit, err)
		}
	}
	var data *refusal.DataError
	for _, unit := range []float64{1e144, 1e150, 1e154, 1e200} {
		if _, err := (cluster.Robust{KMeans: two}).Fit(context.Background(), table(unit)); !errors.As(err, &data) {
			t.Errorf("unit %g: %v", unit, err)
		}
		if _, err := two.Fit(context.Background(), table(unit)); err != nil {
			t.Errorf("unit %g, k-means: %v", unit, err)
		}
	}
}
