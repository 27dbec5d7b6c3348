package main

import (
	"context"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/report"
)

func transformCommand(a *app) *cobra.Command {
	return rowsCommand(a, &cobra.Command{
		Use:   "transform MODEL DATA",
		Short: "Scores of the rows: pc1, pc2, ...",
		Long:  "Reduce each row to its scores pc1, pc2, ... in the model.\n\n" + aboutMatching,
		Example: `  inlier transform sales.npz new.csv --out scores.csv
  inlier transform sales.npz new.csv --json`,
	}, func(ctx context.Context, m catalog.Transformer, in *dataset.Set) (*dataset.Set, error) {
		x, err := m.Transform(ctx, in.X)
		if err != nil {
			return nil, err
		}
		return &dataset.Set{Name: in.Name, X: x, Columns: m.ScoreNames(), Target: in.Target, IDs: in.IDs}, nil
	}, scoresFile)
}

func reconstructCommand(a *app) *cobra.Command {
	return rowsCommand(a, &cobra.Command{
		Use:   "reconstruct MODEL DATA",
		Short: "What the model keeps of each row, in input columns",
		Long:  "Project each row onto the model and back: the row as it would be without what does not fit.\n\n" + aboutMatching,
		Example: `  inlier reconstruct sales.npz new.csv --out cleaned.csv
  inlier reconstruct faces.npz faces/ --out cleaned.npy`,
	}, func(ctx context.Context, m catalog.Transformer, in *dataset.Set) (*dataset.Set, error) {
		x, err := m.Reconstruct(ctx, in.X)
		if err != nil {
			return nil, err
		}
		d := m.Describe()
		return &dataset.Set{Name: in.Name, X: x, Columns: in.Columns, Shape: d.Shape, Target: in.Target, IDs: in.IDs}, nil
	}, dataFile)
}

// rowsCommand completes a command that turns rows into rows by a model.
func rowsCommand(a *app, c *cobra.Command, turn func(context.Context, catalog.Transformer, *dataset.Set) (*dataset.Set, error), known func(path string, set *dataset.Set) kind) *cobra.Command {
	var data dataFlags
	var out string
	c.Args = arguments("MODEL", "DATA")
	c.RunE = func(c *cobra.Command, args []string) error {
		a.reads(args[0], args[1], data.options.LabelsFile)
		if err := a.plansSet("--out", out); err != nil {
			return err
		}
		m, err := a.loadModel(args[0])
		if err != nil {
			return err
		}
		t, ok := m.model.(catalog.Transformer)
		if !ok {
			return usage("inlier inspect shows what a model is", "%s: a %s model does not %s rows", args[0], m.about.Method, c.Name())
		}
		in, err := a.loadFor(c.Context(), m, args[1], data, false)
		if err != nil {
			return err
		}
		rows, err := turn(c.Context(), t, in)
		if err != nil {
			return err
		}
		return a.printRows(c.Context(), rows, out, known(out, rows))
	}
	c.Flags().StringVarP(&out, "out", "o", "", "file to write, its format by its name: .csv .tsv .parquet .npy .npz ... (default: CSV on standard output)")
	data.register(c)
	return c
}

// printRows writes a table to a file, or to standard output as CSV or JSON.
func (a *app) printRows(ctx context.Context, set *dataset.Set, out string, k kind) error {
	if out != "" && out != "-" {
		if err := a.store(ctx, out, set, k); err != nil {
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
		return a.printJSON(struct {
			Columns []string   `json:"columns"`
			IDs     []string   `json:"ids,omitempty"`
			Rows    [][]number `json:"rows"`
		}{set.Columns, set.IDs, rowsAsNumbers(set.X)})
	}
	if _, ok := terminal(a.out); ok && out == "" {
		return a.printTable(setTable(set), false)
	}
	return a.store(ctx, "-", set, k)
}

// setTable is a set as a table: the names of the rows, the columns, the target.
func setTable(set *dataset.Set) *report.Table {
	t := &report.Table{}
	for j := range set.Dim() {
		t.Columns = append(t.Columns, report.Column{Name: columnName(set.Columns, j), Format: "%.6g"})
	}
	if set.Target != nil {
		t.Columns = append(t.Columns, report.Column{Name: set.Target.Name, Format: "%.6g"})
	}
	for i := range set.Rows() {
		cells := make([]any, 0, len(t.Columns)+1)
		for _, v := range set.X.RawRowView(i) {
			cells = append(cells, v)
		}
		switch target := set.Target; {
		case target == nil:
		case target.Values != nil:
			cells = append(cells, target.Values[i])
		default:
			cells = append(cells, target.Class(i))
		}
		t.Rows = append(t.Rows, cells)
	}
	nameRows(t, set.IDs)
	return t
}

func rowsAsNumbers(x *mat.Dense) [][]number {
	n, _ := x.Dims()
	rows := make([][]number, n)
	for i := range rows {
		rows[i] = numbers(x.RawRowView(i))
	}
	return rows
}
