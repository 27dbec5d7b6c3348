package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier"
)

func kernelCommand(a *app) *cobra.Command {
	r := inlier.KernelTimes{Size: 1024}
	c := &cobra.Command{
		Use:     "kernel",
		Short:   "Speed of matrix products in billions of operations per second",
		Long:    "Speed of the products that decide how long a fit takes, beside gonum's own product. The best of five runs counts.",
		Example: "  inlier bench kernel --size 2048",
		Args:    arguments(),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := r.Check(); err != nil {
				return err
			}
			list, err := a.benchKernel(c.Context(), r)
			if err == nil && a.json {
				err = a.printJSON(list)
			}
			return err
		},
	}
	c.Flags().IntVar(&r.Size, "size", r.Size, "rows and columns of the square matrices")
	return c
}

func (a *app) benchKernel(ctx context.Context, r inlier.KernelTimes) (*inlier.KernelTimesResult, error) {
	r.Seed = a.seed
	result, err := r.Run(ctx, nil)
	if err != nil || a.json {
		return result, err
	}
	return result, a.printTable(result.Table(), false)
}
