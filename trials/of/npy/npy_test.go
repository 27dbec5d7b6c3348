package npy

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/inlier-ml/inlier/npy"
)

func grid() []float64 {
	g := make([]float64, 24)
	for i := range g {
		g[i] = float64(i) - 2.5
	}
	return g
}

// Files written by NumPy (testdata/make.py) read as NumPy means them.
func TestReadNumPy(t *testing.T) {
	for name, want := range map[string]*npy.Array{
		"f8_c":       {Shape: []int{2, 3, 4}, Data: grid()},
		"f8_fortran": {Shape: []int{2, 3, 4}, Data: grid()},
		"f4_big":     {Shape: []int{2, 3, 4}, Data: grid()},
		"f2":         {Shape: []int{6}, Data: []float64{0, -1.5, 65504, math.Ldexp(1, -24), math.Inf(1), math.NaN()}},
		"i8":         {Shape: []int{1, 2}, Data: []float64{-3, 1 << 40}},
		"u2_big":     {Shape: []int{2}, Data: []float64{1, 65535}},
		"i1":         {Shape: []int{2}, Data: []float64{-128, 127}},
		"bool":       {Shape: []int{3}, Data: []float64{1, 0, 1}},
		"text":       {Shape: []int{3}, Text: []string{"red", "grün", ""}},
		"bytes":      {Shape: []int{2}, Text: []string{"a", "bcd"}},
		"scalar":     {Shape: []int{}, Data: []float64{7.25}},
		"empty":      {Shape: []int{0, 5}, Data: []float64{}},
		"version2":   {Shape: []int{2}, Data: []float64{1, 2}},
		"version3":   {Shape: []int{2}, Data: []float64{3, 4}},
	} {
		content, err := os.ReadFile(filepath.Join("testdata", name+".npy"))
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []int64{int64(len(content)), -1} {
			got, err := npy.Read(bytes.NewReader(content), size)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if diff := cmp.Diff(want, got, cmpopts.EquateNaNs()); diff != "" {
				t.Errorf("%s (size %d): %s", name, size, diff)
			}
		}
	}
}

// What this package writes is, byte for byte, what NumPy writes.
func TestWriteEqualsNumPy(t *testing.T) {
	for name, a := range map[string]*npy.Array{
		"f8_c": {Shape: []int{2, 3, 4}, Data: grid()},
		"text": {Shape: []int{3}, Text: []string{"red", "grün", ""}},
	} {
		want, err := os.ReadFile(filepath.Join("testdata", name+".npy"))
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if err := npy.Write(&got, a); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%s: %q, NumPy writes %q", name, got.Bytes(), want)
		}
	}
}

func TestWriterTypes(t *testing.T) {
	for _, typ := range []npy.Type{npy.Float64, npy.Float32, npy.Int64, npy.Int32, npy.Uint8, npy.Bool, {Kind: 'i', Size: 2}, {Kind: 'u', Size: 8}} {
		values := []float64{0, 1, 1, 0}
		if typ != npy.Bool {
			values = []float64{0, 1, 100, 127}
		}
		var file bytes.Buffer
		w, err := npy.NewWriter(&file, npy.Header{Type: typ, Shape: []int{2, 2}})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(values[:3]); err != nil {
			t.Fatal(err)
		}
		if w.Close() == nil {
			t.Errorf("%s: Close accepts an array that lacks an entry", typ)
		}
		if err := w.Write(values[3:]); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if w.Write([]float64{1}) == nil {
			t.Errorf("%s: a fifth entry of 2 x 2 is accepted", typ)
		}
		got, err := npy.Read(&file, int64(file.Len()))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(values, got.Data); diff != "" {
			t.Errorf("%s: %s", typ, diff)
		}
	}
	w, _ := npy.NewWriter(&bytes.Buffer{}, npy.Header{Type: npy.Uint8, Shape: []int{1}})
	for _, v := range []float64{-1, 256, math.NaN()} {
		if w.Write([]float64{v}) == nil {
			t.Errorf("%v was written as a byte", v)
		}
	}
}

