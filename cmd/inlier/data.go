package main

import (
	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset/file"
)

func dataCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:     "data",
		Short:   "Look at data, convert it, make it, dirty it",
		Long:    "Look at data, convert it between formats, make synthetic data, dirty data on purpose.\n\n" + aboutData,
		Example: "  inlier data info sales.csv",
		Args:    noSuchCommand,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(infoCommand(a), headCommand(a), convertCommand(a), generateCommand(a), corruptCommand(a))
	return c
}

func convertCommand(a *app) *cobra.Command {
	var data dataFlags
	c := &cobra.Command{
		Use:   "convert DATA... FILE",
		Short: "Write data in another format, told by the file's name",
		Long:  "Write data in another format, which the ending of FILE tells: " + dataNames + ", also .gz.\n\n" + aboutData,
		Example: `  inlier data convert sales.csv sales.parquet
  inlier data convert faces/ faces.npz`,
		Args: arguments("DATA...", "FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			args, to := args[:len(args)-1], args[len(args)-1]
			a.reads(append(args, data.Labels)...)
			if err := a.plansSet("FILE", to); err != nil {
				return err
			}
			request, err := a.data(data, args...)
			if err != nil {
				return err
			}
			rows, err := inlier.Convert{Data: request, Dates: file.FormatOf(to).NamesRows()}.Run(c.Context(), a.limit)
			if err != nil {
				return err
			}
			return a.printRows(c.Context(), rows, to, rowsFile(to, rows))
		},
	}
	data.register(c)
	return c
}
