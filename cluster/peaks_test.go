package cluster

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/score"
)

// Clusters of any shape: two rings, which no pair of centers can part, and new rows follow
// the nearest training row.
func TestPeaksFollowShapes(t *testing.T) {
	n := 240
	x, truth := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		angle, radius := 2*math.Pi*float64(i/2)/float64(n/2), 1.0
		if truth[i] = i % 2; truth[i] == 1 {
			radius = 4
		}
		lump := 1 + 0.02*math.Cos(angle) // the rings have one densest place each
		x.SetRow(i, []float64{radius * lump * math.Cos(angle+0.25*math.Sin(angle)), radius * lump * math.Sin(angle+0.25*math.Sin(angle))})
	}
	m, err := DensityPeaks{Clusters: 2, Density: Density{Reach: 0.5}}.Fit(context.Background(), linalg.FromDense(x))
	if err != nil {
		t.Fatal(err)
	}
	j, err := m.Judge(context.Background(), x)
	if err != nil {
		t.Fatal(err)
	}
	if a, _ := score.MatchedAccuracy(truth, m.Labels()); a < 1 || !slices.Equal(j.Label, m.Labels()) {
		t.Errorf("accuracy %v", a)
	}
	if k := mustFit(t, KMeans{Clusters: 2}, x); k != nil {
		if a, _ := score.MatchedAccuracy(truth, k.Labels()); a > 0.8 {
			t.Errorf("k-means parts the rings with accuracy %v; the test shows nothing", a)
		}
	}
	back, err := peaksFromParts(m.parts())
	if err != nil {
		t.Fatal(err)
	}
	again, err := back.Judge(context.Background(), x)
	if err != nil || !slices.Equal(again.Label, j.Label) || !slices.Equal(back.Peaks(), m.Peaks()) {
		t.Errorf("the restored model judges differently: %v", err)
	}
}

// The farthest start on a table small enough to see: the two ends, then the row with the
// largest sum of distances from both.
func TestFarthestStart(t *testing.T) {
	x := mat.NewDense(6, 2, []float64{0, 0, 1, 0, 10, 0, 5, 7, 4, -2, 9, 0})
	tab, err := newTable(context.Background(), linalg.FromDense(x), nil, false)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := tab.farthest(context.Background(), 4)
	if err != nil {
		t.Fatal(err)
	}
	// From (0,0) and (10,0): (5,7) has 2*sqrt(74) = 17.2, all others less than 11. The
	// fourth: (4,-2) has 4.47+6.32+9.06 = 19.85, (1,0) and (9,0) have 18.06.
	if want := []int{0, 2, 3, 4}; !slices.Equal(rows, want) {
		t.Errorf("rows %v, not %v", rows, want)
	}
	big, _, _ := blobs(5, exactPairs+100, 3, 2, 1)
	big.SetRow(17, []float64{500, 0, 0})
	big.SetRow(901, []float64{-500, 0, 0})
	if tab, err = newTable(context.Background(), linalg.FromDense(big), nil, false); err != nil {
		t.Fatal(err)
	}
	if rows, err = tab.farthest(context.Background(), 2); err != nil || !slices.Contains(rows, 17) || !slices.Contains(rows, 901) {
		t.Errorf("rows %v, %v", rows, err)
	}
}
