package methods

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/refusal"
)

// inUnit is a set with four wild rows, all numbers in a unit; those of the target only if asked for.
func inUnit(data *dataset.Set, unit float64, target bool) *dataset.Set {
	out := *data
	out.X = mat.DenseCopyOf(data.X)
	_, d := out.X.Dims()
	for i := range 4 {
		for j := range d {
			out.X.Set(i, j, 60-100*float64(j%2)+float64(i))
		}
	}
	out.X.Scale(unit, out.X)
	if target && data.Target != nil && data.Target.Values != nil {
		scaled := *data.Target
		scaled.Values = slices.Clone(scaled.Values)
		for i := range scaled.Values {
			scaled.Values[i] *= unit
		}
		out.Target = &scaled
	}
	return &out
}

// A whole table in an absurd unit is learned as in any other, or refused in the words that all methods share:
// squares that overflow or vanish must not decide silently what an outlier is.
func TestTablesInAbsurdUnits(t *testing.T) {
	eachMethod(t, func(t *testing.T, m *catalog.Method, data *dataset.Set, params map[string]string) {
		scalings := []string{""}
		if p, ok := m.Param("scaling"); ok && slices.Contains(p.Choices, "none") {
			scalings = append(scalings, "none")
		}
		for _, how := range scalings {
			if how != "" {
				params["scaling"] = how
			}
			for _, target := range []bool{false, true} {
				if target && (data.Target == nil || data.Target.Values == nil) {
					continue
				}
				var want []bool
				for _, unit := range []float64{1, 1e-200, 1e-150, 1e150, 1e200} {
					scaled := inUnit(data, unit, target)
					model, err := m.Fit(context.Background(), scaled.Source(), params, catalog.Run{Seed: 1})
					var refused *refusal.DataError
					switch {
					case err == nil && unit == 1:
						want = judged(t, model, scaled).Outlier
					case err == nil && !slices.Equal(judged(t, model, scaled).Outlier, want):
						t.Errorf("scaling %q, unit %g, target %v: %d rows are flagged, other than in unit 1", how, unit, target, judged(t, model, scaled).Count())
					case err != nil && (unit == 1 || !errors.As(err, &refused) || !strings.Contains(err.Error(), "change their unit")):
						t.Errorf("scaling %q, unit %g, target %v: %v", how, unit, target, err)
					}
				}
			}
		}
	})
}
