package inlier

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/report"
	"github.com/inlier-ml/inlier/tune"
)

// Page is the search as a page.
func (r *TuneResult) Page() *report.Page {
	found := r.Found
	page := &report.Page{
		Title: fmt.Sprintf("Parameters of %s for %s", r.Method, words.Base(r.Data)),
		Lead:  fmt.Sprintf("The best of %s is **%s**, chosen by %s.", words.Plural(len(found.Trials), "candidate"), report.Literal(found.Chosen().Text(found.Axes)), found.Metric.Text),
		Facts: []report.Fact{
			{Name: found.Metric.String(), Value: words.Short(found.Chosen().Score)}, {Name: "rows", Value: fmt.Sprint(r.Rows)},
			{Name: "folds", Value: fmt.Sprintf("%d x %d", r.Folds, r.Repeats)}, {Name: "fits", Value: fmt.Sprint(found.Fits + found.Reused)},
		},
	}
	if charts := r.Charts(); len(charts) > 0 {
		blocks := make([]report.Block, len(charts))
		for i, c := range charts {
			blocks[i] = c
		}
		page.Add("Score and parameters", "Each point is the best score that a value reached over the other parameters; whiskers are one standard error.", blocks...)
	}
	page.Add("Candidates", "", r.Table(0))
	page.Footer = "Made by `inlier tune`."
	return page
}

// Table lays the best candidates out; most 0 means all.
func (r *TuneResult) Table(most int) *report.Table {
	found := r.Found
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
			t.Notes = append(t.Notes, fmt.Sprintf("%d more", len(found.Trials)-most))
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

// Charts draw the best score that each value of a varied parameter reached. Values
// that halving dropped early are left out: their scores come from fewer rows.
func (r *TuneResult) Charts() []*report.Chart {
	found := r.Found
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
	parse := func(v string) (float64, bool) { f, err := strconv.ParseFloat(v, 64); return f, err == nil }
	numeric = true
	for _, v := range values {
		if _, ok := parse(v); !ok {
			numeric = false
		}
	}
	slices.SortFunc(values, func(a, b string) int {
		x, okX := parse(a)
		y, okY := parse(b)
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

// FitsText tells how many fits the search took, and how long.
func (r *TuneResult) FitsText() string {
	text := fmt.Sprintf("%d in %s", r.Found.Fits, words.Seconds(r.Seconds))
	if r.Found.Reused > 0 {
		text += fmt.Sprintf(", and %d kept from before", r.Found.Reused)
	}
	return text
}

// Failures tells how many candidates failed, and why the first did; empty where none did.
func (r *TuneResult) Failures() string {
	count, why := 0, ""
	for _, t := range r.Found.Trials {
		if t.Failure != "" {
			if count++; why == "" {
				why = t.Text(r.Found.Axes) + ": " + words.OneLine(t.Failure)
			}
		}
	}
	if count == 0 {
		return ""
	}
	return fmt.Sprintf("%s failed; %s", words.Plural(count, "candidate"), why)
}
