package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/plot"
)

func plotCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "plot KIND ...",
		Short: "Pictures of models, data and losses; `inlier plot list` tells which",
		Long: `Draw a picture of a model, of what it makes of data, of a method over its parameters, or of a loss.

The ending of --out chooses the form: .svg, .png, .pdf, or .html for a page with explanations.
--json prints the numbers behind the picture.`,
		Example: `  inlier plot list
  inlier plot components faces.npz --out eigenfaces.png
  inlier plot sweep pca,pca-robust faces/ --grid components=5,10,20 --corrupt occlusion:0.2`,
		Args: noSuchCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(plotListCommand(a))
	for _, k := range plot.Kinds() {
		c.AddCommand(a.kindCommand(k))
	}
	return c
}

// plotArguments are the arguments of a kind; one that ends in ... may be repeated.
func plotArguments(k plot.Kind) []string {
	takes := map[plot.Subject]string{plot.OfModels: "MODEL", plot.OfMethods: "METHODS", plot.OfLosses: "LOSS"}[k.Needs.Subject]
	if k.Needs.Several && k.Needs.Subject != plot.OfMethods { // methods are separated by commas
		takes += "..."
	}
	if k.Needs.Data {
		return []string{takes, "DATA..."}
	}
	return []string{takes}
}

// plotExample is a command line.
func plotExample(k plot.Kind) string {
	text := "inlier plot " + k.Name + " " + k.Example.Of
	for _, w := range k.Example.With {
		text += " --" + w[0] + " " + w[1]
	}
	return text + " --out " + k.Example.Out
}

// kindCommand makes the command of a kind.
func (a *app) kindCommand(k plot.Kind) *cobra.Command {
	var data dataFlags
	var out string
	takes := plotArguments(k)
	shows := strings.ToUpper(k.Shows[:1]) + k.Shows[1:]
	c := &cobra.Command{
		Use:     k.Name + " " + strings.Join(takes, " "),
		Short:   shows,
		Long:    shows + ". For " + k.Of + ".",
		Example: "  " + plotExample(k),
		Args:    arguments(takes...),
	}
	c.Flags().StringVarP(&out, "out", "o", "", "picture to write: "+pictureNames+"; - is standard output as SVG (default "+k.Name+".svg in this folder)")
	params := plotFlags(c, k.Params)
	if k.About != "" {
		c.Long += "\n\n" + k.About
	}
	if k.Needs.Data {
		if k.Needs.Subject == plot.OfModels {
			c.Long += "\n\n" + aboutMatching
		} else {
			c.Long += "\n\n" + aboutData
		}
		data.register(c)
	}
	switch k.Needs.Subject {
	case plot.OfMethods:
		c.ValidArgsFunction = completeMethod
	case plot.OfLosses:
		c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return lossNames(), cobra.ShellCompDirectiveNoFileComp
		}
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		return a.plot(c.Context(), k, inlier.Plot{Params: params()}, args, data, out)
	}
	return c
}

// plotFlags makes a flag of each parameter and returns what reads those that were given.
func plotFlags(c *cobra.Command, list []plot.Param) func() plot.Params {
	f := c.Flags()
	for _, p := range list {
		text := p.Meaning
		switch {
		case p.Default == "":
		case p.Default[0] >= '0' && p.Default[0] <= '9':
			text += " (default " + p.Default + ")"
		default:
			text += " (default: " + p.Default + ")"
		}
		switch {
		case p.Several:
			f.StringArray(p.Name, nil, text)
		case p.Kind == catalog.Integer:
			f.Int(p.Name, 0, text)
		case p.Kind == catalog.Number:
			f.Float64(p.Name, 0, text)
		default:
			f.String(p.Name, "", text)
		}
		if p.Choices != nil {
			_ = c.RegisterFlagCompletionFunc(p.Name, cobra.FixedCompletions(p.Choices, cobra.ShellCompDirectiveNoFileComp))
		}
	}
	return func() plot.Params {
		given := plot.Params{}
		for _, p := range list {
			flag := f.Lookup(p.Name)
			if many, ok := flag.Value.(pflag.SliceValue); ok {
				for _, v := range many.GetSlice() {
					given.Set(p.Name, v)
				}
			} else if flag.Changed {
				given.Set(p.Name, flag.Value.String())
			}
		}
		return given
	}
}

