package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier"
)

func fitBenchCommand(a *app) *cobra.Command {
	r := inlier.FitTimes{Rows: 10000, Columns: 784, Components: 50}
	c := &cobra.Command{
		Use:   "fit",
		Short: "How long fits take, and how that grows with rows and columns",
		Long: `Time of fits on generated low-rank data with a tenth of scattered outliers, at the given size and with
rows and columns halved: cost grows in proportion to rows.`,
		Example: "  inlier bench fit --rows 60000 --columns 784 --components 50",
		Args:    arguments(),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := r.Check(); err != nil {
				return err
			}
			list, err := a.benchFit(c.Context(), r)
			if err == nil && a.json {
				err = a.printJSON(list)
			}
			return err
		},
	}
	f := c.Flags()
	f.IntVar(&r.Rows, "rows", r.Rows, "rows")
	f.IntVar(&r.Columns, "columns", r.Columns, "columns")
	f.IntVar(&r.Components, "components", r.Components, "components")
	return c
}

func (a *app) benchFit(ctx context.Context, r inlier.FitTimes) (*inlier.FitTimesResult, error) {
	r.Seed = a.seed
	watch, done := a.observe("fit")
	result, err := r.Run(ctx, watch)
	done()
	if err != nil || a.json {
		return result, err
	}
	return result, a.printTable(result.Table(), false)
}
