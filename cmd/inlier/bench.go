package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier"
)

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
	kernel, fits := inlier.KernelTimes{Size: 1024}, inlier.FitTimes{Rows: 10000, Columns: 784, Components: 50}
	c.RunE = func(c *cobra.Command, _ []string) error {
		var all struct {
			Breakdown *inlier.BreakdownResult   `json:"breakdown"`
			Kernel    *inlier.KernelTimesResult `json:"kernel"`
			Fit       *inlier.FitTimesResult    `json:"fit"`
		}
		for _, part := range []func(context.Context) error{
			func(ctx context.Context) (err error) { all.Breakdown, err = a.benchBreakdown(ctx, 10); return },
			func(ctx context.Context) (err error) { all.Kernel, err = a.benchKernel(ctx, kernel); return },
			func(ctx context.Context) (err error) { all.Fit, err = a.benchFit(ctx, fits); return },
		} {
			if err := part(c.Context()); err != nil {
				return err
			}
		}
		if a.json {
			return a.printJSON(all)
		}
		return nil
	}
	c.AddCommand(breakdownCommand(a), kernelCommand(a), fitBenchCommand(a))
	return c
}
