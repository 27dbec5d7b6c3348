package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/report"
	"github.com/inlier-ml/inlier/tune"
)

// compareRequest is what `compare` was asked for.
type compareRequest struct {
	inlier.Compare
	data dataFlags
	sets []string
	out  string
}

// aboutContest is for the help text of compare.
const aboutContest = `With --target, methods that learn the target are compared instead: in every repeat all of them learn
from the same training rows and are judged on the same test rows; --corrupt dirties the training
rows only. The table has mean and spread over the repeats, mean ranks, and a paired test against the
best with the correction of Nadeau and Bengio for overlapping training rows, adjusted for the number of
methods (Holm).`

func compareCommand(a *app) *cobra.Command {
	var r compareRequest
	c := &cobra.Command{
		Use:   "compare DATA...",
		Short: "Classical and robust methods side by side on your own data",
		Long: `Fit the classical and the robust PCA methods to your own data and set them side by side: variance
explained of all rows and of the regular rows, outliers, effective sample size, and the angle
between each subspace and that of the default method, ` + catalog.Default() + `.

With --corrupt the data are dirtied first, and the table tells how well each method still
reconstructs the rows that stayed clean: their mean and their median distance, which does not
mind outliers that were there before. A --target column is set apart when only PCA methods are named.

Images and tensors: name their methods with --methods; all get the rank of ` + catalog.Lineups()[1].References[0] + `, one-sided
methods on the second side only, so that they keep more numbers.

` + aboutContest + `

` + aboutData,
		Example: `  inlier compare sales.csv
  inlier compare sales.csv --set components=3 --corrupt rows:0.2 --out compare.html
  inlier compare faces/ --methods 2dsvd,r1-2dsvd,corr-2dsvd --corrupt dummy:30 --out faces.html
  inlier compare wine.csv --target class --corrupt label:0.2 --out wine.html`,
		Args: arguments("DATA..."),
		RunE: func(c *cobra.Command, args []string) error {
			return a.compare(c.Context(), args, r)
		},
	}
	f := c.Flags()
	f.StringSliceVar(&r.Methods, "methods", nil, "methods to compare, separated by commas (default: the PCA family, or those that learn the target)")
	f.StringArrayVar(&r.sets, "set", nil, "parameter for every method that has it, key=value; may be repeated")
	f.StringVar(&r.Corrupt, "corrupt", "", "dirty the data first, such as rows:0.2; inlier data corrupt lists the kinds")
	f.StringVarP(&r.out, "out", "o", "", "report to write: "+reportNames)
	f.IntVar(&r.Repeats, "repeats", 10, "with --target: random divisions into training and test rows")
	f.Float64Var(&r.Test, "test", 0.25, "with --target: share of the rows to test on")
	f.StringVar(&r.Group, "group", "", "with --target: column whose equal values stay on one side; it is not learned from")
	f.BoolVar(&r.Together, "together", false, "with --target: keep rows with the same numbers on one side")
	f.StringVar(&r.Metric, "metric", "", "with --target: what ranks: "+tune.MetricNames())
	f.BoolVar(&r.Tune, "tune", false, "with --target: choose every method's parameters by cross-validation on the training rows")
	r.data.register(c)
	return c
}

// check refuses what cannot be done before data are read.
func (r *compareRequest) check(a *app, paths []string) (err error) {
	a.reads(append(paths, r.data.Labels)...)
	if err := a.plansReport(r.out); err != nil {
		return err
	}
	if r.Parameters, err = catalog.ParseSettings(r.sets); err != nil {
		return err
	}
	switch r.Data.Target = r.data.Target; {
	case !r.Learns():
	case r.Repeats < 1:
		return usage("at least 1 is needed", "--repeats %d is not allowed", r.Repeats)
	case !(r.Test > 0 && r.Test < 1):
		return usage("it is a share above 0 and below 1", "--test %g is not allowed", r.Test)
	}
	return nil
}

func (a *app) compare(ctx context.Context, paths []string, r compareRequest) error {
	err := r.check(a, paths)
	if err != nil {
		return err
	}
	if r.Data, err = a.data(r.data, paths...); err != nil {
		return err
	}
	r.Seed = a.seed
	watch, done := a.observe("compare")
	result, err := r.Run(ctx, watch)
	done()
	if err != nil {
		return err
	}
	if err := a.storeReport(ctx, r.out, result, result.Table(true), func() (*report.Page, error) { return result.Page(ctx) }); err != nil {
		return err
	}
	if a.json {
		return a.printJSON(result)
	}
	a.showComparison(result)
	if err := a.printTable(result.Table(false), false); err != nil {
		return err
	}
	if s := result.Standing; s != nil {
		for _, m := range s.Methods {
			if m.Failure != "" {
				fmt.Fprintf(a.out, "%s failed: %s\n", m.Label, words.OneLine(m.Failure))
			}
		}
	}
	if r.out != "" {
		a.note("report written to %s", r.out)
	}
	return nil
}

// plansReport is plans for a report: a page, or a table of results.
func (a *app) plansReport(out string) error {
	if hasAnyEnding(out, ".html") {
		return a.plans("--out", out, pictureFile(out))
	}
	if out != "" && !hasAnyEnding(out, resultEndings...) {
		return usage("the name ends in "+reportNames, "--out %s: no report has this ending", out)
	}
	return a.plans("--out", out, perhapsTable(out))
}

// storeReport writes a result in the format that the name of the file tells.
func (a *app) storeReport(ctx context.Context, out string, result any, table *report.Table, page func() (*report.Page, error)) error {
	switch {
	case out == "":
		return nil
	case hasAnyEnding(out, ".html"):
		made, err := page()
		if err != nil {
			return err
		}
		return a.writePage(ctx, out, made)
	case hasAnyEnding(out, ".json"):
		return a.storeJSON(ctx, out, result)
	}
	return a.storeTable(ctx, out, table)
}

// showComparison prints what was compared.
func (a *app) showComparison(result *inlier.CompareResult) {
	if r := result.Standing; r != nil {
		fmt.Fprintf(a.out, "%s: %s x %s, target %s (%s), %s of %d training and %d test rows\n", a.bold(r.Data), plural(r.Rows, "row"), plural(r.Columns, "column"), r.Target,
			r.Task, plural(r.Repeats, "repeat"), r.Train, r.Test)
		if r.Corrupt != "" {
			fmt.Fprintf(a.out, "training rows dirtied by %s: %s of %d hit\n", r.Corrupt, short(float64(r.Hit)), r.Train)
		}
		return
	}
	r := result.Reduced
	fmt.Fprintf(a.out, "%s: %s x %s, %s\n", a.bold(r.Data), plural(r.Rows, "row"), plural(r.Columns, "column"), r.Kept())
	if r.Corrupt != "" {
		fmt.Fprintf(a.out, "dirtied by %s: %s hit\n", r.Corrupt, plural(r.Hit, "row"))
	}
}
