package main

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/internal/output"
)

func transformCommand(a *app) *cobra.Command {
	return rowsCommand(a, &cobra.Command{
		Use:   "transform MODEL DATA...",
		Short: "Scores of the rows: pc1, pc2, ...",
		Long:  "Reduce each row to its scores pc1, pc2, ... in the model.\n\n" + aboutMatching,
		Example: `  inlier transform sales.npz new.csv --out scores.csv
  inlier transform sales.npz new.csv --json`,
	}, func(ctx context.Context, m inlier.Model, d inlier.Data, each eachPart) (*inlier.RowsResult, error) {
		return inlier.Transform{Model: m, Data: d}.Stream(ctx, a.limit, each)
	}, true)
}

func reconstructCommand(a *app) *cobra.Command {
	return rowsCommand(a, &cobra.Command{
		Use:   "reconstruct MODEL DATA...",
		Short: "What the model keeps of each row, in input columns",
		Long:  "Project each row onto the model and back: the row as it would be without what does not fit.\n\n" + aboutMatching,
		Example: `  inlier reconstruct sales.npz new.csv --out cleaned.csv
  inlier reconstruct faces.npz faces/ --out cleaned.npy`,
	}, func(ctx context.Context, m inlier.Model, d inlier.Data, each eachPart) (*inlier.RowsResult, error) {
		return inlier.Reconstruct{Model: m, Data: d}.Stream(ctx, a.limit, each)
	}, false)
}

// eachPart takes rows over as they are made.
type eachPart = func(*inlier.RowsResult) error

// rowsCommand completes a command that turns rows into rows by a model.
func rowsCommand(a *app, c *cobra.Command, turn func(context.Context, inlier.Model, inlier.Data, eachPart) (*inlier.RowsResult, error), scores bool) *cobra.Command {
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
		if a.inParts(out) && (out == "" || file.WritesParts(out)) {
			return a.turnParts(c.Context(), out, scores, func(each eachPart) error {
				_, err := turn(c.Context(), m, d, each)
				return err
			})
		}
		rows, err := turn(c.Context(), m, d, nil)
		if err != nil {
			return err
		}
		a.notes(rows.Remarks)
		return a.printRows(c.Context(), rows, out, rowsKind(out, rows, scores))
	}
	c.Flags().StringVarP(&out, "out", "o", "", "file to write, its format by its name: "+dataNames+" (default: CSV on standard output)")
	data.register(c)
	bounded(c, &data.memory)
	return c
}

// rowsKind is what a file with these rows may replace: the same rows, or scores of the same columns.
func rowsKind(path string, rows *inlier.RowsResult, scores bool) kind {
	switch {
	case scores:
		return scoresFile(path, rows.Set)
	case rows.Memory > 0: // of which only some are known
		return kind{Name: "what would be written", Is: func(*os.File, int64) bool { return false }}
	}
	return dataFile(path, rows.Set)
}

// turnParts writes rows as they are made.
func (a *app) turnParts(ctx context.Context, path string, scores bool, turn func(eachPart) error) error {
	var last *inlier.RowsResult
	out, err := a.writeParts(ctx, path, func(out *output.Parts) error {
		return turn(func(part *inlier.RowsResult) error {
			last = part
			return out.Turned(part, rowsKind(out.Path, part, scores))
		})
	})
	if err != nil {
		return err
	}
	if out.Path != "-" {
		a.note("%s x %s written to %s", plural(out.Rows, "row"), plural(last.Set.Dim(), "column"), path)
	}
	a.notes(last.Remarks)
	a.blocks(last.Memory)
	return nil
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
