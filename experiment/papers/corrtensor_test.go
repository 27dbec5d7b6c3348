package papers

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/nearest"
)

// Leaving out centers by a lower bound gives the center that decomposing every difference
// gives, also where the cores are not square.
func TestSpectrallyNearest(t *testing.T) {
	r := dataset.Random(1, "spectral")
	for _, shape := range [][]int{{5, 5}, {7, 3}, {3, 8}} {
		const n, classes = 60, 4
		x := mat.NewDense(n, shape[0]*shape[1], nil)
		labels := make([]int, n)
		for i := range n {
			labels[i] = i % classes
			row := x.RawRowView(i)
			for j := range row {
				row[j] = r.NormFloat64() + 0.3*float64(labels[i]*(j%2))
			}
		}
		m, err := nearest.Centers{Shape: shape}.Fit(context.Background(), linalg.FromDense(x), labels, classes)
		if err != nil {
			t.Fatal(err)
		}
		distances, err := m.Distances(context.Background(), x)
		if err != nil {
			t.Fatal(err)
		}
		predicted, err := m.Predict(context.Background(), x)
		if err != nil {
			t.Fatal(err)
		}
		want := predicted.Labels
		for i, got := range spectrallyNearest(x, m.Centers(), shape[0]) {
			if got != want[i] {
				t.Errorf("shape %v, row %d: center %d; all distances %v say %d", shape, i, got, mat.Row(nil, i, distances), want[i])
			}
		}
	}
}
