package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset/corrupt"
)

func corruptCommand(a *app) *cobra.Command {
	var data dataFlags
	var out, truth string
	c := &cobra.Command{
		Use:   "corrupt [DATA... SPEC]",
		Short: "Dirty data on purpose; without arguments: list the kinds of dirt",
		Long: `Dirty data on purpose, to see what a method makes of it. SPEC is one or more steps joined by +:

  rows:0.1            a tenth of the rows become outliers
  occlusion:20%       a fifth of the images get a block of random pixels
  label:0.2+rows:5    a fifth of the labels are wrong, and five rows are outliers

` + aboutData,
		Example: `  inlier data corrupt
  inlier data corrupt sales.csv rows:0.1,size=20 --out dirty.csv --truth truth.csv`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return arguments("DATA...", "SPEC")(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.listCorruptions()
			}
			args, spec := args[:len(args)-1], args[len(args)-1]
			a.reads(append(args, data.Labels)...)
			if err := a.plansSet("--out", out); err != nil {
				return err
			}
			if err := a.plansResults("--truth", truth); err != nil {
				return err
			}
			job := inlier.Corrupt{Spec: spec, Seed: a.seed}
			var err error
			if job.Data, err = a.data(data, args...); err != nil {
				return err
			}
			dirty, err := job.Run(c.Context(), a.limit)
			if err != nil {
				return err
			}
			if truth != "" {
				if err := a.storeTable(c.Context(), truth, dirty.Truth()); err != nil {
					return err
				}
			}
			return a.printRows(c.Context(), &dirty.RowsResult, out, dataFile(out, dirty.Set))
		},
	}
	f := c.Flags()
	f.StringVarP(&out, "out", "o", "", "file to write (default: CSV on standard output)")
	f.StringVar(&truth, "truth", "", "file that tells which rows were hit, and by what ("+resultNames+")")
	data.register(c)
	return c
}

func (a *app) listCorruptions() error {
	list := corrupt.Kinds()
	if a.json {
		return a.printJSON(list)
	}
	for i, k := range list {
		if i > 0 {
			fmt.Fprintln(a.out)
		}
		fmt.Fprintf(a.out, "%s: %s\n", a.bold(k.Name), k.Text)
		if k.Paper != "" {
			fmt.Fprintf(a.out, "  after   %s\n", k.Paper)
		}
		fmt.Fprintf(a.out, "  amount  %s\n", k.Amount)
		a.showRecipeParameters(k.Parameters)
	}
	return nil
}
