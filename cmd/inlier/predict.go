package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/internal/output"
)

func predictCommand(a *app) *cobra.Command {
	var data dataFlags
	var out string
	var probabilities bool
	c := &cobra.Command{
		Use:   "predict MODEL DATA...",
		Short: "Predict a number or a class for every row",
		Long: `Predict for every row: a column "prediction" for regression; for classification a column "label" and
one score column per class.

` + aboutMatching,
		Example: "  inlier predict price.npz new.csv --out predictions.csv",
		Args:    arguments("MODEL", "DATA..."),
		RunE: func(c *cobra.Command, args []string) error {
			a.reads(append(args, data.Labels)...)
			if err := a.plansResults("--out", out); err != nil {
				return err
			}
			job := inlier.Predict{Probabilities: probabilities}
			var err error
			if job.Model, job.Data, err = a.modelAndData(args, data); err != nil {
				return err
			}
			if a.inParts(out) {
				return a.predictParts(c.Context(), job, out)
			}
			made, err := job.Run(c.Context(), a.limit)
			if err != nil {
				return err
			}
			a.notes(made.Remarks())
			t := made.Table()
			toFile := out != "" && out != "-"
			if toFile {
				if err := a.storeTable(c.Context(), out, t); err != nil {
					return err
				}
				a.note("%s written to %s", plural(len(t.Rows), "row"), out)
			}
			switch {
			case a.json:
				return a.printJSON(made)
			case toFile:
				return nil
			}
			return a.printTable(t, true)
		},
	}
	c.Flags().StringVarP(&out, "out", "o", "", "file to write: "+resultNames+" (default: standard output)")
	c.Flags().BoolVar(&probabilities, "probabilities", false, "also the probability of each class, where the model has them")
	data.register(c)
	bounded(c, &data.memory)
	return c
}

// predictParts writes predictions as they are made.
func (a *app) predictParts(ctx context.Context, job inlier.Predict, path string) error {
	var made *inlier.PredictResult
	out, err := a.writeParts(ctx, path, func(out *output.Parts) (err error) {
		made, err = job.Stream(ctx, a.limit, func(part *inlier.PredictResult) error { return out.Table(part.Table()) })
		return err
	})
	if err != nil {
		return err
	}
	a.notes(made.Remarks())
	if out.Path != "-" {
		a.note("%s written to %s", plural(out.Rows, "row"), path)
	}
	a.blocks(made.Memory)
	return nil
}
