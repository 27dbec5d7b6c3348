package cluster

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/inlier-ml/inlier/cluster"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/npy"
	"gonum.org/v1/gonum/mat"
)

// BenchmarkLloyd times k-means from given starts: 60000 x 50 rows, 10 centers, 30 steps.
// bench/peer_cluster.py runs it beside scikit-learn on data of its own: INLIER_KMEANS
// names a folder with x.npy and start.npy, and INLIER_KMEANS_STEPS the number of steps.
func BenchmarkLloyd(b *testing.B) {
	x, start, steps := benchmarkData(b)
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

func benchmarkData(b *testing.B) (x *mat.Dense, start [][]float64, steps int) {
	folder := os.Getenv("INLIER_KMEANS")
	if folder == "" {
		x, _, _ = blobs(1, 60000, 50, 10, 6)
		for i := range 10 {
			start = append(start, x.RawRowView(i))
		}
		return x, start, 30
	}
	read := func(name string) *mat.Dense {
		f, err := os.Open(filepath.Join(folder, name))
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		a, err := npy.Read(f, -1)
		if err != nil || len(a.Shape) != 2 {
			b.Fatal(name, err)
		}
		return mat.NewDense(a.Shape[0], a.Shape[1], a.Data)
	}
	centers := read("start.npy")
	for c := range centers.RawMatrix().Rows {
		start = append(start, centers.RawRowView(c))
	}
	steps, err := strconv.Atoi(os.Getenv("INLIER_KMEANS_STEPS"))
	if err != nil {
		b.Fatal(err)
	}
	return read("x.npy"), start, steps
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
