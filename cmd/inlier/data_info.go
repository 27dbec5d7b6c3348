package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/report"
)

// mostColumns is how many columns `data info` and `data head` show.
const mostColumns = 30

func infoCommand(a *app) *cobra.Command {
	var data dataFlags
	var all bool
	c := &cobra.Command{
		Use:   "info DATA...",
		Short: "Size, columns, ranges, missing and wrong values",
		Long: `Show what is in a file: its format and size, and for each column its range, centre, spread, missing
values, categories, and cells that are not numbers where numbers are meant.

` + aboutData,
		Example: "  inlier data info sales.csv",
		Args:    arguments("DATA..."),
		RunE: func(c *cobra.Command, args []string) error {
			request, err := a.data(data, args...)
			if err != nil {
				return err
			}
			info, err := inlier.Info{Data: request}.Run(c.Context(), a.limit)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(info)
			}
			return a.showData(info, all)
		},
	}
	c.Flags().BoolVar(&all, "all", false, fmt.Sprintf("every column, also when there are more than %d", mostColumns))
	data.register(c)
	return c
}

func (a *app) showData(info *inlier.InfoResult, all bool) error {
	format := info.Format
	if info.Compressed {
		format += ", compressed"
	}
	list := []string{"data", info.Name, "format", fmt.Sprintf("%s, %s", format, size(info.Bytes)),
		"size", fmt.Sprintf("%s x %s", plural(info.Rows, "row"), plural(info.Columns, "column"))}
	if info.Shape != nil {
		list = append(list, "shape of a row", shapeText(info.Shape))
	}
	list = append(list, "missing values", strconv.Itoa(info.Missing), "labels", info.Label)
	if info.Classes != nil {
		list = append(list, "classes", shorten(info.Classes, 12))
	}
	a.pairs(list...)
	t := &report.Table{Columns: []report.Column{{Name: "column"}, {Name: "missing"}, {Name: "min", Format: report.Value}, {Name: "median", Format: report.Value}, {Name: "max", Format: report.Value}, {Name: "mean"}, {Name: "sd"}, {Name: "robust sd"}, {Name: "remark"}}}
	for j, c := range info.Summary {
		if j == mostColumns && !all {
			t.Notes = append(t.Notes, fmt.Sprintf("and %s more; --all shows them", plural(len(info.Summary)-j, "column")))
			break
		}
		t.Add(c.Name, c.Missing, float64(c.Min), float64(c.Median), float64(c.Max), float64(c.Mean), float64(c.SD), float64(c.Spread), c.Remark())
	}
	fmt.Fprintln(a.out)
	return a.printTable(t, false)
}
