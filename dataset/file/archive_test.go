package file

import (
	"archive/zip"
	"bytes"
	"context"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inlier-ml/inlier/npy"
)

// A shape in an archive is taken, left alone or refused; a model with what it says must
// always be one that can be loaded.
func TestShapeInArchive(t *testing.T) {
	for _, c := range []struct {
		shape []float64
		want  []int
		wrong bool
	}{
		{[]float64{2, 3}, []int{2, 3}, false}, {[]float64{6, 1}, []int{6, 1}, false}, {[]float64{1, 2, 3}, []int{1, 2, 3}, false},
		{[]float64{2, 2}, nil, false}, {[]float64{6}, nil, false}, {[]float64{100, 80}, nil, false},
		{[]float64{0, 6}, nil, true}, {[]float64{1 << 40, 1 << 40}, nil, true}, {[]float64{math.NaN(), 6}, nil, true}, {[]float64{math.Inf(1), 2}, nil, true}, {[]float64{-2, 2}, nil, true},
		{[]float64{-2, -3}, nil, true}, {[]float64{1.5, 4}, nil, true}, {[]float64{0.5, 12}, nil, true}, {[]float64{-6, -1, 1}, nil, true},
	} {
		var b bytes.Buffer
		w := npy.NewArchiveWriter(&b, false)
		for name, a := range map[string]*npy.Array{"X": {Shape: []int{2, 6}, Data: make([]float64, 12)}, "shape": {Shape: []int{len(c.shape)}, Data: c.shape}} {
			if err := w.Array(name, a); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		set, err := Read(context.Background(), write(t, "a.npz", b.String()), Options{})
		if c.wrong {
			complaint(t, err)
			continue
		}
		if err != nil {
			t.Fatalf("%v: %v", c.shape, err)
		}
		if diff := cmp.Diff(c.want, set.Shape); diff != "" {
			t.Errorf("%v: %s", c.shape, diff)
		}
	}
}

// Labels that cannot be used are named, and need not be read.
func TestLabelsInArchive(t *testing.T) {
	var b bytes.Buffer
	w := npy.NewArchiveWriter(&b, false)
	for name, a := range map[string]*npy.Array{"X": {Shape: []int{2, 3}, Data: make([]float64, 6)}, "y": {Shape: []int{3}, Data: []float64{1, 2, 3}}} {
		if err := w.Array(name, a); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := write(t, "a.npz", b.String())
	if set, err := Read(t.Context(), path, Options{}); err != nil || set.Target != nil {
		t.Errorf("%v, %v", set, err)
	}
	_, err := Read(t.Context(), path, Options{Target: "y"})
	if complaint(t, err); !strings.Contains(err.Error(), `array "y" is no target: it must be a list of 2 labels`) {
		t.Error(err)
	}
}

// The limits are raised by options: what is refused for its size is read when it is allowed.
func TestLimitsCanBeLifted(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("X.npy")
	if err != nil {
		t.Fatal(err)
	}
	out, err := npy.NewWriter(w, npy.Header{Type: npy.Uint8, Shape: []int{1, freeColumns + 1}})
	if err != nil {
		t.Fatal(err)
	}
	if err := out.Write(make([]float64, freeColumns+1)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	path := write(t, "a.npz", b.String())
	_, err = Read(context.Background(), path, Options{})
	complaint(t, err)
	if set := read(t, path, Options{MaxColumns: 1 << 20}); set.Dim() != freeColumns+1 {
		t.Errorf("%d columns", set.Dim())
	}
	sparse := write(t, "a.svm", "1 70000:1\n-1 2:3\n")
	_, err = Read(context.Background(), sparse, Options{})
	complaint(t, err)
	if set := read(t, sparse, Options{MaxColumns: 1 << 20}); set.Dim() != 70000 {
		t.Errorf("%d columns", set.Dim())
	}
	names := make([]string, 70000) // a model's
	for k, f := range numberedFields(len(names)) {
		names[k] = f.name
	}
	if set := read(t, sparse, Options{Columns: names}); set.Dim() != 70000 {
		t.Errorf("%d columns for a model", set.Dim())
	}
}
