package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier/report"
)

// plotKind is one kind of picture.
type plotKind struct {
	name    string
	takes   []string // arguments; one that ends in ... may be repeated
	shows   string   // one line
	of      string   // which models or methods have it
	long    string   // what else there is to know
	example string
	fits    func(m *opened) bool // whether a model has such a picture; nil: it takes no model
	flags   func(c *cobra.Command, r *plotRequest)
	draw    func(ctx context.Context, a *app, r *plotRequest, args []string) (*drawing, error)
}

// plotKinds are all of them, in the order of the list.
func plotKinds() []plotKind {
	return slices.Concat(
		[]plotKind{componentsKind(), centersKind(), stripsKind(), residualMapKind(), sweepKind()},
		fitKinds(), clusterKinds(), []plotKind{outlierMapKind()}, curveKinds(), lossKinds())
}

// plotRequest is what `plot KIND` was asked for; each kind has flags for some of it.
type plotRequest struct {
	data    dataFlags
	out     string
	rows    string   // which rows, from 1
	count   int      // how many
	corrupt string   // dirt
	grid    []string // parameters to vary
	sets    []string // parameters that stay
	loss    string
	measure string // kind of error
	reach   float64
}

// drawing is a finished picture before it is written.
type drawing struct {
	title    string
	lead     string
	sections []curveSection
	table    *report.Table // printed as well; may be nil
	result   any           // the numbers behind it, for --json
}

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
	for _, k := range plotKinds() {
		c.AddCommand(a.kindCommand(k))
	}
	return c
}

