package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier"
)

func breakdownCommand(a *app) *cobra.Command {
	seeds := 10
	c := &cobra.Command{
		Use:   "breakdown",
		Short: "Largest angle to the true subspace as outliers become more",
		Long: `Largest angle in degrees between the fitted and the true subspace, mean over seeds, as the share of
outliers grows. 200 rows, 20 columns; inliers have standard deviations 5, 4, 3 in a random
3-dimensional subspace plus noise 0.3. Outliers are scattered (sd 15 in every direction),
clustered (at distance 40 along one direction, sd 0.5) or in a subspace of their own (sd 12 in
three other directions).

The papers' methods start at ordinary PCA with the papers' own parameters; "spherical" is the
default method started at spherical PCA.`,
		Example: "  inlier bench breakdown --seeds 10",
		Args:    arguments(),
		RunE: func(c *cobra.Command, _ []string) error {
			if seeds < 1 {
				return usage("it is a number of repeats", "--seeds %d is not allowed", seeds)
			}
			result, err := a.benchBreakdown(c.Context(), seeds)
			if err == nil && a.json {
				err = a.printJSON(result)
			}
			return err
		},
	}
	c.Flags().IntVar(&seeds, "seeds", seeds, "number of data sets per cell")
	return c
}

func (a *app) benchBreakdown(ctx context.Context, seeds int) (*inlier.BreakdownResult, error) {
	watch, done := a.observe("breakdown")
	result, err := inlier.Breakdown{Seeds: seeds, Seed: a.seed}.Run(ctx, watch)
	done()
	if err != nil || a.json {
		return result, err
	}
	return result, a.printTable(result.Table(), false)
}
