package main

import (
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/report"
)

func headCommand(a *app) *cobra.Command {
	var data dataFlags
	var rows int
	c := &cobra.Command{
		Use:     "head DATA",
		Short:   "The first rows",
		Long:    "Print the first rows.\n\n" + aboutData,
		Example: "  inlier data head sales.csv --rows 5",
		Args:    arguments("DATA"),
		RunE: func(c *cobra.Command, args []string) error {
			if rows < 1 {
				return usage("it is a number of rows", "--rows %d is not allowed", rows)
			}
			set, err := a.load(c.Context(), args[0], data, wanted{missing: true, text: true, rows: rows})
			if err != nil {
				return err
			}
			if a.json {
				t := headTable(set, set.Dim())
				names := make([]string, len(t.Columns))
				for j, c := range t.Columns {
					names[j] = c.Name
				}
				return a.printJSON(struct {
					Columns []string         `json:"columns"`
					Rows    []map[string]any `json:"rows"`
				}{names, tableObjects(t)})
			}
			return a.printTable(headTable(set, mostColumns), false)
		},
	}
	c.Flags().IntVarP(&rows, "rows", "n", 10, "number of rows")
	data.register(c)
	return c
}

// headTable shows rows with their numbers, and the first columns of wide data.
func headTable(set *dataset.Set, most int) *report.Table {
	t := &report.Table{Columns: []report.Column{{Name: "row"}}}
	shown := min(set.Dim(), most)
	codings := make([]*dataset.Coding, shown)
	for j := range shown {
		name := columnName(set.Columns, j)
		codings[j] = set.Coder.Of(name)
		t.Columns = append(t.Columns, report.Column{Name: name, Format: "%.6g"})
	}
	if set.Target != nil {
		t.Columns = append(t.Columns, report.Column{Name: set.Target.Name})
	}
	for i := range set.Rows() {
		cells := []any{i + 1}
		for j := range shown {
			v := set.X.At(i, j)
			if coding := codings[j]; coding != nil && !coding.OneHot && !math.IsNaN(v) {
				cells = append(cells, coding.Levels[int(v)])
				continue
			}
			cells = append(cells, v)
		}
		if target := set.Target; target != nil && target.Labels != nil {
			cells = append(cells, target.Class(i))
		} else if target != nil {
			cells = append(cells, target.Values[i])
		}
		t.Rows = append(t.Rows, cells)
	}
	if shown < set.Dim() {
		t.Notes = append(t.Notes, fmt.Sprintf("and %s more", plural(set.Dim()-shown, "column")))
	}
	return t
}
