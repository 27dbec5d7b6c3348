package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/tune"
)

// tuneRequest is what `tune` was asked for.
type tuneRequest struct {
	inlier.Tune
	data      dataFlags
	sets      []string
	out, plot string
	shown     int
}

func tuneCommand(a *app) *cobra.Command {
	var r tuneRequest
	c := &cobra.Command{
		Use:   "tune METHOD DATA...",
		Short: "Choose a method's parameters by cross-validation, then fit with the best",
		Long: `Try candidate parameters by cross-validation, rank them, fit the best to all rows and save that model.

Without --grid the parameters that matter most are varied over values that suit the data. A grid is
a list, key=a,b,c, or a range: lambda=1e-6..1e2:9log (nine values in equal steps of the logarithm),
hidden=20..200:10 (equal steps), components=1..5. Losses with commas are separated by semicolons.

All candidates meet the same folds. Classes are spread evenly over them. Validation rows are dirty
too, so regressions are ranked by an error that leaves out the quarter of rows that fits worst.
--resume keeps every finished fit in a file; the same command goes on where it was interrupted.

Metrics: ` + tune.MetricNames() + `; trimmed:0.1 leaves out a tenth.

` + aboutData,
		Example: `  inlier tune relm prices.csv --target price
  inlier tune elm-kmpe prices.csv --target price --grid hidden=50,100 --grid p=1,2,4 --repeats 3 --plot tune.html
  inlier tune regmaxcem wine.csv --target class --random 30 --halving --resume wine.tune --out wine.npz`,
		Args:              arguments("METHOD", "DATA..."),
		ValidArgsFunction: completeMethod,
		RunE:              func(c *cobra.Command, args []string) error { return a.tune(c.Context(), args[0], args[1:], r) },
	}
	f := c.Flags()
	f.StringArrayVar(&r.Grid, "grid", nil, "values of a parameter to try, key=a,b,c or key=low..high:count[log]; may be repeated")
	f.StringArrayVar(&r.sets, "set", nil, "parameter that all candidates share, key=value; may be repeated")
	f.StringVar(&r.Loss, "loss", "", "loss of the methods that take one; inlier losses lists them")
	f.IntVar(&r.Folds, "folds", 5, "parts that the rows are divided into")
	f.IntVar(&r.Repeats, "repeats", 1, "divide the rows anew so many times")
	f.IntVar(&r.Random, "random", 0, "try so many random settings instead of all combinations")
	f.BoolVar(&r.Halving, "halving", false, "begin with few rows; keep the better third as rows are tripled")
	f.StringVar(&r.Group, "group", "", "column whose equal values stay in one fold, by name or number; it is not learned from")
	f.BoolVar(&r.Together, "together", false, "keep rows with the same numbers in one fold")
	f.StringVar(&r.Metric, "metric", "", "what ranks: "+tune.MetricNames())
	f.BoolVar(&r.OneSE, "one-se", false, "choose the simplest candidate within one standard error of the best")
	f.StringVar(&r.Journal, "resume", "", "file that keeps finished fits; an interrupted search goes on from it")
	f.StringVarP(&r.out, "out", "o", "", "model file to write (default DATA.METHOD.npz in this folder, METHOD.npz for several files)")
	f.StringVar(&r.plot, "plot", "", "draw score against parameters: "+pictureNames)
	f.IntVar(&r.shown, "top", 10, "candidates to show; 0: all")
	r.data.register(c)
	return c
}

