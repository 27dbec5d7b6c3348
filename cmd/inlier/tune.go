package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/progress"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/model"
	"github.com/inlier-ml/inlier/report"
	"github.com/inlier-ml/inlier/tune"
)

// tuneRequest is what `tune` was asked for.
type tuneRequest struct {
	data           dataFlags
	grid, sets     []string
	loss           string
	folds, repeats int
	random         int
	halving, oneSE bool
	group, metric  string
	together       bool
	resume         string
	out, plot      string
	shown          int
}

func tuneCommand(a *app) *cobra.Command {
	var r tuneRequest
	c := &cobra.Command{
		Use:   "tune METHOD DATA",
		Short: "Choose a method's parameters by cross-validation, then fit with the best",
		Long: `Try candidate parameters by cross-validation, rank them, fit the best to all rows and save that model.

Without --grid the parameters that matter most are varied over values that suit the data. A grid is
a list, key=a,b,c, or a range: lambda=1e-6..1e2:9log (nine values in equal steps of the logarithm),
hidden=20..200:10 (equal steps), components=1..5. Losses with commas are separated by semicolons.

All candidates meet the same folds. Classes are spread evenly over them. Validation rows are dirty
too, so regressions are ranked by an error that leaves out the tenth of rows that fits worst.
--resume keeps every finished fit in a file; the same command goes on where it was interrupted.

Metrics: ` + metricNames() + `; trimmed:0.25 leaves out a quarter.

` + aboutData,
		Example: `  inlier tune relm prices.csv --target price
  inlier tune elm-kmpe prices.csv --target price --grid hidden=50,100 --grid p=1,2,4 --repeats 3 --plot tune.html
  inlier tune regmaxcem wine.csv --target class --random 30 --halving --resume wine.tune --out wine.npz`,
		Args: arguments("METHOD", "DATA"),
		ValidArgsFunction: func(c *cobra.Command, args []string, to string) ([]string, cobra.ShellCompDirective) {
			return completeMethod(c, args, to)
		},
		RunE: func(c *cobra.Command, args []string) error { return a.tune(c.Context(), args[0], args[1], r) },
	}
	f := c.Flags()
	f.StringArrayVar(&r.grid, "grid", nil, "values of a parameter to try, key=a,b,c or key=low..high:count[log]; may be repeated")
	f.StringArrayVar(&r.sets, "set", nil, "parameter that all candidates share, key=value; may be repeated")
	f.StringVar(&r.loss, "loss", "", "loss of the methods that take one; `inlier losses` lists them")
	f.IntVar(&r.folds, "folds", 5, "parts that the rows are divided into")
	f.IntVar(&r.repeats, "repeats", 1, "divide the rows anew so many times")
	f.IntVar(&r.random, "random", 0, "try so many random settings instead of all combinations")
	f.BoolVar(&r.halving, "halving", false, "begin with few rows; keep the better third as rows are tripled")
	f.StringVar(&r.group, "group", "", "column whose equal values stay in one fold, by name or number; it is not learned from")
	f.BoolVar(&r.together, "together", false, "keep rows with the same numbers in one fold")
	f.StringVar(&r.metric, "metric", "", "what ranks: "+metricNames())
	f.BoolVar(&r.oneSE, "one-se", false, "choose the simplest candidate within one standard error of the best")
	f.StringVar(&r.resume, "resume", "", "file that keeps finished fits; an interrupted search goes on from it")
	f.StringVarP(&r.out, "out", "o", "", "model file to write (default DATA.METHOD.npz in this folder)")
	f.StringVar(&r.plot, "plot", "", "draw score against parameters: .svg, .png, .pdf or .html")
	f.IntVar(&r.shown, "top", 10, "candidates to show; 0: all")
	r.data.register(c)
	return c
}

// metricNames lists the metrics for help texts.
func metricNames() string {
	var names []string
	for _, m := range tune.Metrics() {
		names = append(names, m.Name)
	}
	return strings.Join(names, ", ")
}

func (a *app) tune(ctx context.Context, name, path string, r tuneRequest) error {
	s, err := r.search(name)
	if err != nil {
		return err
	}
	if r.out == "" {
		r.out = defaultModelPath(path, name)
	}
	a.reads(path, r.data.Labels)
	if err := r.checkOutputs(a); err != nil {
		return err
	}
	set, groups, err := a.loadGrouped(ctx, path, r.data, r.group)
	if err != nil {
		return err
	}
	task, err := tune.TaskOf(s.Method, s.Fixed, set)
	if err != nil {
		return err
	}
	if s.Metric, err = tune.MetricFor(r.metric, task); err != nil {
		return err
	}
	s.Seed, s.Rules = a.seed, dataset.SplitRules{Groups: groups, Together: r.together}
	began := time.Now()
	found, err := a.search(ctx, s, set)
	if err != nil {
		return err
	}
	m, err := s.Refit(ctx, set, found.Chosen().Candidate, catalog.Run{Seed: a.seed})
	if err != nil {
		return err
	}
	result := newTuneResult(found, m, set, r, time.Since(began).Seconds(), a.seed)
	var picture []byte
	if r.plot != "" {
		if picture, err = render(r.plot, tunePage(result, found), tuneCharts(found)...); err != nil {
			return err
		}
	}
	if err := a.saveModel(ctx, r.out, inlier.Model{Value: m, Input: model.Input{Unnamed: set.Unnamed, Coder: set.Coder}}); err != nil {
		return err
	}
	if err := a.writeBytes(ctx, r.plot, picture); err != nil {
		return err
	}
	return a.printTuned(result, found, r)
}

