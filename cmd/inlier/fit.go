package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/progress"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/model"
	"github.com/inlier-ml/inlier/report"
)

// fitRequest is what `fit` was asked for.
type fitRequest struct {
	sets []string
	loss string
	out  string
	data dataFlags
}

// fitResult is what `fit --json` prints.
type fitResult struct {
	Method      string             `json:"method"`
	Data        string             `json:"data"`
	Rows        int                `json:"rows"`
	Columns     int                `json:"columns"`
	Parameters  catalog.Parameters `json:"parameters"`
	Loss        string             `json:"loss,omitempty"`
	Status      string             `json:"status"`
	Steps       int                `json:"steps"`
	Objective   number             `json:"objective"`
	Effective   number             `json:"effective_sample_size"`
	Outliers    int                `json:"outliers"`
	OutlierRows []int              `json:"outlier_rows,omitempty"` // from 1
	OutlierIDs  []string           `json:"outlier_ids,omitempty"`  // their names, where rows have names
	Numbers     map[string]any     `json:"numbers,omitempty"`
	Warnings    []string           `json:"warnings,omitempty"`
	Seed        uint64             `json:"seed"`
	ReadSeconds float64            `json:"read_seconds"`
	FitSeconds  float64            `json:"fit_seconds"`
	PeakMemory  int64              `json:"peak_memory_bytes"`
	Backend     string             `json:"backend"`
	Threads     int                `json:"threads"`
	Model       string             `json:"model"`
}

func fitCommand(a *app) *cobra.Command {
	var r fitRequest
	c := &cobra.Command{
		Use:   "fit METHOD DATA",
		Short: "Fit a method to data and save the model",
		Long: `Fit a method to data, save the model, and tell how the fit ended and which rows are outliers.

` + aboutData,
		Example: `  inlier fit pca-robust sales.csv --out sales.npz
  inlier fit pca-kmpe hbk.csv --target y --set components=2 --set sigma=silverman --json
  inlier fit pca-robust spectra.parquet --loss huber:c=1.345`,
		Args: arguments("METHOD", "DATA"),
		ValidArgsFunction: func(c *cobra.Command, args []string, to string) ([]string, cobra.ShellCompDirective) {
			return completeMethod(c, args, to)
		},
		RunE: func(c *cobra.Command, args []string) error { return a.fit(c.Context(), args[0], args[1], r) },
	}
	f := c.Flags()
	f.StringArrayVar(&r.sets, "set", nil, "parameter of the method, key=value; may be repeated")
	f.StringVar(&r.loss, "loss", "", "loss of the methods that take one; `inlier losses` lists them")
	f.StringVarP(&r.out, "out", "o", "", "model file to write (default DATA.METHOD.npz in this folder)")
	r.data.register(c)
	_ = c.RegisterFlagCompletionFunc("loss", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return lossNames(), cobra.ShellCompDirectiveNoFileComp
	})
	return c
}

func (a *app) fit(ctx context.Context, name, path string, r fitRequest) error {
	if r.out == "" {
		r.out = defaultModelPath(path, name)
	}
	job, err := prepare(name, r.sets, r.loss)
	if err != nil {
		return err
	}
	a.reads(path, r.data.options.LabelsFile)
	if err := a.plans("--out", r.out, modelFile); err != nil {
		return err
	}
	if r.out == "-" && a.json {
		return usage("give --out a file name", "--out - and --json both write to standard output")
	}
	began := time.Now()
	set, err := a.load(ctx, path, r.data, wanted{missing: job.values.Is("missing", "fit"), varied: true})
	if err != nil {
		return hintMissing(err, job.method)
	}
	if err := job.refuseLonelyClass(set); err != nil {
		return err
	}
	result := fitResult{Data: set.Name, ReadSeconds: time.Since(began).Seconds(), Threads: linalg.Threads(), Backend: linalg.Backend(), Model: r.out}
	began = time.Now()
	m, err := a.runFit(ctx, job, set, name)
	if err != nil {
		return err
	}
	result.FitSeconds, result.PeakMemory = time.Since(began).Seconds(), peakMemory()
	result.describe(m.Describe())
	if result.OutlierRows, err = trainingOutliers(ctx, m, set); err != nil {
		return err
	}
	if result.OutlierRows != nil { // the list is the verdict: `inlier outliers` says the same
		result.Outliers = len(result.OutlierRows)
	}
	if set.IDs != nil {
		for _, row := range result.OutlierRows {
			result.OutlierIDs = append(result.OutlierIDs, set.IDs[row-1])
		}
	}
	if err := a.saveModel(ctx, r.out, m, model.Input{Unnamed: set.Unnamed, Coder: set.Coder}); err != nil {
		return err
	}
	switch {
	case a.json:
		return a.printJSON(result)
	case r.out != "-":
		if err := a.showFit(result); err != nil {
			return err
		}
	}
	return nil
}

// hintMissing tells how a method can be made to use missing values, where it can.
func hintMissing(err error, m *catalog.Method) error {
	var input *dataset.InputError
	if p, ok := m.Param("missing"); ok && errors.As(err, &input) && strings.Contains(input.Problem, "missing") && slices.Contains(p.Choices, "fit") {
		input.Hint = "--set missing=fit lets the low-rank fit fill it"
	}
	return err
}

