package beam

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/npy"
)

// table writes three correlated columns and a target, a twentieth of whose rows are wrong.
func table(t *testing.T) string {
	r := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	text.WriteString("a,b,c,y\n")
	for i := range 20000 {
		u, v := r.NormFloat64(), r.NormFloat64()
		a, b, c := 3*u, u+v, 2*v+0.1*r.NormFloat64()
		y := 1 + a - 2*b + 0.2*r.NormFloat64()
		if i%20 == 7 {
			a, y = a+40, y-90
		}
		fmt.Fprintf(&text, "%.6g,%.6g,%.6g,%.6g\n", a, b, c, y)
	}
	path := filepath.Join(t.TempDir(), "table.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func fits(path string) []inlier.Fit {
	data := inlier.Data{Path: path, Drop: []string{"y"}, Memory: 128 << 10}
	aimed := inlier.Data{Path: path, Target: "y", Memory: 128 << 10}
	return []inlier.Fit{
		{Method: "pca-robust", Data: data, Parameters: map[string]string{"components": "2"}},
		{Method: "linear-robust", Data: aimed},
		{Method: "kmeans", Data: data, Parameters: map[string]string{"clusters": "3"}},
	}
}

// file is a model as its file.
func file(t *testing.T, r *inlier.FitResult) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := r.Fitted().Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// apart is the largest relative difference of the numbers of two models.
func apart(t *testing.T, a, b []byte) (most float64) {
	t.Helper()
	numbers := func(file []byte) (all []float64) {
		archive, err := npy.NewArchive(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range archive.Arrays() {
			array, err := archive.Array(name)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, array.Data...)
		}
		return all
	}
	x, y := numbers(a), numbers(b)
	if len(x) != len(y) {
		t.Fatalf("%d numbers and %d", len(x), len(y))
	}
	for i := range x {
		most = max(most, math.Abs(x[i]-y[i])/(1+math.Abs(y[i])))
	}
	return most
}

// Fits on prism are those of one process, and those of processes with numbers have the same bits.
func TestPrism(t *testing.T) {
	path := table(t)
	var r Runner
	defer r.Close()
	for _, fit := range fits(path) {
		t.Run(fit.Method, func(t *testing.T) {
			alone, err := fit.Run(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			fit.Share = r.Share(t.TempDir())
			fit.Share.TaskBytes = 1
			shared, err := fit.Run(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			got := file(t, shared)
			if far := apart(t, got, file(t, alone)); far > 1e-9 || shared.Outliers != alone.Outliers {
				t.Errorf("%g apart, %d outliers; alone %d", far, shared.Outliers, alone.Outliers)
			}
			fit.Share = Indexed(t.TempDir())
			fit.Share.TaskBytes = 1
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan error, 2)
			for k := range cap(ended) {
				go func() { ended <- Work(ctx, fit.Share.Folder, k, cap(ended)) }()
			}
			indexed, err := fit.Run(t.Context(), nil)
			stop()
			for range cap(ended) {
				if err := <-ended; !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, file(t, indexed)) {
				t.Error("processes with numbers end in another model")
			}
		})
	}
}

// A context that ends in the middle of a pass ends the fit, and the next one goes on from the finished passes.
func TestCancel(t *testing.T) {
	fit := fits(table(t))[0]
	folder := t.TempDir()
	var r Runner
	defer r.Close()
	ctx, cancel := context.WithCancel(t.Context())
	r.Told = func(p inlier.SharedPass, _ float64) {
		if p.Number == 1 {
			cancel()
		}
	}
	fit.Share = r.Share(folder)
	fit.Share.TaskBytes = 1
	if _, err := fit.Run(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	var made []int
	r.Told = func(p inlier.SharedPass, _ float64) { made = append(made, p.Number) }
	if _, err := fit.Run(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if len(made) != 2 || made[0] != 2 {
		t.Errorf("passes %v were made", made)
	}
	left, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(left) > 0 {
		t.Error(left, err)
	}
}
