package main

import (
	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier"
)

func headCommand(a *app) *cobra.Command {
	var data dataFlags
	var rows int
	c := &cobra.Command{
		Use:     "head DATA...",
		Short:   "The first rows",
		Long:    "Print the first rows.\n\n" + aboutData,
		Example: "  inlier data head sales.csv --rows 5",
		Args:    arguments("DATA..."),
		RunE: func(c *cobra.Command, args []string) error {
			if rows < 1 {
				return usage("it is a number of rows", "--rows %d is not allowed", rows)
			}
			job := inlier.Head{Rows: rows}
			var err error
			if job.Data, err = a.data(data, args...); err != nil {
				return err
			}
			head, err := job.Run(c.Context(), a.limit)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(head)
			}
			return a.printTable(head.Table(mostColumns), false)
		},
	}
	c.Flags().IntVarP(&rows, "rows", "n", 10, "number of rows")
	data.register(c)
	return c
}
