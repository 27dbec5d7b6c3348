package catalog

import (
	"context"

	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/nearest"
)

func init() {
	add(&Method{
		Name: "nearest-center", Title: "the class whose center is nearest",
		Paper: "Zhang, Gao, Sun, Blumenstein: Robust tensor decomposition for image representation based on generalized correntropy, Algorithm 2",
		About: "One center for each class, in which outliers do not count; usually after a reduction (reduce=corr-2dsvd). Says which training labels look wrong.",
		Params: []Param{
			{Name: "weights", Kind: Choice, Default: "auto", Choices: []string{"auto", "reduce", "class", "none"}, Meaning: "votes of rows in the center of their class; reduce: those of the reduction, eq. (29) of the corr-tensor paper; class: by the distance from the center; auto: reduce where there is one, else class"},
			{Name: "alpha", Kind: Number, Default: "2", Min: 0, Max: 100, Open: true, Meaning: "exponent of the generalised correntropy, for weights=class and distance=correntropy or elementwise"},
			{Name: "beta", Kind: Number, Default: "auto", Min: loss.MinScale, Max: loss.MaxScale, Choices: []string{"auto"}, Meaning: "its bandwidth; auto: from the median distance of rows from their center"},
			{Name: "distance", Kind: Choice, Default: "frobenius", Choices: []string{"frobenius", "correntropy", "elementwise", "spectral"}, Meaning: "how scores are measured; correntropy: eq. (30) of the norm, which ranks classes as the Frobenius norm does; elementwise: eq. (30) of each number, added up, in which alpha and beta matter; spectral: the largest singular value, for images or their cores"},
			inputScalingParam("robust: by deviations within classes; auto: robust for tables, none for images and after a reduction, which has its own (reduce.scaling)"),
		},
	}, nearestFamily, nil, fitCenters)
}

const nearestMissing = "every row needs all its numbers"

var nearestFamily = &family{
	name: "chain", tasks: []Task{Classify}, learns: learnPresent, restore: restoring(nearest.Restore), learner: true, missing: nearestMissing, strange: true,
}

// fitCenters fits class centers; the votes of a reduction are those of eq. (29).
func fitCenters(ctx context.Context, v Values, data *lesson, run Run) (Typed, error) {
	spec, err := loss.Parse("gcorr:alpha=" + v.Text("alpha") + ",beta=" + v.Text("beta"))
	if err != nil {
		return nil, &UsageError{Parameter: ParametersField + "alpha", Problem: err.Error(), Hint: "inlier losses gcorr tells the ranges of alpha and beta"}
	}
	settleScaling(v, "scaling", data.Shape() == nil && v.Is("reduce", noReduction))
	config := nearest.Centers{Scaling: nearest.Scaling(v.Text("scaling")), Weights: run.Weights, Similar: v.Is("distance", "correntropy"), Elementwise: v.Is("distance", "elementwise"), Alpha: v.Float("alpha"), Beta: v.Float("beta")}
	if v.Is("weights", "auto") {
		if v["weights"] = "reduce"; run.votes == nil {
			v["weights"] = "class"
		}
	}
	switch v.Text("weights") {
	case "reduce":
		if run.votes == nil {
			return nil, &UsageError{Parameter: ParametersField + "weights", Problem: "weights=reduce needs a reduction that weighs rows", Hint: "name one by reduce, such as reduce=pca-robust, or use weights=class"}
		}
		config.Votes = run.votes
	case "class":
		config.Loss = spec
	}
	if v.Is("distance", "spectral") {
		if len(data.Shape()) != 2 {
			return nil, &UsageError{Parameter: ParametersField + "distance", Problem: "distance=spectral is for rows that are images or cores of a 2-D reduction", Hint: "name one by reduce, such as reduce=corr-2dsvd, or use distance=frobenius"}
		}
		config.Shape = data.Shape()
	}
	return config.Fit(ctx, data.rows(), data.labels, len(data.classes))
}