// kindCommand makes the command of a kind.
func (a *app) kindCommand(k plotKind) *cobra.Command {
	var r plotRequest
	long := strings.ToUpper(k.shows[:1]) + k.shows[1:] + ". For " + k.of + "."
	if k.long != "" {
		long += "\n\n" + k.long
	}
	c := &cobra.Command{
		Use:     k.name + " " + strings.Join(k.takes, " "),
		Short:   strings.ToUpper(k.shows[:1]) + k.shows[1:],
		Example: "  " + k.example,
		Args: func(c *cobra.Command, args []string) error {
			if repeated := slices.IndexFunc(k.takes, func(t string) bool { return strings.HasSuffix(t, "...") }); repeated >= 0 && len(args) > len(k.takes) {
				return nil
			}
			return arguments(k.takes...)(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error { return a.plot(c.Context(), k, &r, args) },
	}
	c.Flags().StringVarP(&r.out, "out", "o", "", "picture to write: .svg, .png, .pdf or .html; - is standard output as SVG (default "+k.name+".svg in this folder)")
	if k.flags != nil {
		k.flags(c, &r)
	}
	if k.takes[len(k.takes)-1] == "DATA" {
		if k.fits != nil {
			long += "\n\n" + aboutMatching
		} else {
			long += "\n\n" + aboutData
		}
		r.data.register(c)
	}
	c.Long = long
	return c
}

func (a *app) plot(ctx context.Context, k plotKind, r *plotRequest, args []string) error {
	switch {
	case r.out == "":
		r.out = k.name + ".svg"
	case r.out == "-" && a.json:
		return usage("give --out a file name", "--out - and --json both write to standard output")
	}
	if r.out != "-" {
		a.reads(append(args, r.data.Labels)...)
		if err := a.plansPicture("--out", r.out); err != nil {
			return err
		}
	}
	d, err := k.draw(ctx, a, r, args)
	if err != nil {
		return err
	}
	data, err := d.render(r.out, "inlier plot "+k.name)
	if err != nil {
		return err
	}
	if err := a.writeBytes(ctx, r.out, data); err != nil || r.out == "-" {
		return err
	}
	switch {
	case a.json:
		return a.printJSON(struct {
			Kind   string `json:"kind"`
			Out    string `json:"out"`
			Title  string `json:"title"`
			Result any    `json:"result"`
		}{k.name, r.out, d.title, d.result})
	case d.table != nil:
		if err := a.printTable(d.table, false); err != nil {
			return err
		}
	}
	a.note("picture written to %s", r.out)
	return nil
}

// render makes the bytes of the file.
func (d *drawing) render(path, command string) ([]byte, error) {
	page := &report.Page{Title: d.title, Lead: d.lead, Footer: "Made by `" + command + "`."}
	var charts []*report.Chart
	for _, s := range d.sections {
		charts = append(charts, s.chart)
		shown := *s.chart
		heading := shown.Title
		shown.Title = "" // the section says it
		if heading == d.title {
			heading = "" // the page says it
		}
		text := s.text
		if text == d.lead {
			text = ""
		}
		page.Add(heading, text, &shown)
	}
	if d.table != nil {
		page.Add("Numbers", "", d.table)
	}
	if path == "-" {
		path = ".svg"
	}
	if len(charts) == 1 && charts[0].Note == "" && !hasAnyEnding(path, ".html") {
		charts[0].Note = d.sections[0].text
	}
	return render(path, page, charts...)
}

// shortName is the name of data without its folder, for titles.
func shortName(name string) string {
	if name = strings.TrimRight(name, `/\`); name == "" {
		return "data"
	}
	return name[strings.LastIndexAny(name, `/\`)+1:]
}

// modelFor reads a model and refuses one that has no such picture.
func (a *app) modelFor(kind, path string) (*opened, error) {
	m, err := a.loadModel(path)
	if err != nil {
		return nil, err
	}
	var fitting []string
	for _, k := range plotKinds() {
		if k.fits != nil && k.fits(m) {
			fitting = append(fitting, k.name)
		}
	}
	if !slices.Contains(fitting, kind) {
		return nil, usage("this model has "+strings.Join(fitting, ", "), "%s: a %s model has no picture of kind %q", path, m.about.Method, kind)
	}
	return m, nil
}

// modelsFor reads several models of the same columns. Equal methods are told apart by the
// names of their files.
func (a *app) modelsFor(kind string, paths []string) (models []*opened, names []string, err error) {
	seen := map[string]int{}
	for _, path := range paths {
		m, err := a.modelFor(kind, path)
		if err != nil {
			return nil, nil, err
		}
		models = append(models, m)
		seen[m.about.Method]++
	}
	files := map[string]int{}
	for _, path := range paths {
		files[shortName(path)]++
	}
	for i, m := range models {
		name := m.about.Method
		if seen[name] > 1 {
			name = shortName(paths[i])
			if files[name] > 1 { // of different folders
				name = paths[i]
			}
		}
		names = append(names, name)
	}
	return models, names, nil
}

// sameColumns refuses models that were not fitted to the same columns.
func sameColumns(models []*opened, paths []string) error {
	for i, m := range models[1:] {
		if m.about.Columns != models[0].about.Columns {
			return usage("models in one picture are fitted to the same columns", "%s was fitted to %s, %s to %d", paths[0], plural(models[0].about.Columns, "column"), paths[i+1], m.about.Columns)
		}
		if !m.input.Unnamed && !models[0].input.Unnamed && !slices.Equal(m.about.ColumnNames, models[0].about.ColumnNames) {
			return usage("models in one picture are fitted to the same columns", "%s and %s were fitted to columns of different names or order", paths[0], paths[i+1])
		}
	}
	return nil
}

func plotListCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "list [MODEL]",
		Short: "Every kind of picture, or those that a model has",
		Long:  "List every kind of picture with what it shows, which models have it and an example; with MODEL only the kinds that this model has.",
		Example: `  inlier plot list
  inlier plot list sales.npz`,
		Args: arguments("[MODEL]"),
		RunE: func(_ *cobra.Command, args []string) error {
			kinds := plotKinds()
			if len(args) == 1 {
				m, err := a.loadModel(args[0])
				if err != nil {
					return err
				}
				kinds = slices.DeleteFunc(kinds, func(k plotKind) bool { return k.fits == nil || !k.fits(m) })
			}
			return a.listKinds(kinds)
		},
	}
}

func (a *app) listKinds(kinds []plotKind) error {
	type view struct {
		Kind    string `json:"kind"`
		Shows   string `json:"shows"`
		Of      string `json:"of"`
		Takes   string `json:"takes"`
		Example string `json:"example"`
	}
	list := []view{}
	for _, k := range kinds {
		list = append(list, view{k.name, k.shows, k.of, strings.Join(k.takes, " "), k.example})
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
