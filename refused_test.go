package inlier_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/cluster"
	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/pca"
	"github.com/inlier-ml/inlier/refusal"
	"github.com/inlier-ml/inlier/tensor"
)

// Parameters that mean nothing are refused, not replaced in silence, and a bad number is named
// by its place also when a model judges.
func TestWhatMeansNothingIsRefused(t *testing.T) {
	ctx := context.Background()
	x := parts(t).X
	src, targets, shape := linalg.FromDense(x), mat.NewDense(60, 1, mat.Col(nil, 3, x)), tensor.Options{Shape: []int{2, 2}}
	for name, fit := range map[string]func() (any, error){
		"cutoff":   func() (any, error) { return pca.R1{Cutoff: -1}.Fit(ctx, src) },
		"sigma":    func() (any, error) { return pca.HQ{Sigma: loss.FixedAt(-1)}.Fit(ctx, src) },
		"no sigma": func() (any, error) { return pca.KMPE{Sigma: loss.FixedAt(math.NaN())}.Fit(ctx, src) },
		"starts":   func() (any, error) { return pca.L1{Starts: -1}.Fit(ctx, src) },
		"scaling":  func() (any, error) { return elm.Ridge{Options: elm.Options{Scaling: "x"}}.Fit(ctx, src, targets) },
		"layer": func() (any, error) {
			return elm.Ridge{Options: elm.Options{Layer: &elm.Layer{}}}.Fit(ctx, src, targets)
		},
		"norm": func() (any, error) { return tensor.NPP2D{Options: shape, Norm: "x"}.Fit(ctx, src) },
		"centers": func() (any, error) {
			return cluster.KMeans{Clusters: 3, Centers: [][]float64{{1, 2, 3, 4}}}.Fit(ctx, src)
		},
		"reach": func() (any, error) {
			return cluster.DensityPeaks{Density: cluster.Density{Reach: math.NaN()}}.Fit(ctx, src)
		},
	} {
		if _, err := fit(); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	var cell *refusal.CellError
	if _, err := (elm.Ridge{Options: elm.Options{Clip: math.NaN()}}).Fit(ctx, src, targets); err == nil || errors.As(err, &cell) {
		t.Errorf("a clip that is none: %v", err)
	}
	plane, err := pca.Classic{}.Fit(ctx, src)
	if err != nil {
		t.Fatal(err)
	}
	images, err := tensor.SVD2D{Options: shape}.Fit(ctx, src)
	if err != nil {
		t.Fatal(err)
	}
	bad := mat.DenseCopyOf(x)
	bad.Set(6, 2, math.Inf(-1))
	for name, use := range map[string]func() (any, error){
		"pca":              func() (any, error) { return plane.Judge(ctx, bad) },
		"tensor":           func() (any, error) { return images.Judge(ctx, bad) },
		"tensor, core":     func() (any, error) { return images.Transform(ctx, bad) },
		"tensor, kept":     func() (any, error) { return images.Reconstruct(ctx, bad) },
		"tensor, residual": func() (any, error) { return images.Contributions(ctx, bad) },
	} {
		if _, err := use(); !errors.As(err, &cell) || cell.Row != 7 || cell.Column != 3 {
			t.Errorf("%s: %v", name, err)
		}
	}
}
