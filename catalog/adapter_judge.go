package catalog

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/verdict"
)

// TrainingOutliers marks the outlying training rows; nil for a model from a file.
func (a *adapted) TrainingOutliers() []bool {
	if t, ok := a.typed.(interface{ Training() *verdict.Rows }); ok {
		if judged := t.Training(); judged != nil {
			return judged.Outlier
		}
	}
	return nil
}

// explain puts the names of columns and classes into the family's refusals.
func (a *adapted) explain(err error, name string) error {
	return explain(err, name, a.description.ColumnNames, a.description.Classes, a.family.missing)
}

// Outliers judges rows, beside the target where the family learns one.
func (a *adapted) Outliers(ctx context.Context, data *dataset.Set) (*verdict.Rows, error) {
	ctx = given.Context(ctx)
	judged, err := a.judge(ctx, data)
	if err != nil {
		return nil, a.explain(err, data.Name)
	}
	if c, ok := a.typed.(contributor); ok && judged.Contributions == nil {
		if judged.Contributions, err = c.Contributions(ctx, data.X); err != nil {
			return nil, a.explain(err, data.Name)
		}
	}
	if a.description.Task == Classify {
		judged.Suggested = make([]string, len(judged.Label))
		for i, l := range judged.Label {
			if l >= 0 {
				judged.Suggested[i] = a.description.Classes[l]
			}
		}
	}
	return judged, nil
}

func (a *adapted) judge(ctx context.Context, data *dataset.Set) (*verdict.Rows, error) {
	switch m := a.typed.(type) {
	case judge:
		return m.Judge(ctx, data.X)
	case valueJudge:
		y, err := regressionTarget(a.description.Method, data.Name, data.Rows(), data.Target)
		if err != nil {
			return nil, err
		}
		return m.Judge(ctx, data.X, y)
	case labelJudge:
		labels, err := a.labels(data)
		if err != nil {
			return nil, err
		}
		return m.Judge(ctx, data.X, labels)
	case targetJudge:
		targets, err := a.targets(data)
		if err != nil {
			return nil, err
		}
		return m.Judge(ctx, data.X, targets)
	}
	return nil, fmt.Errorf("catalog: a model of %s does not judge rows", a.description.Method)
}

// labels are the classes that rows came with, as the model numbers them; nil when there is no
// target.
func (a *adapted) labels(data *dataset.Set) ([]int, error) {
	if data.Target == nil || data.Target.Labels == nil && a.family.strange {
		return nil, nil
	}
	if !a.family.strange {
		target := *data.Target
		if err := target.Match(a.description.Classes); err != nil {
			return nil, &UsageError{Parameter: "target", Problem: data.Name + ": " + err.Error(), Hint: "the model's classes are " + join(a.description.Classes)}
		}
		return target.Labels, nil
	}
	out := make([]int, len(data.Target.Labels))
	for i, k := range data.Target.Labels {
		out[i] = -1
		if k >= 0 && k < len(data.Target.Classes) {
			out[i] = slices.Index(a.description.Classes, data.Target.Classes[k])
		}
	}
	return out, nil
}

// targets are the outputs that rows should have: a number, or +1 for their class and -1 for
// others.
func (a *adapted) targets(data *dataset.Set) (*mat.Dense, error) {
	if a.description.Task != Classify {
		y, err := regressionTarget(a.description.Method, data.Name, data.Rows(), data.Target)
		if err != nil {
			return nil, err
		}
		return mat.NewDense(len(y), 1, slices.Clone(y)), nil
	}
	if data.Target == nil || data.Target.Labels == nil {
		return nil, &UsageError{Parameter: "target", Problem: fmt.Sprintf("%s: judging the rows of a classifier needs their labels", data.Name), Hint: "--target names the column"}
	}
	labels, err := a.labels(data)
	if err != nil {
		return nil, err
	}
	return elm.OneVsAll(labels, len(a.description.Classes)), nil
}
