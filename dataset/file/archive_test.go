package file

import (
	"archive/zip"
	"bytes"
	"context"
	"testing"

	"github.com/inlier-ml/inlier/npy"
)

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
