package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier/loss"
)

func lossesCommand(a *app) *cobra.Command {
	var brief bool
	c := &cobra.Command{
		Use:   "losses [NAME]",
		Short: "Every loss with its formula, parameters, defaults, ranges and paper",
		Long: `Every loss that --loss takes. A loss is written as its name and parameters:

  welsch    kmpe:p=2,sigma=auto    huber:c=1.345    gm:p=0.4,delta=0.01

` + "`inlier plot loss` draws losses and their weights." + `
`,
		Example: `  inlier losses --brief
  inlier losses kmpe`,
		Args: arguments("[NAME]"),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return lossNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			list := loss.Losses()
			if len(args) == 1 {
				info, err := loss.Lookup(args[0])
				if err != nil {
					return badInput(err, "inlier losses lists them")
				}
				if a.json {
					return a.printJSON(info)
				}
				list = []loss.Info{info}
			}
			if a.json {
				return a.printJSON(list)
			}
			for i, info := range list {
				if brief {
					fmt.Fprintf(a.out, "%-8s %s\n", info.Name, info.Summary)
					continue
				}
				if i > 0 {
					fmt.Fprintln(a.out)
				}
				a.showLoss(info)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&brief, "brief", false, "one line per loss")
	return c
}

func lossNames() []string {
	var names []string
	for _, info := range loss.Losses() {
		names = append(names, info.Name+"\t"+info.Summary)
	}
	return names
}

func (a *app) showLoss(info loss.Info) {
	fmt.Fprintf(a.out, "%s: %s\n", a.bold(info.Name), info.Summary)
	if len(info.Aliases) > 0 {
		fmt.Fprintf(a.out, "  also called  %s\n", strings.Join(info.Aliases, ", "))
	}
	fmt.Fprintf(a.out, "  rho(s)       %s\n  weight(s)    %s\n", info.Rho, info.Weight)
	for _, p := range info.Parameters {
		fmt.Fprintf(a.out, "  %-12s default %s, %s; %s\n", p.Name, p.DefaultText(), p.Range(), p.Meaning)
	}
	fmt.Fprintf(a.out, "  descends     %s\n", info.Descends)
	for _, note := range info.Notes {
		fmt.Fprintf(a.out, "  note         %s\n", note)
	}
	fmt.Fprintf(a.out, "  paper        %s\n", info.Paper)
}
