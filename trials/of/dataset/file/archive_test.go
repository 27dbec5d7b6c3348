package file

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/inlier-ml/inlier/dataset/file"
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
		set, err := file.Read(context.Background(), write(t, "a.npz", b.String()), file.Options{})
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
	if set, err := file.Read(t.Context(), path, file.Options{}); err != nil || set.Target != nil {
		t.Errorf("%v, %v", set, err)
	}
	_, err := file.Read(t.Context(), path, file.Options{Target: "y"})
	if complaint(t, err); !strings.Contains(err.Error(), `array "y" is no target: it must be a list of 2 labels`) {
		t.Error(err)
	}
}
