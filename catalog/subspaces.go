package catalog

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/nearest"
	"github.com/inlier-ml/inlier/verdict"
)

func init() {
	register(&Method{
		Name: "nearest-subspace", Family: "chain", Tasks: []Task{Classify}, Title: "the class whose subspace leaves the smallest residual",
		Paper:  "Oh, Kwak: Generalized mean for robust principal component analysis, section 4",
		About:  "One subspace for each class, by any method that reduces rows; a row belongs to the class that reconstructs it best. Outliers in a class do not turn its subspace when the method is robust.",
		Params: []Param{reduceParam("pca-robust", "method that finds the subspace of each class; its parameters are written reduce.NAME")},
		Build: func(v Values) (Fitter, error) {
			method, own, err := v.reduction()
			if err != nil {
				return nil, err
			}
			fitter, err := method.Build(own)
			if err != nil {
				return nil, err
			}
			return FitterFunc(func(ctx context.Context, data *dataset.Set, run Run) (Model, error) {
				return fitSubspaces(ctx, fitter, data, v, run)
			}), nil
		},
		Restore: restoreSubspaces,
	})
}

// subspaceModel has one reduction for each class.
type subspaceModel struct {
	*nearest.Subspaces
	description Description
}

func fitSubspaces(ctx context.Context, fitter Fitter, data *dataset.Set, v Values, run Run) (Model, error) {
	labels, classes, err := presentClasses("nearest-subspace", data)
	if err != nil {
		return nil, err
	}
	if err := refuseMissing(data); err != nil {
		return nil, err
	}
	effective, objective, components := 0.0, 0.0, []string{}
	var warnings []string
	fitted, err := nearest.FitSubspaces(ctx, data.X, labels, run.Weights, len(classes), func(k int, rows []int) (nearest.Subspace, error) {
		part := data.Subset(rows)
		part.Name, part.Target = fmt.Sprintf("%s, class %q", data.Name, classes[k]), nil
		own := Run{Seed: run.Seed, OnStep: run.OnStep}
		if run.Weights != nil {
			for _, i := range rows {
				own.Weights = append(own.Weights, run.Weights[i])
			}
		}
		m, err := fitter.Fit(ctx, part, own)
		if err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil { // the other classes are still to come
			return nil, err
		}
		t, ok := m.(Transformer)
		if !ok {
			return nil, &UsageError{Problem: fmt.Sprintf("method %s does not reduce rows", m.Describe().Method)}
		}
		d := m.Describe()
		effective += d.Effective
		objective += d.Objective * float64(len(rows)) / float64(data.Rows())
		components = append(components, d.Parameters["components"])
		for _, w := range d.Warnings {
			warnings = append(warnings, fmt.Sprintf("class %q: %s", classes[k], w))
		}
		return t, nil
	})
	if err != nil {
		return nil, explainNearest(err, data, classes)
	}
	judged, err := fitted.Judge(ctx, data.X, labels)
	if err != nil {
		return nil, err
	}
	d := describeNearest("nearest-subspace", v, data, run, classes, judged)
	d.Effective, d.Objective, d.Warnings = effective, objective, warnings
	if v.Is(reducePrefix+"components", "auto") {
		d.Numbers["components"] = components
	}
	return &subspaceModel{Subspaces: fitted, description: d}, nil
}

func (m *subspaceModel) Describe() Description { return m.description }

// Predict gives the class with the smallest residual; scores are negative residuals.
func (m *subspaceModel) Predict(ctx context.Context, x *mat.Dense) (*Prediction, error) {
	distance, err := m.Distances(ctx, x)
	if err != nil {
		return nil, refusal(err, "")
	}
	labels := nearest.Closest(distance)
	distance.Scale(-1, distance)
	return &Prediction{Labels: labels, Scores: distance}, nil
}

// Outliers judges rows by the residual in the class they came with, or else the nearest.
func (m *subspaceModel) Outliers(ctx context.Context, data *dataset.Set) (*verdict.Rows, error) {
	return nearestOutliers(ctx, m, data, m.description.Classes)
}

// State holds the arrays of class k under classK_NAME, K from 1.
func (m *subspaceModel) State() State {
	s := State{
		Description: m.description, Arrays: map[string]Array{"cutoffs": Vector(m.Cutoffs)},
		Extra: map[string]any{},
	}
	for k, c := range m.Classes {
		one := c.(Model).State()
		prefix := classPrefix(k)
		for name, a := range one.Arrays {
			s.Arrays[prefix+name] = a
		}
		s.Extra[strings.TrimSuffix(prefix, "_")] = packStep(one)
	}
	return s
}

func classPrefix(k int) string { return fmt.Sprintf("class%d_", k+1) }

func restoreSubspaces(s State) (Model, error) {
	cutoffs, err := s.vector("cutoffs")
	if err != nil {
		return nil, err
	}
	if len(cutoffs) != len(s.Description.Classes) || len(cutoffs) < 1 {
		return nil, errors.New("the cut-offs and the classes differ in number")
	}
	m := &subspaceModel{Subspaces: &nearest.Subspaces{Cutoffs: cutoffs}, description: s.Description}
	for k := range cutoffs {
		prefix := classPrefix(k)
		one, err := unpackStep(s.Extra[strings.TrimSuffix(prefix, "_")])
		if err != nil {
			return nil, err
		}
		for name, a := range s.Arrays {
			if rest, ok := strings.CutPrefix(name, prefix); ok {
				one.Arrays[rest] = a
			}
		}
		reducer, err := restoreReducer(one)
		if err != nil {
			return nil, err
		}
		m.Classes = append(m.Classes, reducer)
	}
	return m, nil
}

var _ interface {
	Predictor
	Detector
} = (*subspaceModel)(nil)
