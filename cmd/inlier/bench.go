package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/report"
)

// tabled is the result of a benchmark.
type tabled interface{ Table() *report.Table }

// benchmark is a sub-command of bench, and with its usual sizes a part of bench itself.
type benchmark struct {
	*cobra.Command
	run func(context.Context, inlier.Observer) (tabled, error)
}

func benchCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "bench",
		Short: "The benchmarks that the README quotes",
		Long: `Run the benchmarks that the README quotes: how much dirt the methods bear (breakdown), how fast
matrix products run (kernel), how long fits take (fit). Without a sub-command: all of them.`,
		Example: `  inlier bench
  inlier bench breakdown --json`,
		Args: noSuchCommand,
	}
	list := []benchmark{breakdownBench(a), kernelBench(a), fitBench(a)}
	c.RunE = func(c *cobra.Command, _ []string) error {
		all := map[string]any{}
		for _, b := range list {
			result, err := a.bench(c.Context(), b)
			if err != nil {
				return err
			}
			all[b.Name()] = result
		}
		if a.json {
			return a.printJSON(all)
		}
		return nil
	}
	for _, b := range list {
		b.Args = arguments()
		b.RunE = func(c *cobra.Command, _ []string) error {
			result, err := a.bench(c.Context(), b)
			if err == nil && a.json {
				err = a.printJSON(result)
			}
			return err
		}
		c.AddCommand(b.Command)
	}
	return c
}

// bench runs a benchmark and shows its table.
func (a *app) bench(ctx context.Context, b benchmark) (tabled, error) {
	watch, done := a.observe(b.Name())
	result, err := b.run(ctx, watch)
	done()
	if err != nil || a.json {
		return result, err
	}
	return result, a.printTable(result.Table(), false)
}

func breakdownBench(a *app) benchmark {
	r := inlier.Breakdown{Seeds: 10}
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
	}
	c.Flags().IntVar(&r.Seeds, "seeds", r.Seeds, "number of data sets per cell")
	return benchmark{c, func(ctx context.Context, o inlier.Observer) (tabled, error) {
		if r.Seed = a.seed; r.Seeds == 0 { // given, not left out
			return nil, usage("it is a number of repeats", "--seeds 0 is not allowed")
		}
		return r.Run(ctx, o)
	}}
}

func kernelBench(a *app) benchmark {
	r := inlier.KernelTimes{Size: 1024}
	c := &cobra.Command{
		Use:     "kernel",
		Short:   "Speed of matrix products in billions of operations per second",
		Long:    "Speed of the products that decide how long a fit takes, beside gonum's own product. The best of five runs counts.",
		Example: "  inlier bench kernel --size 2048",
	}
	c.Flags().IntVar(&r.Size, "size", r.Size, "rows and columns of the square matrices")
	return benchmark{c, func(ctx context.Context, o inlier.Observer) (tabled, error) {
		r.Seed = a.seed
		if err := r.Check(); err != nil {
			return nil, err
		}
		return r.Run(ctx, o)
	}}
}

func fitBench(a *app) benchmark {
	r := inlier.FitTimes{Rows: 10000, Columns: 784, Components: 50}
	c := &cobra.Command{
		Use:   "fit",
		Short: "How long fits take, and how that grows with rows and columns",
		Long: `Time of fits on generated low-rank data with a tenth of scattered outliers, at the given size and with
rows and columns halved: cost grows in proportion to rows.`,
		Example: "  inlier bench fit --rows 60000 --columns 784 --components 50",
	}
	f := c.Flags()
	f.IntVar(&r.Rows, "rows", r.Rows, "rows")
	f.IntVar(&r.Columns, "columns", r.Columns, "columns")
	f.IntVar(&r.Components, "components", r.Components, "components")
	return benchmark{c, func(ctx context.Context, o inlier.Observer) (tabled, error) {
		r.Seed = a.seed
		if err := r.Check(); err != nil {
			return nil, err
		}
		return r.Run(ctx, o)
	}}
}
