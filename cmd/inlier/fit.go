package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/report"
)

// fitRequest is what `fit` was asked for.
type fitRequest struct {
	sets []string
	out  string
	data dataFlags

	loss, checkpoint string
	resume           bool
}

func fitCommand(a *app) *cobra.Command {
	var r fitRequest
	c := &cobra.Command{
		Use:   "fit METHOD DATA...",
		Short: "Fit a method to data and save the model",
		Long: `Fit a method to data, save the model, and tell how the fit ended and which rows are outliers.
A fit in blocks (--memory) with --checkpoint or --resume goes on from its last whole reading when the same command is given
again after an interruption, and ends in the same model. The file goes away when the model is saved.

` + aboutData,
		Example: `  inlier fit pca-robust sales.csv --out sales.npz
  inlier fit pca-kmpe hbk.csv --target y --set components=2 --set sigma=silverman --json
  inlier fit pca-robust spectra.parquet --loss huber:c=1.345`,
		Args: arguments("METHOD", "DATA..."),
		ValidArgsFunction: func(c *cobra.Command, args []string, to string) ([]string, cobra.ShellCompDirective) {
			return completeMethod(c, args, to)
		},
		RunE: func(c *cobra.Command, args []string) error { return a.fit(c.Context(), args[0], args[1:], r) },
	}
	f := c.Flags()
	f.StringArrayVar(&r.sets, "set", nil, "parameter of the method, key=value; may be repeated")
	f.StringVar(&r.loss, "loss", "", "loss of the methods that take one; inlier losses lists them")
	f.StringVarP(&r.out, "out", "o", "", "model file to write (default DATA.METHOD.npz in this folder, METHOD.npz for several files)")
	f.StringVar(&r.checkpoint, "checkpoint", "", "file that keeps what each reading of a table in blocks has found; an interrupted fit goes on from it")
	f.BoolVar(&r.resume, "resume", false, "go on from the checkpoint, or begin; without --checkpoint that is the model's name with .checkpoint")
	r.data.register(c)
	bounded(c, &r.data.memory)
	_ = c.RegisterFlagCompletionFunc("loss", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return lossNames(), cobra.ShellCompDirectiveNoFileComp
	})
	return c
}

func (a *app) fit(ctx context.Context, name string, paths []string, r fitRequest) error {
	if r.out == "" {
		r.out = defaultModelPath(paths, name)
	}
	params, err := catalog.ParseSettings(r.sets)
	if err != nil {
		return err
	}
	if _, err := catalog.Lookup(name); err != nil { // also of no name at all
		return err
	}
	job := inlier.Fit{Method: name, Parameters: params, Loss: r.loss, Seed: a.seed, Checkpoint: r.checkpoint}
	if err := job.Check(); err != nil {
		return err
	}
	if r.resume && r.checkpoint == "" && r.out != "-" {
		job.Checkpoint = r.out + ".checkpoint"
	}
	a.reads(append(paths, r.data.Labels)...)
	if err = a.plans("--out", r.out, modelFile); err == nil {
		err = a.plans("--checkpoint", job.Checkpoint, anyFile) // what is no checkpoint is refused later
	}
	if err != nil {
		return err
	}
	if r.out == "-" && a.json {
		return usage("give --out a file name", "--out - and --json both write to standard output")
	}
	if job.Data, err = a.data(r.data, paths...); err != nil {
		return err
	}
	watch, done := a.observe(name)
	result, err := job.Run(ctx, watch)
	done()
	if _, missing := os.Stat(job.Checkpoint); missing == nil {
		a.left.Say("finished readings are kept in %s; the same command goes on from there", job.Checkpoint)
	}
	if err != nil {
		return err
	}
	result.Model = r.out
	if err = a.saveModel(ctx, r.out, result.Fitted()); err == nil {
		err = result.Forget()
	}
	if err != nil {
		return err
	}
	switch {
	case a.json:
		return a.printJSON(result)
	case r.out != "-":
		return a.showFit(result)
	}
	return nil
}

// saveModel writes a model file, or the same bytes to standard output.
func (a *app) saveModel(ctx context.Context, path string, m inlier.Model) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if path == "-" {
		return m.Write(a.out)
	}
	if err := a.mayReplace(path, modelFile); err != nil {
		return err
	}
	return a.wrote(path, m.Save(path))
}

// defaultModelPath names the model of data fitted by a method: sales.pca-robust.npz.
func defaultModelPath(data []string, method string) string {
	base := filepath.Base(filepath.Clean(data[0]))
	if len(data) > 1 || data[0] == "-" || strings.ContainsAny(base, "*?[") || base == "." || base == string(filepath.Separator) {
		return method + ".npz"
	}
	base = strings.TrimSuffix(base, ".gz")
	return strings.TrimSuffix(base, filepath.Ext(base)) + "." + method + ".npz"
}

// showFit prints the result of a fit for people.
func (a *app) showFit(r *inlier.FitResult) error {
	fmt.Fprintf(a.out, "%s on %s: %s x %s\n", a.bold(r.Method), r.Data, plural(r.Rows, "row"), plural(r.Columns, "column"))
	list := []string{"status", fmt.Sprintf("%s after %s", r.Status, plural(r.Steps, "step")), "loss", shortened(r.Loss)}
	if !isNaN(r.Objective) {
		list = append(list, "objective", short(float64(r.Objective)))
	}
	if !isNaN(r.Effective) {
		list = append(list, "effective sample size", fmt.Sprintf("%s of %d", short(float64(r.Effective)), r.Rows))
	}
	found := strconv.Itoa(r.Outliers) + " of " + plural(r.Rows, "row")
	switch {
	case len(r.OutlierIDs) > 0:
		found += ": " + named(r.OutlierRows, r.OutlierIDs, 16)
	case len(r.OutlierRows) > 0:
		found += ": " + ranges(r.OutlierRows, 16)
	}
	figures, tables := report.Figures(r.Numbers)
	list = append(append(list, "outliers", found), figures...)
	var used []string
	for _, name := range slices.Sorted(maps.Keys(r.Parameters)) {
		used = append(used, name+"="+r.Parameters[name])
	}
	list = append(list,
		"parameters", shortened(strings.Join(used, " ")),
		"time", fmt.Sprintf("read %s, fit %s", seconds(r.ReadSeconds), seconds(r.FitSeconds)),
		"peak memory", size(r.PeakMemory))
	if r.Memory > 0 {
		list = append(list, "read in blocks", r.Readings())
	}
	list = append(list,
		"backend", r.Backend,
		"model", r.Model)
	a.pairs(list...)
	for _, table := range tables {
		fmt.Fprintln(a.out)
		if err := a.printTable(table, false); err != nil {
			return err
		}
	}
	for _, w := range r.Warnings {
		fmt.Fprintln(a.out, "warning: "+w)
	}
	return nil
}
