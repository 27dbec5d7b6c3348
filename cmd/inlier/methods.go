package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/report"
)

func methodsCommand(a *app) *cobra.Command {
	var brief bool
	c := &cobra.Command{
		Use:   "methods [NAME]",
		Short: "Every method with its parameters, defaults, ranges and paper",
		Example: `  inlier methods --brief
  inlier methods pca-robust`,
		Args:              arguments("[NAME]"),
		ValidArgsFunction: completeMethod,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				m, err := catalog.Lookup(args[0])
				if err != nil {
					return err
				}
				if a.json {
					return a.printJSON(inlier.AboutMethod(m))
				}
				a.showMethod(m, true)
				return nil
			}
			if a.json {
				return a.printJSON(inlier.Methods())
			}
			a.listMethods(brief)
			return nil
		},
	}
	c.Flags().BoolVar(&brief, "brief", false, "one line per method")
	return c
}

func (a *app) listMethods(brief bool) {
	family := ""
	for i, m := range catalog.Methods() {
		if m.Family != family {
			if i > 0 && brief {
				fmt.Fprintln(a.out)
			}
			family = m.Family
			fmt.Fprintln(a.out, a.bold("family "+family))
		}
		if brief {
			fmt.Fprintf(a.out, "  %-17s %s\n", m.Name, m.Title)
			continue
		}
		fmt.Fprintln(a.out)
		a.showMethod(m, false)
		fmt.Fprintln(a.out)
	}
}

// showMethod prints one method; the long form has the text about it as well.
func (a *app) showMethod(m *catalog.Method, long bool) {
	fmt.Fprintf(a.out, "%s: %s\n", a.bold(m.Name), m.Title)
	if long && m.About != "" {
		fmt.Fprintln(a.out)
		a.paragraph("", m.About)
		fmt.Fprintln(a.out)
	}
	a.paragraph("  ", "paper: "+m.Paper)
	if m.Loss {
		fmt.Fprintf(a.out, "  --loss TEXT (default %s): any loss that `inlier losses` lists\n", m.Default)
	}
	if len(m.Params) > 0 {
		table := &report.Table{Columns: []report.Column{{Name: "parameter"}, {Name: "default", Align: report.Left}, {Name: "range"}, {Name: "meaning"}}}
		for _, p := range m.Params {
			table.Add(p.Name, p.Default, p.Range(), p.Meaning)
		}
		for line := range strings.Lines(table.Text(report.TextOptions{Width: a.width() - 2, Color: a.colour(a.out), ASCII: true})) {
			fmt.Fprint(a.out, "  ", line)
		}
	}
	if long {
		fmt.Fprintf(a.out, "\n%s\n  inlier fit %s DATA%s --out MODEL.npz\n", "example:", m.Name, exampleFlags(m))
	}
}

// exampleFlags are flags that make sense with the method, for an example.
func exampleFlags(m *catalog.Method) string {
	text := ""
	for _, t := range m.Tasks {
		if t == catalog.Regress || t == catalog.Classify {
			text = " --target COL"
		}
	}
	if len(m.Params) > 0 && m.Params[0].Default != "" {
		text += fmt.Sprintf(" --set %s=%s", m.Params[0].Name, m.Params[0].Default)
	}
	return text
}

// completeMethod completes the first argument with method names.
func completeMethod(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var names []string
	for _, m := range catalog.Methods() {
		names = append(names, m.Name+"\t"+m.Title)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
