package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier"
)

func scoreCommand(a *app) *cobra.Command {
	var data dataFlags
	var plot string
	c := &cobra.Command{
		Use:   "score MODEL DATA...",
		Short: "Measure a model on data: the metrics that fit its task",
		Long: `Measure a model on data by the metrics that fit its task: errors for regression, accuracy for
classification (both need --target), agreement with the target for clusterings, reconstruction for
models that reduce rows.

` + aboutMatching,
		Example: `  inlier score price.npz test.csv --target price
  inlier score wine.npz test.csv --target class --plot curves.html`,
		Args: arguments("MODEL", "DATA..."),
		RunE: func(c *cobra.Command, args []string) error {
			a.reads(append(args, data.Labels)...)
			if err := a.plansPicture("--plot", plot); err != nil {
				return err
			}
			job := inlier.Score{Whole: plot != ""}
			var err error
			if job.Model, job.Data, err = a.modelAndData(args, data); err != nil {
				return err
			}
			result, err := job.Run(c.Context(), a.limit)
			if err != nil {
				return err
			}
			if plot != "" {
				picture, err := curves(c.Context(), plot, result)
				if err != nil {
					return err
				}
				if err := a.writeBytes(c.Context(), plot, picture); err != nil {
					return err
				}
			}
			if a.json {
				return a.printJSON(result)
			}
			fmt.Fprintf(a.out, "%s on %s: %s\n", a.bold(result.Method), result.Data, plural(result.Rows, "row"))
			for _, x := range result.List {
				fmt.Fprintf(a.out, "%-24s %-12s %s\n", x.Name, short(float64(x.Value)), x.Text)
			}
			a.notes(result.Remarks)
			a.blocks(result.Memory)
			return nil
		},
	}
	c.Flags().StringVar(&plot, "plot", "", "draw curves of the model's task: "+pictureNames)
	data.register(c)
	bounded(c, &data.memory)
	return c
}