// plot draws a picture and writes it.
func (a *app) plot(ctx context.Context, k plot.Kind, job inlier.Plot, args []string, data dataFlags, out string) error {
	switch {
	case out == "":
		out = k.Name + ".svg"
	case out == "-" && a.json:
		return usage("give --out a file name", "--out - and --json both write to standard output")
	}
	if out != "-" {
		a.reads(append(args, data.Labels)...)
		if err := a.plansPicture("--out", out); err != nil {
			return err
		}
	}
	job.Kind, job.Seed = k.Name, a.seed
	if err := a.plotRequest(&job, k.Needs, args, data); err != nil {
		return err
	}
	observe, done := a.observe(k.Name)
	made, err := job.Run(ctx, observe)
	done()
	if err != nil {
		return err
	}
	format := pictureFormat(out)
	if out == "-" {
		format = "svg"
	}
	file, err := made.Drawing.Encode(format, "inlier plot "+k.Name)
	if err != nil {
		return err
	}
	if err := a.writeBytes(ctx, out, file); err != nil || out == "-" {
		return err
	}
	switch {
	case a.json:
		return a.printJSON(struct {
			Kind   string `json:"kind"`
			Out    string `json:"out"`
			Title  string `json:"title"`
			Result any    `json:"result"`
		}{made.Kind, out, made.Title, made.Result})
	case made.Drawing.Table != nil:
		if err := a.printTable(made.Drawing.Table, false); err != nil {
			return err
		}
	}
	a.note("picture written to %s", out)
	return nil
}

// plotRequest reads what a picture is of from the arguments.
func (a *app) plotRequest(job *inlier.Plot, needs plot.Needs, args []string, data dataFlags) (err error) {
	if needs.Data {
		first := 1 // of the files with data: what follows the models
		for needs.Several && needs.Subject == plot.OfModels && first < len(args)-1 && modelFile.At(args[first]) {
			first++
		}
		if job.Data, err = a.data(data, args[first:]...); err != nil {
			return err
		}
		args = args[:first]
	}
	switch needs.Subject {
	case plot.OfModels:
		for _, path := range args {
			m, err := a.model(path)
			if err != nil {
				return err
			}
			job.Models = append(job.Models, m)
		}
	case plot.OfMethods:
		for name := range strings.SplitSeq(args[0], ",") {
			job.Names = append(job.Names, strings.TrimSpace(name))
		}
	default:
		job.Names = args
	}
	return nil
}

// plotListCommand lists the kinds.
func plotListCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "list [MODEL]",
		Short: "Every kind of picture, or those that a model has",
		Long:  "List every kind of picture with what it shows, which models have it and an example; with MODEL only the kinds that this model has.",
		Example: `  inlier plot list
  inlier plot list sales.npz`,
		Args: arguments("[MODEL]"),
		RunE: func(_ *cobra.Command, args []string) error {
			kinds := plot.Kinds()
			if len(args) == 1 {
				request, err := a.model(args[0])
				if err != nil {
					return err
				}
				m, err := request.Open()
				if err != nil {
					return err
				}
				kinds = plot.For(m.Model)
			}
			return a.listKinds(kinds)
		},
	}
}

func (a *app) listKinds(kinds []plot.Kind) error {
	type view struct {
		Kind    string `json:"kind"`
		Shows   string `json:"shows"`
		Of      string `json:"of"`
		Takes   string `json:"takes"`
		Example string `json:"example"`
	}
	list := []view{}
	for _, k := range kinds {
		list = append(list, view{k.Name, k.Shows, k.Of, strings.Join(plotArguments(k), " "), plotExample(k)})
	}
	if a.json {
		return a.printJSON(list)
	}
	for _, k := range list {
		fmt.Fprintf(a.out, "%s  %s\n", a.bold(fmt.Sprintf("%-14s", k.Kind)), k.Shows)
		fmt.Fprintf(a.out, "%16sfor %s\n%16s%s\n", "", k.Of, "", k.Example)
	}
	return nil
}
