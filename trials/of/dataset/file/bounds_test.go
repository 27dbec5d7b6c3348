package file

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/internal/fixture"
)

// cost returns the bytes that reading a file allocates.
func cost(t *testing.T, path string) (bytes uint64, err error) {
	t.Helper()
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = file.Read(context.Background(), path, file.Options{})
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, err
}

// Headers that claim gigabytes cost next to nothing and are refused.
func TestBogusHeaders(t *testing.T) {
	npyHeader := func(shape string) string {
		text := "{'descr':'<f8','fortran_order':False,'shape':" + shape + "}"
		return "\x93NUMPY\x01\x00" + string([]byte{byte(len(text)), 0}) + text
	}
	idx := "\x00\x00\x08\x03\x00\x98\x96\x80\x00\x00\x00\x20\x00\x00\x00\x20" // 10 million images of 32 x 32
	for name, content := range map[string]string{
		"a.npy":      npyHeader("(40000,40000)") + "few bytes",
		"b.npy":      npyHeader("(4294967296,4294967296,2)") + "few bytes",
		"fortran":    strings.Replace(npyHeader("(40000,40000)"), "False", "True ", 1) + "few bytes",
		"a.idx":      idx + "few bytes",
		"a.idx.gz":   packed(t, idx+"few bytes"),
		"half.gz":    packed(t, idx+strings.Repeat("\x00", 20<<20)), // plausible for a compressed file, but cut
		"a.pgm":      "P5 100000 1000 255\nfew bytes",
		"text.pgm":   "P2 100000 1000 255\n1 2 3",
		"a.svm":      "1 1000000000:1\n",
		"zeros.gz":   packed(t, strings.Repeat("\x00", 20<<20)),
		"a.parquet":  "PAR1" + strings.Repeat("x", 100) + "\xff\xff\xff\xffPAR1",
		"b.parquet":  "PAR1" + strings.Repeat("\xff", 1000) + "\xe8\x03\x00\x00PAR1",
		"lines.gz":   packed(t, "a,b,c\n1,2\n"+strings.Repeat("\n", 20<<20)),
		"spaces.gz":  packed(t, strings.Repeat(" ", 20<<20)),
		"columns.gz": packed(t, strings.Repeat(",", 1<<17)),
	} {
		bytes, err := cost(t, write(t, name, content))
		if err == nil {
			t.Errorf("%s is accepted", name)
		}
		if strings.Contains(fmt.Sprint(err), "runtime error") {
			t.Errorf("%s: a fault: %v", name, err)
		}
		most := uint64(24 << 20)
		if strings.HasSuffix(name, ".gz") && !strings.Contains(name, "idx") {
			most = 400 << 20 // the content is there, so it may be looked at
		}
		if bytes > most {
			t.Errorf("%s: %d bytes were allocated (%v)", name, bytes, err)
		}
	}
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
		_, err := file.Read(context.Background(), path, file.Options{Columns: []string{"a", "t"}, Categorical: file.Ordinal, Missing: file.MissingKeep})
		if err != nil {
			complaint(t, err) // also where an offset has become negative
		}
		metrics.Read(allocated)
		if bytes := allocated[0].Value.Uint64() - before; bytes > 64<<20 {
			t.Errorf("byte %d: %d bytes were allocated", at, bytes)
		}
	}
}
