package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strconv"

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

	loss, checkpoint, update string
	resume                   bool
	forget                   float64
}

func fitCommand(a *app) *cobra.Command {
	var r fitRequest
	c := &cobra.Command{
		Use:   "fit METHOD DATA... | fit --update MODEL DATA...",
		Short: "Fit a method to data and save the model",
		Long: `Fit a method to data, save the model, and tell how the fit ended and which rows are outliers.
A fit in blocks (--memory) with --checkpoint or --resume goes on from its last whole reading when the same command is given
again after an interruption, and ends in the same model. The file goes away when the model is saved.
With --update the rows are taken into a model that is there, all but those that are outliers to it; the method, its parameters, scales and
cut-offs are the model's. --forget SHARE lets the old rows count that much less, so that a model follows what changes slowly.

` + aboutData,
		Example: `  inlier fit pca-robust sales.csv --out sales.npz
  inlier fit pca-kmpe hbk.csv --target y --set components=2 --set sigma=silverman --json
  inlier fit pca-robust spectra.parquet --loss huber:c=1.345
  inlier fit --update sales.npz may.csv --forget 0.1 --out sales-may.npz`,
		ValidArgsFunction: completeMethod,
		RunE:              func(c *cobra.Command, args []string) error { return a.fit(c.Context(), args, r) },
	}
	f := c.Flags()
	f.StringArrayVar(&r.sets, "set", nil, "parameter of the method, key=value; may be repeated")
	f.StringVar(&r.loss, "loss", "", "loss of the methods that take one; inlier losses lists them")
	f.StringVar(&r.update, "update", "", "model that takes the rows into itself, in place of a fit to them alone")
	f.Float64Var(&r.forget, "forget", 0, "share of the old rows' say that an update gives up, from 0 up to below 1")
	f.StringVarP(&r.out, "out", "o", "", "model file to write (default DATA.METHOD.npz in this folder, METHOD.npz for several files)")
	f.StringVar(&r.checkpoint, "checkpoint", "", "file that keeps what each reading of a table in blocks has found; an interrupted fit goes on from it")
	f.BoolVar(&r.resume, "resume", false, "go on from the checkpoint, or begin; without --checkpoint that is the model's name with .checkpoint")
	r.data.register(c)
	bounded(c, &r.data.memory)
	f.StringVar(&r.data.Precision, "precision", "", "single: hold the table rounded to seven digits, in half the memory (default: double)")
	_ = c.RegisterFlagCompletionFunc("precision", cobra.FixedCompletions([]string{"single", "double"}, cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("loss", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return lossNames(), cobra.ShellCompDirectiveNoFileComp
	})
	return c
}

func (a *app) fit(ctx context.Context, args []string, r fitRequest) error {
	name, paths, err := inlier.MethodAndData(args, r.update != "")
	if err != nil {
		return err
	}
	if r.out == "" {
		r.out = inlier.ModelPath(paths, cmp.Or(name, "updated"))
	}
	params, err := catalog.ParseSettings(r.sets)
	if err != nil {
		return err
	}
	job := inlier.Fit{Method: name, Parameters: params, Loss: r.loss, Seed: a.seed, Checkpoint: r.checkpoint, Forget: r.forget}
	if r.update != "" {
		m, err := a.model(r.update)
		if job.Update = &m; err != nil {
			return err
		}
	}
	if err := job.Check(); err != nil {
		return err
	}
	if r.resume && r.checkpoint == "" && r.out != "-" {
		job.Checkpoint = r.out + ".checkpoint"
	}
	a.reads(append(paths, r.data.Labels, r.update)...)
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

// showFit prints the result of a fit for people.
func (a *app) showFit(r *inlier.FitResult) error {
	fmt.Fprintf(a.out, "%s on %s: %s x %s\n", a.bold(r.Method), r.Data, plural(r.Rows, "row"), plural(r.Columns, "column"))
	var list []string
	if r.Updated != nil {
		list = append(list, "update", r.Updated.Text())
	}
	list = append(list, "status", fmt.Sprintf("%s after %s", r.Status, plural(r.Steps, "step")), "loss", shortened(r.Loss))
	if !isNaN(r.Objective) {
		list = append(list, "objective", short(float64(r.Objective)))
	}
	if !isNaN(r.Effective) {
		list = append(list, "effective sample size", fmt.Sprintf("%s of %d", short(float64(r.Effective)), r.Rows))
	}
	found := strconv.Itoa(r.Outliers) + " of " + plural(r.Judged(), "row")
	switch {
	case len(r.OutlierIDs) > 0:
		found += ": " + named(r.OutlierRows, r.OutlierIDs, 16)
	case len(r.OutlierRows) > 0:
		found += ": " + ranges(r.OutlierRows, 16)
	}
	figures, tables := report.Figures(r.Numbers)
	list = append(append(list, "outliers", found), figures...)
	list = append(list,
		"parameters", shortened(r.Settings()),
		"time", fmt.Sprintf("read %s, fit %s", seconds(r.ReadSeconds), seconds(r.FitSeconds)),
		"peak memory", size(r.PeakMemory))
	if r.Single != nil {
		list = append(list, "single precision", r.Held())
	} else if r.Memory > 0 {
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
