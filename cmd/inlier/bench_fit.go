package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/report"
)

// fitBenchRequest is what `bench fit` was asked for.
type fitBenchRequest struct{ rows, columns, components int }

// fitBenchRow is the time of one fit.
type fitBenchRow struct {
	Method     string  `json:"method"`
	Rows       int     `json:"rows"`
	Columns    int     `json:"columns"`
	Components int     `json:"components"`
	Steps      int     `json:"steps"`
	Seconds    float64 `json:"seconds"`
	Angle      float64 `json:"angle"` // degrees to the true subspace
}

func fitBenchCommand(a *app) *cobra.Command {
	r := fitBenchRequest{rows: 10000, columns: 784, components: 50}
	c := &cobra.Command{
		Use:   "fit",
		Short: "How long fits take, and how that grows with rows and columns",
		Long: `Time of fits on generated low-rank data with a tenth of scattered outliers, at the given size and with
rows and columns halved: cost grows in proportion to rows.`,
		Example: "  inlier bench fit --rows 60000 --columns 784 --components 50",
		Args:    arguments(),
		RunE: func(c *cobra.Command, _ []string) error {
			if r.rows < 20 || r.columns < 4 || r.components < 1 || 2*r.components > r.columns || r.rows > 1<<30/r.columns {
				return usage("rows are at least 20, columns at least twice the components, and all fit into memory", "--rows %d --columns %d --components %d are not allowed", r.rows, r.columns, r.components)
			}
			list, err := a.benchFit(c.Context(), r)
			if err == nil && a.json {
				err = a.printJSON(list)
			}
			return err
		},
	}
	f := c.Flags()
	f.IntVar(&r.rows, "rows", r.rows, "rows")
	f.IntVar(&r.columns, "columns", r.columns, "columns")
	f.IntVar(&r.components, "components", r.components, "components")
	return c
}

func (a *app) benchFit(ctx context.Context, r fitBenchRequest) ([]fitBenchRow, error) {
	var list []fitBenchRow
	t := &report.Table{Title: "Time of fits: low-rank data, a tenth of scattered outliers",
		Columns: []report.Column{{Name: "method"}, {Name: "rows"}, {Name: "columns"}, {Name: "components"}, {Name: "steps"}, {Name: "time", Unit: "s", Format: "%.3f"}, {Name: "angle", Unit: "degrees", Format: "%.2f"}}}
	for _, size := range []fitBenchRequest{{r.rows / 2, r.columns, r.components}, {r.rows, max(r.columns/2, 2*r.components), r.components}, r} {
		recipe := dataset.DefaultLowRank()
		recipe.N, recipe.D, recipe.M, recipe.SDs, recipe.Fraction = size.rows, size.columns, size.components, []float64{10, 3}, 0.1
		made, err := recipe.Generate(a.seed)
		if err != nil {
			return nil, err
		}
		for _, e := range []entrant{{"pca", "pca", nil}, {"hq-pca", "hq-pca", nil}, {"pca-kmpe", "pca-kmpe", nil}, {defaultMethod, defaultMethod, nil}} {
			f, err := enter(ctx, e, made.Set, map[string]string{"components": strconv.Itoa(size.components)}, a.seed)
			if err != nil {
				return nil, err
			}
			row := fitBenchRow{Method: e.Label, Rows: size.rows, Columns: size.columns, Components: size.components, Steps: f.model.Describe().Steps, Seconds: f.seconds}
			if row.Angle, err = f.angleTo(made.Truth.Basis); err != nil {
				return nil, fmt.Errorf("%s: %w", e.Label, err)
			}
			list = append(list, row)
			t.Add(row.Method, row.Rows, row.Columns, row.Components, row.Steps, row.Seconds, row.Angle)
		}
	}
	if a.json {
		return list, nil
	}
	return list, a.printTable(t, false)
}
