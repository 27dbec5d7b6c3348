package npy

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/inlier-ml/inlier/npy"
)

func open(t testing.TB, content []byte) *npy.Archive {
	t.Helper()
	a, err := npy.NewArchive(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Archives written by NumPy (testdata/make.py) read as NumPy means them.
func TestArchiveFromNumPy(t *testing.T) {
	for name, y := range map[string]*npy.Array{
		"stored": {Shape: []int{2}, Data: []float64{1, 2}},
		"packed": {Shape: []int{2}, Text: []string{"a", "b"}},
	} {
		content, err := os.ReadFile("testdata/" + name + ".npz")
		if err != nil {
			t.Fatal(err)
		}
		a := open(t, content)
		for array, want := range map[string]*npy.Array{"X": {Shape: []int{3, 4}, Data: grid()[:12]}, "y": y} {
			got, err := a.Array(array)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
	}
}

func sample(t testing.TB, compress bool) []byte {
	t.Helper()
	var out bytes.Buffer
	w := npy.NewArchiveWriter(&out, compress)
	stream, err := w.Create("a", npy.Header{Type: npy.Float64, Shape: []int{2, 50}})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := stream.Write(make([]float64, 50)); err != nil {
			t.Fatal(err)
		}
	}
	if err := stream.Close(); err != nil {
		t.Fatal(err)
	}
	if err := w.Array("names", &npy.Array{Shape: []int{2}, Text: []string{"x", "long name"}}); err != nil {
		t.Fatal(err)
	}
	if err := w.File("meta.json", []byte(`{"version":1}`)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestArchiveRoundTrip(t *testing.T) {
	for _, compress := range []bool{false, true} {
		content := sample(t, compress)
		if !bytes.Equal(content, sample(t, compress)) {
			t.Error("the same content gives different bytes")
		}
		a := open(t, content)
		if diff := cmp.Diff([]string{"a", "names"}, a.Arrays()); diff != "" {
			t.Error(diff)
		}
		meta, err := a.File("meta.json", 100)
		if err != nil || string(meta) != `{"version":1}` {
			t.Errorf("%q, %v", meta, err)
		}
		if _, err := a.File("meta.json", 5); err == nil {
			t.Error("a file above the limit is read")
		}
		names, err := a.Array("names")
		if err != nil || names.Text[1] != "long name" {
			t.Errorf("%v, %v", names, err)
		}
		if _, err := a.Array("b"); err == nil || !strings.Contains(err.Error(), "it has a, names") {
			t.Error(err)
		}
	}
}

func TestDamagedArchive(t *testing.T) {
	content := sample(t, false)
	flipped := bytes.Clone(content)
	flipped[300] ^= 1 // inside the entries of a
	if _, err := open(t, flipped).Array("a"); err == nil || !strings.Contains(err.Error(), "checksum") {
		t.Errorf("a flipped bit gives %v", err)
	}
	if _, err := npy.NewArchive(bytes.NewReader(content[:len(content)-9]), int64(len(content)-9)); err == nil {
		t.Error("a cut archive is accepted")
	}
}

func FuzzArchive(f *testing.F) {
	for _, name := range []string{"stored", "packed"} {
		content, err := os.ReadFile("testdata/" + name + ".npz")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
	}
	f.Add(sample(f, false))
	f.Add(sample(f, true))
	f.Fuzz(func(t *testing.T, content []byte) {
		a, err := npy.NewArchive(bytes.NewReader(content), int64(len(content)))
		if err != nil {
			return
		}
		for _, name := range a.Arrays() {
			if array, err := a.Array(name); err == nil {
				if n := (npy.Header{Shape: array.Shape}).Len(); n != len(array.Data)+len(array.Text) {
					t.Fatalf("%d entries for shape %v", len(array.Data)+len(array.Text), array.Shape)
				}
			}
		}
		for _, name := range a.Files() {
			_, _ = a.File(name, 1<<20)
		}
	})
}

// An archive whose directory claims 80 GB is refused before anything is allocated.
func TestArchiveClaims(t *testing.T) {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	h := &zip.FileHeader{Name: "a.npy", Method: zip.Deflate, CompressedSize64: 100, UncompressedSize64: 80e9}
	m, err := z.CreateRaw(h)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Write(make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := npy.NewArchive(bytes.NewReader(out.Bytes()), int64(out.Len())); err == nil || !strings.Contains(err.Error(), "no compression reaches") {
		t.Error(err)
	}

	// A compressed member that could be large but ends early does not cost what it claims.
	out.Reset()
	z = zip.NewWriter(&out)
	m, err = z.Create("a.npy")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := npy.NewWriter(m, npy.Header{Type: npy.Float64, Shape: []int{1 << 20, 64}}); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Write(make([]byte, 1<<20)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	content := out.Bytes()
	directory := bytes.LastIndex(content, []byte("PK\x01\x02"))
	packed := binary.LittleEndian.Uint32(content[directory+20:])
	binary.LittleEndian.PutUint32(content[directory+24:], packed*1000)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	a, err := npy.NewArchive(bytes.NewReader(content), int64(len(content)))
	if err == nil {
		_, err = a.Array("a")
	}
	if err == nil {
		t.Fatal("accepted")
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 8<<20 {
		t.Errorf("%d bytes were allocated", used)
	}
}
