package catalog

import (
	"context"

	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/pca"
)

func init() {
	add(&Method{
		Name:  "correntropy-pca",
		Title: "correntropy PCA: components of a nonlinear covariance of the columns",
		About: "Compares columns by how often they agree within the kernel size, instead of by products. A score sums, over columns, how common the row's value is; " +
			"columns should share a unit (or use scaling=standard or robust). There is no way back from scores to rows, and as a display of clusters it is weaker than kernel PCA.",
		Paper: "Xu, Pokharel, Paiva, Principe: Nonlinear component analysis based on correntropy",
		Params: []Param{
			{Name: "components", Kind: Integer, Default: "auto", Min: 1, Choices: []string{"auto"}, Meaning: "number of components; auto: the fewest that hold 80 % of the trace of the matrix"},
			{Name: "sigma", Kind: Number, Default: "auto", Min: loss.MinScale, Max: loss.MaxScale, Choices: []string{"auto", "silverman"}, Meaning: "kernel size; auto and silverman: Silverman's rule for the spread of the columns"},
			{Name: "scaling", Kind: Choice, Default: "mean", Choices: []string{"mean", "standard", "robust", "none"}, Meaning: "columns first lose their mean, also get unit variance, go by median and absolute deviation, or stay as they are"},
			{Name: "center", Alias: "centre", Kind: Choice, Default: "on", Choices: []string{"on", "off"}, Meaning: "centring in the kernel's space: of matrix and scores, or none, as in the slides' summary of the method"},
		},
	}, correntropyFamily, nil, func(ctx context.Context, v Values, data *lesson, run Run) (Typed, error) {
		return pca.Correntropy{
			Components: v.Int("components"), Sigma: v.Float("sigma"), Scaling: pca.Scaling(v.Text("scaling")), Uncentered: v.Is("center", "off"), Weights: run.Weights,
		}.Fit(ctx, data.rows())
	})
}

var correntropyFamily = &family{name: "correntropy-pca", tasks: []Task{Reduce}, restore: restoring(pca.RestoreCorrentropy), missing: fillIn}
