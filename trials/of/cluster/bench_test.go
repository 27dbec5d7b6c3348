package cluster

import (
	"context"
	"testing"

	"github.com/inlier-ml/inlier/cluster"
	"github.com/inlier-ml/inlier/linalg"
	"gonum.org/v1/gonum/mat"
)

// BenchmarkLloyd times k-means from given starts: 60000 x 50 rows, 10 centers, 30 steps.
func BenchmarkLloyd(b *testing.B) {
	x, start, steps := benchmarkData()
	k := cluster.KMeans{Centers: start, MaxSteps: steps, Tol: -1}
	var m *cluster.Model
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if m, err = k.Fit(context.Background(), linalg.FromDense(x)); err != nil {
			b.Fatal(err)
		}
	}
	s := m.Steps()
	b.ReportMetric(float64(s[len(s)-1].Number), "steps")
	b.ReportMetric(m.Inertia(), "inertia")
}

func benchmarkData() (x *mat.Dense, start [][]float64, steps int) {
	x, _, _ = blobs(1, 60000, 50, 10, 6)
	for i := range 10 {
		start = append(start, x.RawRowView(i))
	}
	return x, start, 30
}

// BenchmarkDensityPeaks compares all pairs of 3000 rows.
func BenchmarkDensityPeaks(b *testing.B) {
	x, _, _ := blobs(1, 3000, 20, 5, 2)
	for b.Loop() {
		if _, err := (cluster.DensityPeaks{Clusters: 5}).Fit(context.Background(), linalg.FromDense(x)); err != nil {
			b.Fatal(err)
		}
	}
}
