package main

import (
	"github.com/spf13/cobra"
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
		Use:   "convert DATA FILE",
		Short: "Write data in another format, told by the file's name",
		Long:  "Write data in another format, which the ending of FILE tells: .csv .tsv .parquet .npy .npz .idx .svm, also .gz.\n\n" + aboutData,
		Example: `  inlier data convert sales.csv sales.parquet
  inlier data convert faces/ faces.npz`,
		Args: arguments("DATA", "FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			a.reads(args[0], data.options.LabelsFile)
			if err := a.plansSet("FILE", args[1]); err != nil {
				return err
			}
			set, err := a.load(c.Context(), args[0], data, wanted{missing: true})
			if err != nil {
				return err
			}
			if data.id == "" {
				set.IDs = nil // names of images would be a column that cannot be read back as numbers
			}
			return a.printRows(c.Context(), set, args[1], dataFile(args[1], set))
		},
	}
	data.register(c)
	return c
}