// search checks what can be checked before data are read.
func (r *tuneRequest) search(name string) (tune.Search, error) {
	m, err := catalog.Lookup(name)
	if err != nil {
		return tune.Search{}, err
	}
	s := tune.Search{Method: m, Random: r.random, Halving: r.halving, Folds: r.folds, Repeats: r.repeats, OneSE: r.oneSE, Journal: r.resume}
	if s.Fixed, err = parseSets(r.sets); err != nil {
		return s, err
	}
	if r.loss != "" {
		if _, err := loss.Parse(r.loss); err != nil {
			return s, badInput(err, "inlier losses lists the losses")
		}
		s.Fixed["loss"] = r.loss
	}
	if _, err := m.Check(s.Fixed); err != nil {
		return s, err
	}
	for _, text := range r.grid {
		axis, err := tune.ParseAxis(m, s.Fixed, text)
		if err != nil {
			return s, err
		}
		s.Axes = append(s.Axes, axis)
	}
	switch {
	case r.folds < 2:
		return s, usage("at least 2 are needed", "--folds %d is not allowed", r.folds)
	case r.repeats < 1:
		return s, usage("at least 1 is needed", "--repeats %d is not allowed", r.repeats)
	case r.random < 0:
		return s, usage("it is a number of candidates", "--random %d is not allowed", r.random)
	case r.shown < 0:
		return s, usage("it is a number of candidates; 0: all", "--top %d is not allowed", r.shown)
	}
	return s, nil
}

// checkOutputs refuses outputs that cannot be written before any work is done.
func (r *tuneRequest) checkOutputs(a *app) error {
	if err := a.plans("--out", r.out, modelFile); err != nil {
		return err
	}
	if r.out == "-" && a.json {
		return usage("give --out a file name", "--out - and --json both write to standard output")
	}
	if err := a.plans("--resume", r.resume, anyFile); err != nil { // what is no journal is refused there
		return err
	}
	return a.plansPicture("--plot", r.plot)
}

// loadGrouped reads a table and, where a column of groups is named, the group of each
// row. That column is not learned from.
func (a *app) loadGrouped(ctx context.Context, path string, d dataFlags, group string) (*dataset.Set, []int, error) {
	if group == "" {
		set, err := a.load(ctx, path, d, inlier.Needs{Varied: true})
		return set, nil, err
	}
	if path == "-" {
		return nil, nil, usage("write the data to a file first", "--group reads the data twice, which standard input does not allow")
	}
	g := d
	g.Task, g.Categorical = "", string(dataset.Ordinal)
	g.Target, g.Columns, g.Drop, g.Text = "none", []string{group}, nil, []string{group}
	labels, err := a.load(ctx, path, g, inlier.Needs{})
	if err != nil {
		return nil, nil, err
	}
	groups := make([]int, labels.Rows())
	for i := range groups {
		groups[i] = int(labels.X.At(i, 0))
	}
	if d.Columns == nil {
		d.Drop = append(append([]string(nil), d.Drop...), group)
	}
	set, err := a.load(ctx, path, d, inlier.Needs{Varied: true})
	if err == nil && set.Rows() != len(groups) {
		err = fmt.Errorf("%s changed while it was read", path)
	}
	return set, groups, err
}

// search runs under a progress bar; when it is interrupted it tells what was kept.
func (a *app) search(ctx context.Context, s tune.Search, set *dataset.Set) (*tune.Result, error) {
	done, all := 0, 0
	var bar *progress.Bar
	if _, ok := terminal(a.err); ok && !a.quiet {
		bar = progress.New(a.err, "tune", nil, a.colour(a.err))
	}
	s.OnProgress = func(p tune.Progress) {
		done, all = p.Done, p.All
		what := fmt.Sprintf("%d of %d fits", p.Done, p.All)
		if s.Halving {
			what = fmt.Sprintf("round %d, %s", p.Rung+1, what)
		}
		bar.Count(p.Done, p.All, what)
	}
	found, err := s.Run(ctx, set)
	bar.Close()
	if ctx.Err() != nil && s.Journal != "" && done > 0 {
		a.left.say("%d of %d fits are kept in %s; the same command goes on from there", done, all, s.Journal)
	}
	return found, err
}

// tunePage is the search as a page.
func tunePage(r *tuneResult, found *tune.Result) *report.Page {
	page := &report.Page{
		Title: fmt.Sprintf("Parameters of %s for %s", r.Method, shortName(r.Data)),
		Lead:  fmt.Sprintf("The best of %s is **%s**, chosen by %s.", plural(len(found.Trials), "candidate"), report.Literal(found.Chosen().Text(found.Axes)), found.Metric.Text),
		Facts: []report.Fact{
			{Name: found.Metric.String(), Value: short(found.Chosen().Score)}, {Name: "rows", Value: fmt.Sprint(r.Rows)},
			{Name: "folds", Value: fmt.Sprintf("%d x %d", r.Folds, r.Repeats)}, {Name: "fits", Value: fmt.Sprint(found.Fits + found.Reused)},
		},
	}
	if charts := tuneCharts(found); len(charts) > 0 {
		blocks := make([]report.Block, len(charts))
		for i, c := range charts {
			blocks[i] = c
		}
		page.Add("Score and parameters", "Each point is the best score that a value reached over the other parameters; whiskers are one standard error.", blocks...)
	}
	page.Add("Candidates", "", trialTable(found, 0))
	page.Footer = "Made by `inlier tune`."
	return page
}
