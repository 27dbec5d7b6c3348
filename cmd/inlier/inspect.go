package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier/model"
)

func inspectCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "inspect MODEL",
		Short:   "What is inside a model file",
		Long:    "Show what is inside a model file, after checking that it is whole.\nAny program that reads NumPy's .npz can open the same file.",
		Example: "  inlier inspect sales.npz",
		Args:    arguments("MODEL"),
		RunE: func(_ *cobra.Command, args []string) error {
			c, err := a.readModel(args[0])
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(struct {
					Path  string `json:"path"`
					Bytes int64  `json:"bytes"`
					model.Meta
				}{c.Path, c.Bytes, c.Meta})
			}
			a.showContents(c)
			return nil
		},
	}
}

// readModel reads and checks a model file; "-" is standard input.
func (a *app) readModel(path string) (*model.Contents, error) {
	if path != "-" {
		return model.Inspect(path)
	}
	if err := a.standardInput(path); err != nil {
		return nil, err
	}
	const most = 1 << 31
	b, err := io.ReadAll(io.LimitReader(a.in, most+1))
	if err != nil {
		return nil, err
	}
	if len(b) > most {
		return nil, usage("give the name of the file instead", "standard input: a model of more than %s is refused", size(most))
	}
	return model.Read(strings.NewReader(string(b)), int64(len(b)), "standard input")
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
	list = append(list, "outliers", plural(m.Outliers, "training row"), "seed", strconv.FormatUint(m.Seed, 10))
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
		list = append(list, "  "+name, shapeText(c.Arrays[name].Shape))
	}
	a.pairs(list...)
	for _, w := range m.Warnings {
		fmt.Fprintln(a.out, "\nwarning: "+w)
	}
}

// shorten joins names and leaves out the middle of long lists.
func shorten(names []string, most int) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s, ..., %s (%d)", strings.Join(names[:most-1], ", "), names[len(names)-1], len(names))
}

// shapeText writes a shape as 64x64x3.
func shapeText(shape []int) string {
	if len(shape) == 0 {
		return "single number"
	}
	parts := make([]string, len(shape))
	for i, n := range shape {
		parts[i] = strconv.Itoa(n)
	}
	return strings.Join(parts, "x")
}
