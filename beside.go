package inlier

import (
	"context"

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
	if angle, err := compare.Angle(first.Model, second.Model); err == nil {
		n := report.Number(angle)
		result.Angle = &n
	}
	one, other := first.Model.State(), second.Model.State()
	names := one.Description.ColumnNames
	for _, array := range []string{"coef", "intercept"} {
		a, c := one.Arrays[array].Data, other.Arrays[array].Data
		if array == "intercept" {
			names = []string{"(constant)"}
		}
		if len(a) != len(c) || len(a) != len(names) {
			continue
		}
		for k, name := range names {
			result.Coefficients = append(result.Coefficients, BesidePair{name, report.Number(a[k]), report.Number(c[k])})
		}
	}
	return result, nil
}