func FuzzRead(f *testing.F) {
	names, err := filepath.Glob("testdata/*.npy")
	if err != nil || len(names) == 0 {
		f.Fatal("no seeds", err)
	}
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		known, errKnown := npy.Read(bytes.NewReader(content), int64(len(content)))
		unknown, errUnknown := npy.Read(bytes.NewReader(content), -1)
		if (errKnown == nil) != (errUnknown == nil) {
			t.Fatalf("size known: %v, unknown: %v", errKnown, errUnknown)
		}
		if errKnown != nil {
			return
		}
		if diff := cmp.Diff(known, unknown, cmpopts.EquateNaNs(), cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
		var again bytes.Buffer
		if err := npy.Write(&again, known); err != nil {
			t.Fatal(err)
		}
		back, err := npy.Read(&again, int64(again.Len()))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(known, back, cmpopts.EquateNaNs(), cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
	})
}

// magic begins every file.
const magic = "\x93NUMPY"

func TestBadContent(t *testing.T) {
	whole, err := os.ReadFile("testdata/f8_c.npy")
	if err != nil {
		t.Fatal(err)
	}
	header := func(text string) string {
		return magic + "\x01\x00" + string([]byte{byte(len(text)), byte(len(text) >> 8)}) + text
	}
	for _, c := range []struct{ name, content, problem string }{
		{"nothing", "", "ends before"},
		{"foreign", "PK\x03\x04 and more", "not an NPY file"},
		{"version", magic + "\x09\x00\x00\x00", "version 9.0"},
		{"cut header", string(whole[:40]), "inside the NPY header"},
		{"cut entries", string(whole[:len(whole)-1]), "only 191 follow"},
		{"huge header", magic + "\x02\x00\xff\xff\xff\x7f", "header of 2147483647 bytes"},
		{"huge shape", header("{'descr':'<f8','fortran_order':False,'shape':(10000000000,)}"), "claims 80000000000 bytes"},
		{"overflow", header("{'descr':'<f8','fortran_order':False,'shape':(4294967296,4294967296)}"), "too large for any file"},
		{"negative", header("{'descr':'<f8','fortran_order':False,'shape':(-1,)}"), "not a length"},
		{"object", header("{'descr':'|O','fortran_order':False,'shape':(1,)}"), "pickled"},
		{"complex", header("{'descr':'<c16','fortran_order':False,'shape':(1,)}"), "complex"},
		{"struct", header("{'descr':[('a','<f8')],'fortran_order':False,'shape':(1,)}"), "structured"},
		{"no shape", header("{'descr':'<f8','fortran_order':False}"), `no "shape"`},
		{"order", header("{'descr':'<f8','fortran_order':Maybe,'shape':(1,)}"), "neither True nor False"},
		{"dimensions", header("{'descr':'<f8','fortran_order':False,'shape':(" + strings.Repeat("1,", 70) + ")}"), "64 dimensions"},
	} {
		_, err := npy.Read(strings.NewReader(c.content), int64(len(c.content)))
		if err == nil || !strings.Contains(err.Error(), c.problem) {
			t.Errorf("%s: %v, want %q", c.name, err, c.problem)
		}
	}
}

// A header that claims 80 GB costs next to nothing, even when nobody knows the size
// of the file.
func TestClaimsCostNothing(t *testing.T) {
	text := "{'descr':'<f8','fortran_order':False,'shape':(100000,100000)}"
	content := magic + "\x01\x00" + string([]byte{byte(len(text)), 0}) + text + strings.Repeat("x", 1000)
	for _, size := range []int64{int64(len(content)), -1} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := npy.Read(strings.NewReader(content), size); err == nil {
			t.Fatal("accepted")
		}
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 4<<20 {
			t.Errorf("size %d: %d bytes were allocated", size, used)
		}
	}
}
