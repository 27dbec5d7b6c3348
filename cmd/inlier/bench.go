package main

import (
	"context"

	"github.com/spf13/cobra"
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
	breakdown, kernel, fits := breakdownRequest{seeds: 10}, kernelRequest{size: 1024}, fitBenchRequest{rows: 10000, columns: 784, components: 50}
	c.RunE = func(c *cobra.Command, _ []string) error {
		var all struct {
			Breakdown []breakdownCell `json:"breakdown"`
			Kernel    []kernelResult  `json:"kernel"`
			Fit       []fitBenchRow   `json:"fit"`
		}
		for _, part := range []func(context.Context) error{
			func(ctx context.Context) (err error) { all.Breakdown, err = a.benchBreakdown(ctx, breakdown); return },
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
