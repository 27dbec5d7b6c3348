package pca

import (
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/pca"
	"gonum.org/v1/gonum/mat"
)

// digits reads the MNIST training images (60000 x 784) or skips.
func digits(b *testing.B) *mat.Dense {
	b.Helper()
	folder := os.Getenv("INLIER_DATA")
	if folder == "" {
		b.Skip("INLIER_DATA is not set: no real data")
	}
	f, err := os.Open(filepath.Join(folder, "mnist", "train-images-idx3-ubyte.gz"))
	if err != nil {
		b.Skip(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		b.Fatal(err)
	}
	raw, err := io.ReadAll(z)
	if err != nil {
		b.Fatal(err)
	}
	x := mat.NewDense(60000, 784, nil)
	data := x.RawMatrix().Data
	for i, v := range raw[16:] {
		data[i] = float64(v)
	}
	return x
}

// BenchmarkDigits fits 50 components to MNIST with every default.
func BenchmarkDigits(b *testing.B) {
	x := linalg.FromDense(digits(b))
	o := pca.Options{Components: 50}
	for _, c := range []struct {
		name string
		m    method
	}{{"pca", pca.Classic{o}}, {"hq-pca", pca.HQ{Options: o}}, {"pca-kmpe", pca.KMPE{Options: o}}, {"r1-pca", pca.R1{Options: o}}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				m, err := c.m.Fit(context.Background(), x)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(len(m.Steps())), "steps")
			}
		})
	}
}
