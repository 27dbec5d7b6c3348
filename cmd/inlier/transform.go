package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset"
)

func transformCommand(a *app) *cobra.Command {
	return rowsCommand(a, &cobra.Command{
		Use:   "transform MODEL DATA...",
		Short: "Scores of the rows: pc1, pc2, ...",
		Long:  "Reduce each row to its scores pc1, pc2, ... in the model.\n\n" + aboutMatching,
		Example: `  inlier transform sales.npz new.csv --out scores.csv
  inlier transform sales.npz new.csv --json`,
	}, func(ctx context.Context, m inlier.Model, d inlier.Data) (*inlier.RowsResult, error) {
		return inlier.Transform{Model: m, Data: d}.Run(ctx, limitMemory)
	}, scoresFile)
}

func reconstructCommand(a *app) *cobra.Command {
	return rowsCommand(a, &cobra.Command{
		Use:   "reconstruct MODEL DATA...",
		Short: "What the model keeps of each row, in input columns",
		Long:  "Project each row onto the model and back: the row as it would be without what does not fit.\n\n" + aboutMatching,
		Example: `  inlier reconstruct sales.npz new.csv --out cleaned.csv
  inlier reconstruct faces.npz faces/ --out cleaned.npy`,
	}, func(ctx context.Context, m inlier.Model, d inlier.Data) (*inlier.RowsResult, error) {
		return inlier.Reconstruct{Model: m, Data: d}.Run(ctx, limitMemory)
	}, dataFile)
}

// rowsCommand completes a command that turns rows into rows by a model.
func rowsCommand(a *app, c *cobra.Command, turn func(context.Context, inlier.Model, inlier.Data) (*inlier.RowsResult, error), known func(path string, set *dataset.Set) kind) *cobra.Command {
	var data dataFlags
	var out string
	c.Args = arguments("MODEL", "DATA...")
	c.RunE = func(c *cobra.Command, args []string) error {
		a.reads(append(args, data.Labels)...)
		if err := a.plansSet("--out", out); err != nil {
			return err
		}
		m, d, err := a.modelAndData(args, data)
		if err != nil {
			return err
		}
		rows, err := turn(c.Context(), m, d)
		if err != nil {
			return err
		}
		return a.printRows(c.Context(), rows, out, known(out, rows.Set))
	}
	c.Flags().StringVarP(&out, "out", "o", "", "file to write, its format by its name: "+dataNames+" (default: CSV on standard output)")
	data.register(c)
	return c
}

// printRows writes a table to a file, or to standard output as CSV or JSON.
func (a *app) printRows(ctx context.Context, rows *inlier.RowsResult, out string, k kind) error {
	set := rows.Set
	if out != "" && out != "-" {
		if err := a.store(ctx, out, rows, k); err != nil {
			return err
		}
		if a.json {
			return a.printJSON(struct {
				Out     string `json:"out"`
				Rows    int    `json:"rows"`
				Columns int    `json:"columns"`
			}{out, set.Rows(), set.Dim()})
		}
		a.note("%s x %s written to %s", plural(set.Rows(), "row"), plural(set.Dim(), "column"), out)
		return nil
	}
	if a.json {
		return a.printJSON(rows)
	}
	if _, ok := terminal(a.out); ok && out == "" {
		return a.printTable(rows.Table(), false)
	}
	return a.store(ctx, "-", rows, k)
}
