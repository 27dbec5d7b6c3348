package inlier

import (
	"context"
	"fmt"
	"strconv"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/compare"
	"github.com/inlier-ml/inlier/dataset/synthetic"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/report"
)

// FitTimes is the job of timing fits on generated low-rank data with a tenth of scattered
// outliers, at the given size and with rows and columns halved.
type FitTimes struct {
	Rows       int    `json:"rows,omitempty"`       // 0: 10000
	Columns    int    `json:"columns,omitempty"`    // 0: 784
	Components int    `json:"components,omitempty"` // 0: 50
	Seed       uint64 `json:"seed,omitempty"`
}

// FitTimesResult holds one line per method and size.
type FitTimesResult struct{ Fits []FitTime }

// FitTime is the time of one fit.
type FitTime struct {
	Method     string  `json:"method"`
	Rows       int     `json:"rows"`
	Columns    int     `json:"columns"`
	Components int     `json:"components"`
	Steps      int     `json:"steps"`
	Seconds    float64 `json:"seconds"`
	Angle      float64 `json:"angle"` // degrees to the true subspace
}

// Check refuses sizes that make no sense.
func (t FitTimes) Check() error {
	const hint = "rows are at least 20, columns at least 4 and twice the components, and all fit into memory"
	switch {
	case t.Columns < 4 || t.Columns > 1<<26:
		return usage(hint, "--columns %d is not allowed", t.Columns)
	case t.Rows < 20 || t.Rows > 1<<30/t.Columns:
		return usage(hint, "--rows %d is not allowed beside --columns %d", t.Rows, t.Columns)
	case t.Components < 1 || 2*t.Components > t.Columns:
		return usage(hint, "--components %d is not allowed beside --columns %d", t.Components, t.Columns)
	}
	return nil
}

// Run makes the data and fits.
func (t FitTimes) Run(ctx context.Context, o Observer) (*FitTimesResult, error) {
	ctx = given.AllOrNothing(ctx)
	r := newReporter("fit-times", o)
	for _, usual := range []struct {
		to    *int
		value int
	}{{&t.Rows, 10000}, {&t.Columns, 784}, {&t.Components, 50}} {
		if *usual.to == 0 {
			*usual.to = usual.value
		}
	}
	if err := t.Check(); err != nil {
		return nil, err
	}
	result := &FitTimesResult{}
	entrants := catalog.Timed()
	sizes := []FitTimes{{t.Rows / 2, t.Columns, t.Components, t.Seed}, {t.Rows, max(t.Columns/2, 2*t.Components), t.Components, t.Seed}, t}
	for _, size := range sizes {
		recipe := synthetic.DefaultLowRank()
		recipe.N, recipe.D, recipe.M, recipe.SDs, recipe.Fraction = size.Rows, size.Columns, size.Components, []float64{10, 3}, 0.1
		made, err := recipe.Generate(t.Seed)
		if err != nil {
			return nil, err
		}
		for _, e := range entrants {
			r.send(Event{Phase: "fit", Label: e.Label, Done: len(result.Fits), Total: len(sizes) * len(entrants), Rows: size.Rows, Columns: size.Columns})
			f, err := compare.Enter(ctx, e, made.Set, map[string]string{"components": strconv.Itoa(size.Components)}, catalog.Run{Seed: t.Seed})
			if err != nil {
				return nil, err
			}
			row := FitTime{Method: e.Label, Rows: size.Rows, Columns: size.Columns, Components: size.Components, Steps: f.Model.Describe().Steps, Seconds: f.Seconds}
			if row.Angle, err = f.AngleTo(made.Truth.Basis); err != nil {
				return nil, fmt.Errorf("%s: %w", e.Label, err)
			}
			result.Fits = append(result.Fits, row)
		}
	}
	return result, nil
}

// MarshalJSON writes the lines.
func (t *FitTimesResult) MarshalJSON() ([]byte, error) { return report.JSON(t.Fits) }

// Table lays the times out.
func (t *FitTimesResult) Table() *report.Table {
	table := &report.Table{Title: "Time of fits: low-rank data, a tenth of scattered outliers",
		Columns: []report.Column{{Name: "method"}, {Name: "rows"}, {Name: "columns"}, {Name: "components"}, {Name: "steps"}, {Name: "time", Unit: "s", Format: "%.3f"}, {Name: "angle", Unit: "degrees", Format: "%.2f"}}}
	for _, row := range t.Fits {
		table.Add(row.Method, row.Rows, row.Columns, row.Components, row.Steps, row.Seconds, row.Angle)
	}
	return table
}
