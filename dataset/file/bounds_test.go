package file

import (
	"context"
	"path/filepath"
	"runtime"
	"testing"
)

// cost returns the bytes that reading a file allocates.
func cost(t *testing.T, path string) (bytes uint64, err error) {
	t.Helper()
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = Read(context.Background(), path, Options{})
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, err
}

// A set in memory costs its matrix and little more while it is read.
func TestReadingCostsLittle(t *testing.T) {
	if testing.Short() {
		t.Skip("counts of bytes do not hold under the race detector, which runs the short tests")
	}
	const n, d = 8000, 250
	set := pictures(10, 25)
	big := set.Subset(make([]int, n))
	matrix := uint64(8 * n * d)
	folder := t.TempDir()
	for _, name := range []string{"a.csv", "a.idx.gz", "a.npz", "a.libsvm"} {
		path := filepath.Join(folder, name)
		if err := Write(path, big, WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		bytes, err := cost(t, path)
		if err != nil {
			t.Fatal(err)
		}
		// Buffers that do not grow with the file are allowed for.
		if bytes > matrix+matrix/10+24<<20 {
			t.Errorf("%s: %d bytes were allocated for a matrix of %d", name, bytes, matrix)
		}
	}
}
