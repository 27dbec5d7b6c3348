package catalog

import (
	"context"
	"fmt"
	"maps"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/verdict"
)

// What typed models that take further rows into themselves can do. Each judges the rows by itself first, leaves
// outliers out, and returns the verdict beside the new model, which is the old one where nothing was taken.
type (
	updater[M Typed] interface {
		Update(ctx context.Context, x *mat.Dense, forget float64) (M, *verdict.Rows, error)
	}
	valueUpdater[M Typed] interface {
		Update(ctx context.Context, x *mat.Dense, y []float64, forget float64) (M, *verdict.Rows, error)
	}
)

// renew is how the models of a family take further rows in; nil: they cannot.
type renew func(ctx context.Context, a *adapted, data *dataset.Set, forget float64) (Typed, *verdict.Rows, error)

// renewing makes that of a family without targets.
func renewing[M interface {
	Typed
	updater[M]
}](ctx context.Context, a *adapted, data *dataset.Set, forget float64) (Typed, *verdict.Rows, error) {
	return a.typed.(M).Update(ctx, data.X, forget)
}

// renewingValues makes that of a family that learns a number.
func renewingValues[M interface {
	Typed
	valueUpdater[M]
}](ctx context.Context, a *adapted, data *dataset.Set, forget float64) (Typed, *verdict.Rows, error) {
	y, err := regressionTarget(a.description.Method, data.Name, data.Rows(), data.Target)
	if err != nil {
		return nil, nil, err
	}
	return a.typed.(M).Update(ctx, data.X, y, forget)
}

// Update returns a model with the rows of data taken into it, all but those that are outliers to it, and the verdict by which that was
// decided. forget, from 0 up to below 1, is the share of the old rows' say that is given up. Where every row is an
// outlier the model is m itself. Methods whose models cannot do it are refused.
func Update(ctx context.Context, m Model, data *dataset.Set, forget float64) (Model, *verdict.Rows, error) {
	ctx = given.Context(ctx)
	about := m.Describe()
	switch m := m.(type) {
	case *scaledDetector:
		if err := m.fits(data.X); err != nil {
			return nil, nil, err
		}
		inner, judged, err := Update(ctx, m.Transformer, scaledSet(m.scale, data), forget)
		if err != nil || inner == Model(m.Transformer) {
			return m, m.inUnits(judged), err
		}
		d := inner.Describe()
		d.Parameters = merged(about.Parameters, d.Parameters)
		return newScaled(inner.(Transformer), m.scale, d), m.inUnits(judged), nil
	case *reduction:
		return m.adapted.update(ctx, m, data, forget)
	case *prediction:
		return m.adapted.update(ctx, m, data, forget)
	case Chained:
		return nil, nil, &UsageError{Parameter: "update", Problem: fmt.Sprintf("a model of %s that reduces rows first cannot be updated", about.Method), Hint: "fit it again to old and new rows, or without the reduction"}
	}
	return nil, nil, fixed(about.Method)
}

// fixed refuses a method whose models stay as they are.
func fixed(method string) error {
	return &UsageError{Parameter: "update", Problem: fmt.Sprintf("a model of %s cannot be updated: what it has learned needs all rows at once", method), Hint: "fit it again to old and new rows; models of " + join(Updatable()) + " take new rows in"}
}

// Updatable lists the methods whose models take further rows in.
func Updatable() (names []string) {
	for _, m := range Methods() {
		if m.Updates {
			names = append(names, m.Name)
		}
	}
	return names
}

func (a *adapted) update(ctx context.Context, as Model, data *dataset.Set, forget float64) (Model, *verdict.Rows, error) {
	if m, err := Lookup(a.description.Method); err != nil || !m.Updates || a.family.renew == nil {
		return nil, nil, fixed(a.description.Method)
	}
	next, judged, err := a.family.renew(ctx, a, data, forget)
	switch {
	case err != nil:
		return nil, nil, a.explain(err, data.Name)
	case next == a.typed:
		return as, judged, nil
	}
	old := a.description
	d := next.Describe(archive.Names{Columns: old.ColumnNames, Classes: old.Classes, Target: old.Target})
	d.Method, d.Family, d.Task, d.Seed, d.ColumnNames, d.Shape, d.Target, d.Classes = old.Method, old.Family, old.Task, old.Seed, old.ColumnNames, old.Shape, old.Target, old.Classes
	if d.Parameters = merged(old.Parameters, d.Parameters); d.Loss == "" {
		d.Loss = old.Loss
	}
	return adapt(next, a.family, d), judged, nil
}

// merged are parameters with what a model has found of them.
func merged(old, found Parameters) Parameters {
	out := maps.Clone(old)
	for name, text := range found {
		if _, ok := out[name]; ok {
			out[name] = text
		}
	}
	return out
}
