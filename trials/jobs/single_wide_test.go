package jobs

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/pca"
)

// wideFile writes rows of small numbers with four causes, every tenth off their plane; change has the last word.
func wideFile(t *testing.T, rows, columns int, change func(i, j int, v float64) float64) string {
	t.Helper()
	g := rand.New(rand.NewPCG(11, 12))
	x, loads := mat.NewDense(rows, columns, nil), mat.NewDense(4, columns, nil)
	loads.Apply(func(int, int, float64) float64 { return g.NormFloat64() }, loads)
	for i := range rows {
		var z [4]float64
		for k := range z {
			z[k] = g.NormFloat64() * float64(60-10*k)
		}
		for j := range columns {
			v := 100 + g.NormFloat64()*20
			for k := range z {
				v += z[k] * loads.At(k, j)
			}
			if i%10 == 4 && j%2 == 0 {
				v += 400
			}
			x.Set(i, j, change(i, j, math.Round(v)))
		}
	}
	path := filepath.Join(t.TempDir(), "wide.npy")
	if err := file.Write(path, &dataset.Set{X: x}, file.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	return path
}

// A wide table in single precision is learned from as one in memory: with the same outliers, the same subspace to a millionth, the same
// bits with any number of threads, and no more than its half of the memory asked for. Numbers beyond the range of single precision, units that are unlike and components of hardly
// any variance cost nothing.
func TestWideTablesInSinglePrecision(t *testing.T) {
	ctx := context.Background()
	threads := linalg.Threads()
	defer linalg.SetThreads(threads)
	for name, c := range map[string]struct {
		change  func(i, j int, v float64) float64
		methods []string
		set     map[string]string
		off     float64 // most that variances differ by, relative to each
	}{
		"whole numbers": {func(_, _ int, v float64) float64 { return v },
			[]string{"pca", "pca-robust", "hq-pca", "pca-kmpe", "pca-gm"}, map[string]string{"components": "4"}, 1e-6},
		"all components": {func(_, j int, v float64) float64 {
			if j == 7 {
				return v * 1e-4
			}
			return v
		}, []string{"pca"}, map[string]string{"components": "80"}, 1e-5},
		"absurd cells": {func(i, j int, v float64) float64 {
			switch {
			case i == 1234 && j == 5:
				return 1e300
			case i == 1777 && j == 6:
				return -1e18
			case i == 99 && j == 7:
				return 1e12
			}
			return v
		}, []string{"pca-robust", "hq-pca"}, map[string]string{"components": "4"}, 1e-6},
		"unlike units": {func(_, j int, v float64) float64 { return v * math.Pow(1000, float64(j%5-2)) },
			[]string{"pca", "pca-robust"}, map[string]string{"components": "4"}, 1e-5},
		"sums that vanish": {func(_, _ int, v float64) float64 { return v * 1e-30 },
			[]string{"pca", "pca-robust"}, map[string]string{"components": "4"}, 1e-5},
	} {
		path := wideFile(t, 3000, 80, c.change)
		for _, method := range c.methods {
			var fits [2]*inlier.FitResult
			var models [2]*pca.Model
			for k, precision := range []string{"double", "single"} {
				fit, err := inlier.Fit{Method: method, Parameters: c.set, Data: inlier.Data{Path: path, Precision: precision}}.Run(ctx, nil)
				if err != nil {
					t.Fatalf("%s of %s in %s precision: %v", method, name, precision, err)
				}
				out := filepath.Join(t.TempDir(), "model.npz")
				if err := fit.Save(out); err != nil {
					t.Fatal(err)
				}
				if models[k], err = pca.Load(out); err != nil {
					t.Fatal(err)
				}
				fits[k] = fit
			}
			if fits[1].Single == nil || !slices.Equal(fits[0].OutlierRows, fits[1].OutlierRows) {
				t.Errorf("%s of %s: %d outliers, in single precision %d (held: %+v)", method, name, fits[0].Outliers, fits[1].Outliers, fits[1].Single)
			}
			a, b := models[0].Eigenvalues(), models[1].Eigenvalues()
			for j := range a {
				if off := math.Abs(b[j]/a[j] - 1); !(off < c.off) {
					t.Errorf("%s of %s: variance %d is %g, in single precision %g: off by %.0e", method, name, j+1, a[j], b[j], off)
				}
			}
			linalg.SetThreads(1)
			alone, err := inlier.Fit{Method: method, Parameters: c.set, Data: inlier.Data{Path: path, Precision: "single"}}.Run(ctx, nil)
			linalg.SetThreads(threads)
			if err != nil || fmt.Sprint(alone.Objective) != fmt.Sprint(fits[1].Objective) {
				t.Errorf("%s of %s with one thread: %v, objective %v, not %v", method, name, err, alone.Objective, fits[1].Objective)
			}
		}
	}
}
