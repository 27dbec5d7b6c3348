package inlier

import (
	"context"
	"slices"

	"github.com/inlier-ml/inlier/compare"
	"github.com/inlier-ml/inlier/report"
)

// Beside is the job of setting two fitted models side by side: how far apart what they have learned is.
type Beside struct {
	First  Model `json:"first"`
	Second Model `json:"second"`
}

// BesideResult tells how two models differ. What does not apply is left out.
type BesideResult struct {
	Angle        *report.Number `json:"angle,omitempty"` // largest angle between their subspaces, in degrees
	Coefficients []BesidePair   `json:"coefficients,omitempty"`
}

// BesidePair is a coefficient in both models.
type BesidePair struct {
	Name   string        `json:"name"`
	First  report.Number `json:"first"`
	Second report.Number `json:"second"`
}

// Run opens both models and compares them.
func (b Beside) Run(_ context.Context, _ Observer) (*BesideResult, error) {
	first, err := b.First.Open()
	if err != nil {
		return nil, about("first", err)
	}
	second, err := b.Second.Open()
	if err != nil {
		return nil, about("second", err)
	}
	result := &BesideResult{}
	one, other := first.Model.State(), second.Model.State()
	names, theirs, constant := one.Description.ColumnNames, other.Description.ColumnNames, []string{"(constant)"}
	if angle, err := compare.Angle(first.Model, second.Model); err == nil && slices.Equal(names, theirs) {
		n := report.Number(angle)
		result.Angle = &n
	}
	result.pair(one.Arrays["coef"].Data, other.Arrays["coef"].Data, names, theirs)
	result.pair(one.Arrays["intercept"].Data, other.Arrays["intercept"].Data, constant, constant)
	return result, nil
}

// pair adds the coefficients that both have, wherever their columns stand.
func (r *BesideResult) pair(first, second []float64, names, theirs []string) {
	if len(first) != len(names) || len(second) != len(theirs) {
		return
	}
	at := map[string]int{}
	for k, name := range theirs {
		at[name] = k
	}
	for k, name := range names {
		if other, both := at[name]; both {
			r.Coefficients = append(r.Coefficients, BesidePair{name, report.Number(first[k]), report.Number(second[other])})
		}
	}
}
