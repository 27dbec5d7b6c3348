package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/report"
	"github.com/inlier-ml/inlier/tune"
)

// tuneResult is what `tune --json` prints.
type tuneResult struct {
	Method     string       `json:"method"`
	Data       string       `json:"data"`
	Rows       int          `json:"rows"`
	Columns    int          `json:"columns"`
	Target     string       `json:"target"`
	Task       catalog.Task `json:"task"`
	Metric     string       `json:"metric"`
	Folds      int          `json:"folds"`
	Repeats    int          `json:"repeats"`
	Rule       string       `json:"rule"` // how the best was chosen
	Best       tuneTrial    `json:"best"`
	Candidates []tuneTrial  `json:"candidates"` // best first
	Fits       int          `json:"fits"`
	Reused     int          `json:"reused"` // fits taken from the file given by --resume
	Unknown    int          `json:"unknown_categories"`
	Seconds    float64      `json:"tune_seconds"`
	Seed       uint64       `json:"seed"`
	Fit        tuneFit      `json:"fit"`
	Model      string       `json:"model"`
	Plot       string       `json:"plot,omitempty"`
}

type tuneTrial struct {
	Rank          int                `json:"rank"`
	Parameters    catalog.Parameters `json:"parameters"`
	Score         number             `json:"score"`
	SD            number             `json:"sd"`
	StandardError number             `json:"standard_error"`
	Rows          int                `json:"training_rows,omitempty"` // of a candidate that halving dropped
	Seconds       float64            `json:"fit_seconds"`
	Failure       string             `json:"failure,omitempty"`
}

// tuneFit is the fit of the best to all rows.
type tuneFit struct {
	Parameters catalog.Parameters `json:"parameters"` // as used
	Status     string             `json:"status"`
	Steps      int                `json:"steps"`
	Outliers   int                `json:"outliers"`
	Warnings   []string           `json:"warnings,omitempty"`
}

func newTuneResult(found *tune.Result, m catalog.Model, set *dataset.Set, r tuneRequest, seconds float64, seed uint64) *tuneResult {
	d := m.Describe()
	out := &tuneResult{Method: found.Method, Data: set.Name, Rows: set.Rows(), Columns: set.Dim(), Target: set.Target.Name, Task: found.Task, Metric: found.Metric.String(),
		Folds: found.Folds, Repeats: found.Repeats, Rule: found.Rule, Fits: found.Fits, Reused: found.Reused, Unknown: found.Unknown, Seconds: seconds, Seed: seed,
		Fit: tuneFit{d.Parameters, d.Status, d.Steps, d.Outliers, d.Warnings}, Model: r.out, Plot: r.plot}
	for i, t := range found.Trials {
		trial := tuneTrial{Rank: t.Rank, Parameters: catalog.Parameters(t.Params), Score: number(t.Score), SD: number(t.SD), StandardError: number(t.StandardError),
			Rows: t.Rows, Seconds: t.Seconds, Failure: t.Failure}
		out.Candidates = append(out.Candidates, trial)
		if i == found.Choice {
			out.Best = trial
		}
	}
	return out
}

