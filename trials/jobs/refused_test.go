package jobs

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/classify"
	"github.com/inlier-ml/inlier/cluster"
	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linear"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/nearest"
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

// A program's slip is an error of a type, whatever the family: no panic, and no fit of something
// else than was asked for.
func TestSlipsAreParameterErrors(t *testing.T) {
	ctx := context.Background()
	x := parts(t).X
	src, targets := linalg.FromDense(x), mat.NewDense(60, 1, mat.Col(nil, 3, x))
	labels := make([]int, 60)
	for i := range labels {
		labels[i] = i % 2
	}
	shape := tensor.Options{Shape: []int{2, 2}}
	for name, fit := range map[string]func() (any, error){
		"pca rescale":    func() (any, error) { return pca.Robust{Rescale: 77}.Fit(ctx, src) },
		"pca hq rescale": func() (any, error) { return pca.HQ{Rescale: -1}.Fit(ctx, src) },
		"pca scatter":    func() (any, error) { return pca.Robust{Options: pca.Options{Scatter: "x"}}.Fit(ctx, src) },
		"pca delta":      func() (any, error) { return pca.GeneralizedMean{Delta: "x"}.Fit(ctx, src) },
		"pca learn-rank": func() (any, error) { return pca.Robust{Options: pca.Options{LearnRank: 5}}.Fit(ctx, src) },
		"pca rule":       func() (any, error) { return pca.HQ{Sigma: loss.Rule{Kind: 77}}.Fit(ctx, src) },
		"pca scaling":    func() (any, error) { return pca.Correntropy{Scaling: "x"}.Fit(ctx, src) },
		"elm rescale":    func() (any, error) { return elm.Robust{Rescale: 3}.Fit(ctx, src, targets) },
		"elm rule":       func() (any, error) { return elm.RCC{Sigma: loss.Rule{Kind: 77}}.Fit(ctx, src, targets) },
		"elm labels":     func() (any, error) { return elm.Ridge{Options: elm.Options{Labels: true}}.Fit(ctx, src, targets) },
		"tensor rescale": func() (any, error) { return tensor.Robust{Options: shape, Rescale: 3}.Fit(ctx, src) },
		"tensor rule":    func() (any, error) { return tensor.Corr{Options: shape, Beta: loss.Rule{Kind: 77}}.Fit(ctx, src) },
		"loss":           func() (any, error) { return loss.Parse("welsh") },
		"parameter":      func() (any, error) { return loss.Parse("huber:c=-1") },
		"bandwidth":      func() (any, error) { return loss.ParseRule("wide") },
	} {
		var slip *refusal.ParameterError
		if _, err := fit(); !errors.As(err, &slip) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, fit := range map[string]func(src linalg.Source) (any, error){
		"pca":         func(src linalg.Source) (any, error) { return pca.Robust{}.Fit(ctx, src) },
		"classic":     func(src linalg.Source) (any, error) { return pca.Classic{}.Fit(ctx, src) },
		"l1":          func(src linalg.Source) (any, error) { return pca.L1{}.Fit(ctx, src) },
		"correntropy": func(src linalg.Source) (any, error) { return pca.Correntropy{}.Fit(ctx, src) },
		"linear":      func(src linalg.Source) (any, error) { return linear.Robust{}.Fit(ctx, src, mat.Col(nil, 3, x)) },
		"elm":         func(src linalg.Source) (any, error) { return elm.Robust{}.Fit(ctx, src, targets) },
		"hinge":       func(src linalg.Source) (any, error) { return classify.Hinge{}.Fit(ctx, src, labels, 2) },
		"regmaxcem":   func(src linalg.Source) (any, error) { return classify.RegMaxCEM{}.Fit(ctx, src, labels, 2) },
		"kmeans":      func(src linalg.Source) (any, error) { return cluster.Robust{}.Fit(ctx, src) },
		"peaks":       func(src linalg.Source) (any, error) { return cluster.DensityPeaks{}.Fit(ctx, src) },
		"centers":     func(src linalg.Source) (any, error) { return nearest.Centers{}.Fit(ctx, src, labels, 2) },
		"tensor":      func(src linalg.Source) (any, error) { return tensor.Robust{Options: shape}.Fit(ctx, src) },
		"npp":         func(src linalg.Source) (any, error) { return tensor.NPP2D{Options: shape}.Fit(ctx, src) },
	} {
		for _, none := range []linalg.Source{nil, (*linalg.Matrix)(nil), linalg.FromDense(nil)} {
			var data *refusal.DataError
			if _, err := fit(none); !errors.As(err, &data) {
				t.Errorf("%s of a source %#v: %v", name, none, err)
			}
		}
	}
	for name, fit := range map[string]func() (any, error){
		"linear":   func() (any, error) { return linear.Robust{}.Fit(ctx, src, nil) },
		"elm":      func() (any, error) { return elm.Robust{}.Fit(ctx, src, nil) },
		"classify": func() (any, error) { return classify.Square{}.Fit(ctx, src, nil, 2) },
		"nearest":  func() (any, error) { return nearest.Centers{}.Fit(ctx, src, nil, 2) },
	} {
		var target *refusal.TargetError
		if _, err := fit(); !errors.As(err, &target) {
			t.Errorf("%s without targets: %v", name, err)
		}
	}
}
