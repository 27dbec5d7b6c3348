package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/report"
)

func corruptCommand(a *app) *cobra.Command {
	var data dataFlags
	var out, truth string
	c := &cobra.Command{
		Use:   "corrupt [DATA SPEC]",
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
			return arguments("DATA", "SPEC")(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.listCorruptions()
			}
			a.reads(args[0], data.options.LabelsFile)
			if err := a.plansSet("--out", out); err != nil {
				return err
			}
			if err := a.plansResults("--truth", truth); err != nil {
				return err
			}
			set, err := a.load(c.Context(), args[0], data, wanted{missing: true})
			if err != nil {
				return err
			}
			dirty, dirt, err := dataset.Corrupt(set, args[1], a.seed)
			if err != nil {
				return badInput(err, "inlier data corrupt lists the kinds of dirt")
			}
			if dirty.IDs = slices.Clone(set.IDs); data.id == "" {
				dirty.IDs = nil // as in convert
			} else {
				dirty.IDs = append(dirty.IDs, make([]string, max(0, dirty.Rows()-set.Rows()))...) // rows that were added have none
			}
			if truth != "" {
				if err := a.storeTable(c.Context(), truth, dirtTable(dirty, dirt)); err != nil {
					return err
				}
			}
			return a.printRows(c.Context(), dirty, out, dataFile(out, dirty))
		},
	}
	f := c.Flags()
	f.StringVarP(&out, "out", "o", "", "file to write (default: CSV on standard output)")
	f.StringVar(&truth, "truth", "", "file that tells which rows were hit, and by what (.csv, .tsv, .parquet, .npz or .json)")
	data.register(c)
	return c
}

// dirtTable tells for every row whether it was hit.
func dirtTable(set *dataset.Set, dirt *dataset.Dirt) *report.Table {
	t := &report.Table{Columns: []report.Column{{Name: "row"}, {Name: "outlier"}, {Name: "note"}}}
	notes := make([][]string, set.Rows())
	for _, step := range dirt.Steps {
		for _, i := range step.Rows {
			notes[i] = append(notes[i], step.Spec)
		}
	}
	for i := range set.Rows() {
		t.Add(i+1, dirt.Rows[i], strings.Join(notes[i], " + "))
	}
	return t
}

func (a *app) listCorruptions() error {
	list := dataset.Corruptions()
	if a.json {
		var out []recipeView
		for _, k := range list {
			out = append(out, recipeView{k.Name, k.Text, k.Paper, k.Amount, recipeParameters(k.Parameters)})
		}
		return a.printJSON(out)
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