// printTuned prints the result for people or programs.
func (a *app) printTuned(r *tuneResult, found *tune.Result, asked tuneRequest) error {
	if a.json {
		return a.printJSON(r)
	}
	if r.Model == "-" {
		return nil
	}
	fmt.Fprintf(a.out, "%s on %s: %s x %s, target %s, %s x %s\n", a.bold(r.Method), r.Data, plural(r.Rows, "row"), plural(r.Columns, "column"), r.Target,
		plural(r.Folds, "fold"), plural(r.Repeats, "repeat"))
	if err := a.printTable(trialTable(found, asked.shown), false); err != nil {
		return err
	}
	if failed := failedTrials(found); failed != "" {
		fmt.Fprintln(a.out, failed)
	}
	best := found.Chosen()
	a.pairs("chosen", fmt.Sprintf("%s (%s)", best.Text(found.Axes), found.Rule),
		found.Metric.String(), fmt.Sprintf("%s, standard error %s: %s", short(best.Score), short(best.StandardError), found.Metric.Text),
		"fits", fitsText(found, r.Seconds),
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

func fitsText(found *tune.Result, took float64) string {
	text := fmt.Sprintf("%d in %s", found.Fits, seconds(took))
	if found.Reused > 0 {
		text += fmt.Sprintf(", and %d kept from before", found.Reused)
	}
	return text
}

// failedTrials tells how many candidates failed, and why the first did.
func failedTrials(found *tune.Result) string {
	count, why := 0, ""
	for _, t := range found.Trials {
		if t.Failure != "" {
			if count++; why == "" {
				why = t.Text(found.Axes) + ": " + inlier.OneLine(t.Failure)
			}
		}
	}
	if count == 0 {
		return ""
	}
	return fmt.Sprintf("%s failed; %s", plural(count, "candidate"), why)
}

// trialTable lays the best candidates out; most 0 means all.
func trialTable(found *tune.Result, most int) *report.Table {
	t := &report.Table{Columns: []report.Column{{Name: "rank"}}}
	for _, a := range found.Axes {
		t.Columns = append(t.Columns, report.Column{Name: a.Name, Align: report.Right})
	}
	best := report.Lowest
	if found.Metric.Higher {
		best = report.Highest
	}
	t.Columns = append(t.Columns, report.Column{Name: found.Metric.String(), Best: best}, report.Column{Name: "sd"}, report.Column{Name: "fits", Unit: "ms", Format: "%.1f"})
	halved := slices.ContainsFunc(found.Trials, func(t tune.Trial) bool { return t.Rows > 0 })
	if halved {
		t.Columns = append(t.Columns, report.Column{Name: "training rows"})
	}
	for i, trial := range found.Trials {
		if most > 0 && i == most {
			t.Notes = append(t.Notes, fmt.Sprintf("%d more; --top 0 shows all", len(found.Trials)-most))
			break
		}
		row := []any{trial.Rank}
		for _, a := range found.Axes {
			row = append(row, trial.Params[a.Name])
		}
		row = append(row, trial.Score, trial.SD, 1000*trial.Seconds)
		if halved {
			rows := "all"
			if trial.Rows > 0 {
				rows = strconv.Itoa(trial.Rows)
			}
			row = append(row, rows)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// tuneCharts draw the best score that each value of a varied parameter reached. Values
// that halving dropped early are left out: their scores come from fewer rows.
func tuneCharts(found *tune.Result) []*report.Chart {
	var charts []*report.Chart
	for _, axis := range found.Axes {
		best := map[string]tune.Trial{}
		for _, t := range found.Trials {
			if math.IsNaN(t.Score) || t.Rows > 0 {
				continue
			}
			if old, ok := best[t.Params[axis.Name]]; !ok || found.Metric.Better(t.Score, old.Score) {
				best[t.Params[axis.Name]] = t
			}
		}
		if len(best) < 2 {
			continue
		}
		charts = append(charts, profile(found, axis.Name, best))
	}
	if len(charts) == 0 {
		charts = append(charts, ranking(found))
	}
	return charts
}

// profile draws score against the values of one parameter.
func profile(found *tune.Result, name string, best map[string]tune.Trial) *report.Chart {
	score := report.Axis{Label: found.Metric.String()}
	values, numeric := sortedValues(slices.Collect(maps.Keys(best)))
	s := report.Series{Mark: report.LineDots, Whiskers: true}
	if len(found.Axes) > 1 {
		s.Name = "best over the other parameters"
	}
	for _, v := range values {
		t := best[v]
		x, _ := strconv.ParseFloat(v, 64)
		s.X, s.Y = append(s.X, x), append(s.Y, t.Score)
		s.Low, s.High = append(s.Low, t.Score-t.StandardError), append(s.High, t.Score+t.StandardError)
	}
	x := report.Axis{Label: name}
	if numeric {
		x.Log = len(s.X) > 2 && s.X[0] > 0 && s.X[len(s.X)-1] > 20*s.X[0]
	} else { // words stand side by side
		x.Names = values
		s.Mark = report.Dots
		for i := range s.X {
			s.X[i] = float64(i)
		}
	}
	c := report.Lines("Score by "+name, x, score, s)
	if chosen, err := strconv.ParseFloat(found.Chosen().Params[name], 64); err == nil && numeric {
		c.MarkX(chosen, "chosen")
	}
	return c
}

// sortedValues orders values as numbers when all are numbers, else words before numbers.
func sortedValues(values []string) (sorted []string, numeric bool) {
	number := func(v string) (float64, bool) { f, err := strconv.ParseFloat(v, 64); return f, err == nil }
	numeric = true
	for _, v := range values {
		if _, ok := number(v); !ok {
			numeric = false
		}
	}
	slices.SortFunc(values, func(a, b string) int {
		x, okX := number(a)
		y, okY := number(b)
		switch {
		case okX && okY && x < y, !okX && okY:
			return -1
		case okX && okY && x > y, okX && !okY:
			return 1
		}
		return strings.Compare(a, b)
	})
	return values, numeric
}

// ranking draws the scores of all candidates, the best first.
func ranking(found *tune.Result) *report.Chart {
	s := report.Series{Mark: report.Dots, Whiskers: true}
	for _, t := range found.Trials {
		s.Y = append(s.Y, t.Score)
		s.Low, s.High = append(s.Low, t.Score-t.StandardError), append(s.High, t.Score+t.StandardError)
	}
	return report.Lines("Score of the candidates", report.Axis{Label: "rank", Whole: true}, report.Axis{Label: found.Metric.String()}, s)
}
