package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier/worker"
)

func workerCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "worker",
		Short:   "Answer other programs over standard input and output, as Python's package has it",
		Example: "  inlier worker",
		Args:    arguments(),
		RunE:    func(c *cobra.Command, _ []string) error { return worker.Serve(c.Context(), os.Stdin, a.out) },
	}
}
