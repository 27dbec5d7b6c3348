package file

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"testing"

	"github.com/inlier-ml/inlier/internal/fixture"
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

// Every byte of a Parquet file that is damaged gives an answer or a complaint, never a
// fault and never a large allocation.
func TestDamagedParquet(t *testing.T) {
	whole, err := os.ReadFile(fixture.Path(t, "holes.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.parquet")
	allocated := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	for at := range whole {
		damaged := append([]byte(nil), whole...)
		damaged[at] ^= []byte{0x80, 0xff, 0x01, 0x01}[at%4]
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		metrics.Read(allocated) // unlike ReadMemStats it does not stop the world, twice for each byte
		before := allocated[0].Value.Uint64()
		_, err := Read(context.Background(), path, Options{Columns: []string{"a", "t"}, Categorical: Ordinal, Missing: MissingKeep})
		if err != nil {
			complaint(t, err) // also where an offset has become negative
		}
		metrics.Read(allocated)
		if bytes := allocated[0].Value.Uint64() - before; bytes > 64<<20 {
			t.Errorf("byte %d: %d bytes were allocated", at, bytes)
		}
	}
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