// fitJob is a method with checked parameters.
type fitJob struct {
	method *catalog.Method
	values catalog.Values
	fitter catalog.Fitter
}

// prepare checks method, parameters and loss before any data is read.
func prepare(name string, sets []string, lossText string) (*fitJob, error) {
	m, err := catalog.Lookup(name)
	if err != nil {
		return nil, err
	}
	params, err := parseSets(sets)
	if err != nil {
		return nil, err
	}
	if lossText != "" {
		if _, twice := params["loss"]; twice {
			return nil, usage("give it once", "the loss is given by --loss and by --set")
		}
		if _, err := loss.Parse(lossText); err != nil {
			return nil, badInput(err, "inlier losses lists the losses")
		}
		params["loss"] = lossText
	}
	v, err := m.Check(params)
	if err != nil {
		return nil, err
	}
	f, err := m.Build(v)
	if err != nil {
		return nil, err
	}
	return &fitJob{method: m, values: v, fitter: f}, nil
}

// refuseLonelyClass refuses to learn classes from a target with a class of a single row:
// most often a typing error, and nothing that could be told from its neighbours.
func (j *fitJob) refuseLonelyClass(set *dataset.Set) error {
	t := set.Target
	if !slices.Contains(j.method.Tasks, catalog.Classify) || t == nil || t.Labels == nil || j.values.Is("task", string(catalog.Regress)) {
		return nil
	}
	count := make([]int, len(t.Classes))
	for _, k := range t.Labels {
		if k >= 0 {
			count[k]++
		}
	}
	if k := slices.Index(count, 1); k >= 0 {
		return usage("leave the row out, or join the class with another", "%s: class %q of target %q has a single row", set.Name, t.Classes[k], t.Name)
	}
	return nil
}

// parseSets reads the --set flags.
func parseSets(sets []string) (map[string]string, error) {
	params := map[string]string{}
	for _, text := range sets {
		key, value, ok := strings.Cut(text, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if !ok || key == "" {
			return nil, usage("for example --set components=3", "--set %q is not of the form key=value", text)
		}
		if _, twice := params[key]; twice {
			return nil, usage("give it once", "parameter %s is set twice", key)
		}
		params[key] = value
	}
	return params, nil
}

// runFit fits under a progress bar. A fit that was interrupted is an error here.
func (a *app) runFit(ctx context.Context, job *fitJob, set *dataset.Set, title string) (catalog.Model, error) {
	run := catalog.Run{Seed: a.seed}
	if _, ok := terminal(a.err); ok && !a.quiet {
		bar := progress.New(a.err, title, progress.NewMeter(job.values.Int("max-steps"), job.values.Float("tol")), a.colour(a.err))
		defer bar.Close()
		run.OnStep = func(s irls.Step) { bar.Step(s) }
	}
	m, err := job.fitter.Fit(ctx, set, run)
	if err == nil {
		err = ctx.Err()
	}
	return m, err
}

// saveModel writes a model file, or the same bytes to standard output.
func (a *app) saveModel(ctx context.Context, path string, m catalog.Model, in model.Input) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if path == "-" {
		return model.Write(a.out, m, in)
	}
	if err := a.mayReplace(path, modelFile); err != nil {
		return err
	}
	return a.wrote(path, model.SaveWith(path, m, in))
}

// defaultModelPath names the model of data fitted by a method: sales.pca-robust.npz.
func defaultModelPath(data, method string) string {
	base := filepath.Base(filepath.Clean(data))
	if data == "-" || base == "." || base == string(filepath.Separator) {
		return method + ".npz"
	}
	base = strings.TrimSuffix(base, ".gz")
	return strings.TrimSuffix(base, filepath.Ext(base)) + "." + method + ".npz"
}

func (r *fitResult) describe(d catalog.Description) {
	r.Method, r.Rows, r.Columns, r.Parameters, r.Loss = d.Method, d.Rows, d.Columns, d.Parameters, d.Loss
	r.Status, r.Steps, r.Objective, r.Effective = d.Status, d.Steps, number(d.Objective), number(d.Effective)
	r.Outliers, r.Numbers, r.Warnings, r.Seed = d.Outliers, finiteNumbers(d.Numbers), d.Warnings, d.Seed
}

// showFit prints the result of a fit for people.
func (a *app) showFit(r fitResult) error {
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
	list = append(list, "outliers", found)
	var tables []*report.Table
	for _, name := range slices.Sorted(maps.Keys(r.Numbers)) {
		if table := namedLines(r.Numbers[name]); table != nil {
			tables = append(tables, table)
			continue
		}
		list = append(list, strings.ReplaceAll(name, "_", " "), showNumber(r.Numbers[name]))
	}
	var used []string
	for _, name := range slices.Sorted(maps.Keys(r.Parameters)) {
		used = append(used, name+"="+r.Parameters[name])
	}
	list = append(list,
		"parameters", shortened(strings.Join(used, " ")),
		"time", fmt.Sprintf("read %s, fit %s", seconds(r.ReadSeconds), seconds(r.FitSeconds)),
		"peak memory", size(r.PeakMemory),
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