func (a *app) tune(ctx context.Context, name string, paths []string, r tuneRequest) error {
	r.Method, r.Seed = name, a.seed
	if err := r.check(); err != nil {
		return err
	}
	if r.out == "" {
		r.out = inlier.ModelPath(paths, name)
	}
	a.reads(append(paths, r.data.Labels)...)
	err := r.checkOutputs(a)
	if err != nil {
		return err
	}
	if r.Data, err = a.data(r.data, paths...); err != nil {
		return err
	}
	var last inlier.Event // of the search
	watch, done := a.observe("tune")
	result, err := r.Run(ctx, func(e inlier.Event) {
		if e.Phase == "search" {
			last = e
		}
		watch(e)
	})
	done()
	if ctx.Err() != nil && r.Journal != "" {
		if _, err := os.Stat(r.Journal); err == nil && last.Done > 0 {
			a.left.Say("%d of %d fits are kept in %s; the same command goes on from there", last.Done, last.Total, r.Journal)
		} else if err == nil {
			a.left.Say("no fit was finished; the same command goes on with %s", r.Journal)
		}
	}
	if err != nil {
		return err
	}
	result.Model, result.Plot = r.out, r.plot
	var picture []byte
	if r.plot != "" {
		if picture, err = render(r.plot, result.Page(), result.Charts()...); err != nil {
			return err
		}
	}
	if err := a.saveModel(ctx, r.out, result.Fitted()); err != nil {
		return err
	}
	if err := a.writeBytes(ctx, r.plot, picture); err != nil {
		return err
	}
	return a.printTuned(result, r.shown)
}

// check refuses what can be refused before data are read. Zeros are given, not left out.
func (r *tuneRequest) check() (err error) {
	if r.Parameters, err = catalog.ParseSettings(r.sets); err != nil {
		return err
	}
	if err := r.Check(); err != nil {
		return err
	}
	switch {
	case r.Folds == 0:
		return usage("at least 2 are needed", "--folds 0 is not allowed")
	case r.Repeats == 0:
		return usage("at least 1 is needed", "--repeats 0 is not allowed")
	case r.shown < 0:
		return usage("it is a number of candidates; 0: all", "--top %d is not allowed", r.shown)
	}
	return nil
}

// checkOutputs refuses outputs that cannot be written before any work is done.
func (r *tuneRequest) checkOutputs(a *app) error {
	if err := a.plans("--out", r.out, modelFile); err != nil {
		return err
	}
	if r.out == "-" && a.json {
		return usage("give --out a file name", "--out - and --json both write to standard output")
	}
	if err := a.plans("--resume", r.Journal, anyFile); err != nil { // what is no journal is refused there
		return err
	}
	return a.plansPicture("--plot", r.plot)
}

// printTuned prints the result for people or programs.
func (a *app) printTuned(r *inlier.TuneResult, shown int) error {
	found := r.Found
	if a.json {
		return a.printJSON(r)
	}
	if r.Model == "-" {
		return nil
	}
	fmt.Fprintf(a.out, "%s on %s: %s x %s, target %s, %s x %s\n", a.bold(r.Method), r.Data, plural(r.Rows, "row"), plural(r.Columns, "column"), r.Target,
		plural(r.Folds, "fold"), plural(r.Repeats, "repeat"))
	table := r.Table(shown)
	for i := range table.Notes {
		table.Notes[i] += "; --top 0 shows all"
	}
	if err := a.printTable(table, false); err != nil {
		return err
	}
	if failed := r.Failures(); failed != "" {
		fmt.Fprintln(a.out, failed)
	}
	best := found.Chosen()
	a.pairs("chosen", fmt.Sprintf("%s (%s)", best.Text(found.Axes), found.Rule),
		found.Metric.String(), fmt.Sprintf("%s, standard error %s: %s", short(best.Score), short(best.StandardError), found.Metric.Text),
		"fits", r.FitsText(),
		"on all rows", fmt.Sprintf("%s after %s, %s", r.Fit.Status, plural(r.Fit.Steps, "step"), plural(r.Fit.Outliers, "outlier")),
		"plot", r.Plot,
		"model", r.Model)
	if r.Unknown > 0 {
		fmt.Fprintf(a.out, "note: %s of validation rows held a category that no training row had\n", plural(r.Unknown, "cell"))
	}
	for _, w := range r.Fit.Warnings {
		fmt.Fprintln(a.out, "warning: "+w)
	}
	return nil
}
