package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/synthetic"
	"github.com/inlier-ml/inlier/internal/output"
)

func generateCommand(a *app) *cobra.Command {
	var sets []string
	var out, test, truth string
	c := &cobra.Command{
		Use:   "generate [NAME]",
		Short: "Make synthetic data whose truth is known; without a name: list what there is",
		Example: `  inlier data generate
  inlier data generate low-rank --set outliers=clustered --set fraction=0.3 --out dirty.csv --truth truth.csv`,
		Args: arguments("[NAME]"),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, g := range synthetic.Recipes() {
				names = append(names, g.Name+"\t"+g.Text)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.listGenerators()
			}
			if err := a.plansSet("--out", out); err != nil {
				return err
			}
			if err := a.plansSet("--test", test); err != nil {
				return err
			}
			if err := a.plansResults("--truth", truth); err != nil {
				return err
			}
			params, err := catalog.ParseSettings(sets)
			if err != nil {
				return err
			}
			made, err := inlier.Generate{Name: args[0], Parameters: params, Seed: a.seed}.Run(c.Context(), nil)
			if err != nil {
				return err
			}
			return a.storeGenerated(c.Context(), made, out, test, truth)
		},
	}
	f := c.Flags()
	f.StringArrayVar(&sets, "set", nil, "parameter of the generator, key=value; may be repeated")
	f.StringVarP(&out, "out", "o", "", "file to write (default: CSV on standard output)")
	f.StringVar(&test, "test", "", "file for the clean test set, where the generator has one")
	f.StringVar(&truth, "truth", "", "file for what is true of each row: outlier or not, and what was done to it ("+resultNames+")")
	return c
}

func (a *app) storeGenerated(ctx context.Context, made *inlier.GenerateResult, out, test, truth string) error {
	if test != "" {
		if made.Test == nil {
			return usage("leave --test away", "%s has no test set", made.Set.Name)
		}
		if err := a.store(ctx, test, &inlier.RowsResult{Set: made.Test}, dataFile(test, made.Test)); err != nil {
			return err
		}
	}
	if truth != "" {
		if err := a.storeTable(ctx, truth, made.Truth()); err != nil {
			return err
		}
	}
	if sheet := made.Sheet; sheet != nil && !a.json && (out == "" || out == "-" || hasAnyEnding(out, ".csv", ".tsv", ".txt")) {
		if out == "" {
			out = "-"
		}
		content := func(w io.Writer) error { _, err := sheet.WriteTo(w); return err }
		if err := a.write(ctx, out, output.SameContent(out, content), content); err != nil {
			return err
		}
		if out != "-" {
			a.note("%s x %s written to %s", plural(len(sheet.Rows), "row"), plural(len(sheet.Columns), "column"), out)
		}
		return nil
	}
	return a.printRows(ctx, &made.RowsResult, out, dataFile(out, made.Set))
}

func (a *app) listGenerators() error {
	list := synthetic.Recipes()
	if a.json {
		return a.printJSON(list)
	}
	for i, g := range list {
		if i > 0 {
			fmt.Fprintln(a.out)
		}
		fmt.Fprintf(a.out, "%s: %s\n", a.bold(g.Name), g.Text)
		if g.Paper != "" {
			fmt.Fprintf(a.out, "  after  %s\n", g.Paper)
		}
		a.showRecipeParameters(g.Parameters)
	}
	return nil
}

func (a *app) showRecipeParameters(list []dataset.Parameter) {
	name, value := 0, 0
	for _, p := range list {
		name, value = max(name, len(p.Name)), max(value, len(p.Default))
	}
	for _, p := range list {
		fmt.Fprintf(a.out, "  %-*s = %-*s  %s; %s\n", name, p.Name, value, p.Default, p.Range, p.Text)
	}
}
