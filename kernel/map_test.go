package kernel

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestSpreadLandmarksCoverDistantClusters(t *testing.T) {
	// 1000 rows near the origin and three far ones: even draws of six nearly always miss
	// the far ones; draws by distance do not.
	x := gaussians(1, 1003, 2, 0)
	for i, far := range []float64{50, 100, 150} {
		x.SetRow(1000+i, []float64{far, -far})
	}
	rows, err := spread(Kernel{Kind: RBF, Gamma: 0.05}, x, 12, 1)
	if err != nil {
		t.Fatal(err)
	}
	// In the space of this kernel all far rows are at distance 2 from everything.
	if slices.Max(rows) < 1000 {
		t.Errorf("landmarks %v miss every far row", rows)
	}
	sorted := slices.Sorted(slices.Values(rows))
	if len(slices.Compact(sorted)) != 12 {
		t.Errorf("landmarks %v repeat", rows)
	}
	// Copies of one row give one landmark.
	rows, err = spread(Kernel{Kind: RBF, Gamma: 1}, mat.NewDense(9, 2, nil), 4, 1)
	if err != nil || len(rows) != 1 {
		t.Errorf("copies of one row gave landmarks %v, error %v", rows, err)
	}
}
