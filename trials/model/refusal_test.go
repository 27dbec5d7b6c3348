package model

import (
	"context"
	"errors"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/classify"
	"github.com/inlier-ml/inlier/cluster"
	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/kernel"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linear"
	"github.com/inlier-ml/inlier/nearest"
	"github.com/inlier-ml/inlier/pca"
	"github.com/inlier-ml/inlier/refusal"
	"github.com/inlier-ml/inlier/tensor"
)

// Every family names the parameter that it refuses, for programs to find.
func TestFamiliesNameTheParameter(t *testing.T) {
	ctx := context.Background()
	x, y, labels := typedRows()
	src, few := linalg.FromDense(x), []float64{1}
	last := func(_ any, err error) error { return err }
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"pca":               {last(pca.Robust{Options: pca.Options{Share: 2}}.Fit(ctx, src)), "share"},
		"pca weights":       {last(pca.Robust{Options: pca.Options{Weights: few}}.Fit(ctx, src)), "weights"},
		"generalised mean":  {last(pca.GeneralizedMean{P: 3}.Fit(ctx, src)), "p"},
		"correntropy":       {last(pca.Correntropy{Sigma: -1}.Fit(ctx, src)), "sigma"},
		"linear":            {last(linear.Robust{Start: "odd"}.Fit(ctx, src, y)), "start"},
		"elm":               {last(elm.Ridge{Options: elm.Options{Activation: "odd"}}.Fit(ctx, src, mat.NewDense(40, 1, y))), "activation"},
		"classify":          {last(classify.Logistic{Options: classify.Options{Lambda: -1}}.Fit(ctx, src, labels, 2)), "lambda"},
		"classify, kernel":  {last(classify.Logistic{Options: classify.Options{Kernel: kernel.Kernel{Kind: kernel.RBF, Gamma: -1}}}.Fit(ctx, src, labels, 2)), "gamma"},
		"tensor":            {last(tensor.Robust{Options: tensor.Options{Shape: []int{2, 3}, Start: "odd"}}.Fit(ctx, src)), "start"},
		"kmeans":            {last(cluster.KMeans{Trim: 2}.Fit(ctx, src)), "trim"},
		"peaks":             {last(cluster.DensityPeaks{Density: cluster.Density{Percent: -1}}.Fit(ctx, src)), "percent"},
		"nearest, a weight": {last(nearest.Centers{Weights: few}.Fit(ctx, src, labels, 2)), "weights"},
	} {
		var parameter *refusal.ParameterError
		if !errors.As(c.err, &parameter) || parameter.Name != c.want {
			t.Errorf("%s: %v; want a refusal of %s", name, c.err, c.want)
		}
	}
}

// What is read from a stream has no name of a file; the line does not say "model" twice instead.
func TestStreamThatIsNoModel(t *testing.T) {
	_, err := pca.Read(strings.NewReader("no model"))
	var file *archive.FileError
	if !errors.As(err, &file) || !strings.HasPrefix(err.Error(), "model: stream: ") {
		t.Errorf("%v", err)
	}
}
