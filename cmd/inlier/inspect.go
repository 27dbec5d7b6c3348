package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/model"
	"github.com/inlier-ml/inlier/report"
)

func inspectCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "inspect MODEL",
		Short:   "What is inside a model file",
		Long:    "Show what is inside a model file, after checking that it is whole.\nAny program that reads NumPy's .npz can open the same file.",
		Example: "  inlier inspect sales.npz",
		Args:    arguments("MODEL"),
		RunE: func(c *cobra.Command, args []string) error {
			var job inlier.Inspect
			var err error
			if job.Model, err = a.model(args[0]); err != nil {
				return err
			}
			result, err := job.Run(c.Context(), nil)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(result)
			}
			a.showContents(result.Contents)
			return nil
		},
	}
}

func (a *app) showContents(c *model.Contents) {
	m := c.Meta
	list := []string{
		"file", fmt.Sprintf("%s (%s)", c.Path, size(c.Bytes)),
		"method", m.Method,
		"trained on", fmt.Sprintf("%s x %s", plural(m.Rows, "row"), plural(m.Columns, "column")),
		"loss", shortened(m.Loss),
		"status", fmt.Sprintf("%s after %s", m.Status, plural(m.Steps, "step")),
	}
	if m.Objective != nil {
		list = append(list, "objective", short(*m.Objective))
	}
	if m.Effective != nil {
		list = append(list, "effective sample size", short(*m.Effective))
	}
	figures, _ := report.Figures(m.Numbers)
	list = append(append(list, "outliers", plural(m.Outliers, "training row"), "seed", strconv.FormatUint(m.Seed, 10)), figures...)
	if len(m.ColumnNames) > 0 {
		list = append(list, "columns", shorten(m.ColumnNames, 12))
	}
	list = append(list, "target", m.Target)
	if len(m.Classes) > 0 {
		list = append(list, "classes", shorten(m.Classes, 12))
	}
	if len(m.Shape) > 0 {
		list = append(list, "shape", shapeText(m.Shape))
	}
	list = append(list, "written by", fmt.Sprintf("inlier %s, format %d", m.ProgramVersion, m.FormatVersion), "checksum", m.Checksum+" (matches)")
	a.pairs(list...)

	fmt.Fprintln(a.out, "\n"+a.bold("parameters"))
	list = list[:0]
	for _, name := range slices.Sorted(maps.Keys(m.Parameters)) {
		list = append(list, "  "+name, shortened(m.Parameters[name]))
	}
	a.pairs(list...)
	fmt.Fprintln(a.out, "\n"+a.bold("arrays"))
	list = list[:0]
	for _, name := range c.Names() {
		text := shapeText(c.Arrays[name].Shape)
		if name == "weights" && len(c.Arrays[name].Data) == 0 && m.Rows > 0 {
			text += " (learned from more rows than are kept: inlier outliers MODEL DATA tells the weight of each)"
		}
		list = append(list, "  "+name, text)
	}
	a.pairs(list...)
	for _, w := range m.Warnings {
		fmt.Fprintln(a.out, "\nwarning: "+w)
	}
}
