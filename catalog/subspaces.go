package catalog

import (
	"context"
	"fmt"
	"maps"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/leverage"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/nearest"
)

func init() {
	add(&Method{
		Name: "nearest-subspace", Title: "the class whose subspace leaves the smallest residual",
		Paper:  "Oh, Kwak: Generalized mean for robust principal component analysis, section 4",
		About:  "One subspace for each class, by any method that reduces rows; a row belongs to the class that reconstructs it best. Outliers in a class do not turn its subspace when the method is robust.",
		Params: []Param{inputScalingParam("auto: robust for tables, none for images"), reduceParam("pca-robust", "method that finds the subspace of each class; its parameters are written reduce.NAME")},
	}, subspaceFamily(), func(v Values) error {
		_, err := v.reducer()
		return err
	}, fitSubspaces)
}

func subspaceFamily() *family {
	return &family{name: "chain", tasks: []Task{Classify}, learns: learnPresent, restore: restoring(nearest.RestoreSubspaces), missing: nearestMissing, strange: true}
}

// reducer is the method of the first step, configured.
func (v Values) reducer() (Fitter, error) {
	method, own, err := v.reduction()
	if err != nil {
		return nil, err
	}
	return method.Build(own)
}

// subspaceModel has one reduction for each class.
type subspaceModel struct {
	*nearest.Subspaces
	description Description
}

func fitSubspaces(ctx context.Context, v Values, data *lesson, run Run) (Typed, error) {
	fitter, err := v.reducer()
	if err != nil {
		return nil, err
	}
	x, err := data.dense(ctx)
	if err != nil {
		return nil, err
	}
	if err := linalg.Usable(ctx, linalg.FromDense(x)); err != nil {
		return nil, err
	}
	n, columns := x.Dims()
	whole := dataset.Set{Columns: data.Columns(), Shape: data.Shape()}
	settleScaling(v, "scaling", data.Shape() == nil)
	d := Description{Task: Classify, Rows: n, Columns: columns, Status: irls.Converged.String(), Classes: data.classes}
	narrower := func(components int) (Fitter, error) {
		narrow := maps.Clone(v)
		narrow[reducePrefix+"components"] = strconv.Itoa(max(components, 1))
		return narrow.reducer()
	}
	var components []string
	fitted, err := nearest.FitScaledSubspaces(ctx, linalg.FromDense(x), data.labels, run.Weights, len(data.classes), nearest.Scaling(v.Text("scaling")), func(k int, scaled *mat.Dense, rows []int) (nearest.Subspace, error) {
		whole.X = scaled
		part := whole.Subset(rows)
		part.Name = fmt.Sprintf("%s, class %q", data.Name(), data.classes[k])
		own := Run{Seed: run.Seed, OnStep: run.OnStep}
		if run.Weights != nil {
			for _, i := range rows {
				own.Weights = append(own.Weights, run.Weights[i])
			}
		}
		m, err := fitter.Fit(ctx, part.Source(), own)
		if err != nil {
			return nil, err
		}
		// A subspace that is everything has no residuals: every row would belong to it.
		keeps, _ := strconv.Atoi(m.Describe().Parameters["components"]) // 0: cores of images, which have none
		if v.Is(reducePrefix+"components", "auto") {
			if room := directions(part.X, own.Weights); room > 1 && keeps >= room {
				fewer, err := narrower(room - 1)
				if err != nil {
					return nil, err
				}
				if m, err = fewer.Fit(ctx, part.Source(), own); err != nil {
					return nil, err
				}
			}
		} else if keeps == columns && columns > 1 {
			d.Warnings = append(d.Warnings, fmt.Sprintf("class %q: with all %d components every row belongs to the class; use fewer", data.classes[k], columns))
		}
		if err := ctx.Err(); err != nil { // the other classes are still to come
			return nil, err
		}
		t, ok := m.(Transformer)
		if !ok {
			return nil, &UsageError{Problem: fmt.Sprintf("method %s does not reduce rows", m.Describe().Method)}
		}
		about := m.Describe()
		d.Effective += about.Effective
		d.Objective += about.Objective * float64(len(rows)) / float64(n)
		components = append(components, about.Parameters["components"])
		for _, w := range about.Warnings {
			d.Warnings = append(d.Warnings, fmt.Sprintf("class %q: %s", data.classes[k], w))
		}
		return t, nil
	})
	if err != nil {
		return nil, err
	}
	about := fitted.Describe(archive.Names{})
	d.Outliers, d.Numbers = about.Outliers, about.Numbers
	if v.Is(reducePrefix+"components", "auto") {
		d.Numbers["components"] = components
	}
	return &subspaceModel{Subspaces: fitted, description: d}, nil
}

// directions is the number of columns in which most rows of a class differ, or of all columns where
// that is none or one. Components that hold all of these leave residuals in columns of rare
// values only, which tell nothing of most rows, of whichever class.
func directions(x *mat.Dense, weights []float64) int {
	varying := 0
	for _, c := range leverage.Describe(x, weights) {
		if !c.MostlyOne {
			varying++
		}
	}
	if varying > 1 {
		return varying
	}
	_, d := x.Dims()
	return d
}

func (m *subspaceModel) Describe(archive.Names) Description { return m.description }
