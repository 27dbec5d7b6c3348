package file

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/inlier-ml/inlier/dataset/file"
)

// BenchmarkReadMNIST reads 60000 x 784 bytes, compressed.
func BenchmarkReadMNIST(b *testing.B) {
	path := real(b, "mnist", "train-images-idx3-ubyte.gz")
	b.ReportAllocs()
	for b.Loop() {
		read(b, path, file.Options{})
	}
	b.ReportMetric(376.32, "MB-matrix")
}

// BenchmarkReadCSV reads 20000 x 50 numbers of 17 digits.
func BenchmarkReadCSV(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	var text bytes.Buffer
	for range 20000 {
		for j := range 50 {
			if j > 0 {
				text.WriteByte(',')
			}
			text.Write(strconv.AppendFloat(nil, r.NormFloat64(), 'g', -1, 64))
		}
		text.WriteByte('\n')
	}
	path := filepath.Join(b.TempDir(), "numbers.csv")
	if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		read(b, path, file.Options{})
	}
}

// BenchmarkReadFaces scales 165 images of 320 x 243 to 64 x 64.
func BenchmarkReadFaces(b *testing.B) {
	path := real(b, "yale")
	for b.Loop() {
		read(b, path, file.Options{Resize: "64x64"})
	}
}
