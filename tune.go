package inlier

import (
	"context"
	"fmt"
	"time"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/model"
	"github.com/inlier-ml/inlier/report"
	"github.com/inlier-ml/inlier/tune"
)

// Tune is the job of choosing a method's parameters by cross-validation and fitting the
// best to all rows.
type Tune struct {
	Method     string             `json:"method"`
	Data       Data               `json:"data"`
	Grid       []string           `json:"grid,omitempty"`       // values to try: key=a,b,c or key=low..high:count[log]; none: what matters most
	Parameters catalog.Parameters `json:"parameters,omitempty"` // that all candidates share
	Loss       string             `json:"loss,omitempty"`       // of methods that take one
	Folds      int                `json:"folds,omitempty"`      // parts that the rows are divided into; 0: 5
	Repeats    int                `json:"repeats,omitempty"`    // divide the rows anew so many times; 0: once
	Random     int                `json:"random,omitempty"`     // try so many random settings; 0: all combinations
	Halving    bool               `json:"halving,omitempty"`    // begin with few rows; keep the better third as rows are tripled
	OneSE      bool               `json:"one_se,omitempty"`     // choose the simplest candidate within one standard error of the best
	Group      string             `json:"group,omitempty"`      // column whose equal values stay in one fold; it is not learned from
	Together   bool               `json:"together,omitempty"`   // keep rows with the same numbers in one fold
	Metric     string             `json:"metric,omitempty"`     // what ranks; empty: what suits the task
	Journal    string             `json:"journal,omitempty"`    // file that keeps finished fits; an interrupted search goes on from it
	Seed       uint64             `json:"seed,omitempty"`
}

// TuneResult is a search and the fit of the best to all rows.
type TuneResult struct {
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
	Best       TuneTrial    `json:"best"`
	Candidates []TuneTrial  `json:"candidates"` // best first
	Fits       int          `json:"fits"`
	Reused     int          `json:"reused"` // fits taken from the journal
	Unknown    int          `json:"unknown_categories"`
	Seconds    float64      `json:"tune_seconds"`
	Seed       uint64       `json:"seed"`
	Fit        TuneFit      `json:"fit"`
	Model      string       `json:"model"` // the file that the fit was saved to
	Plot       string       `json:"plot,omitempty"`

	Found *tune.Result `json:"-"` // the whole search

	fitted Model
}

// TuneTrial is one candidate.
type TuneTrial struct {
	Rank          int                `json:"rank"`
	Parameters    catalog.Parameters `json:"parameters"`
	Score         report.Number      `json:"score"`
	SD            report.Number      `json:"sd"`
	StandardError report.Number      `json:"standard_error"`
	Rows          int                `json:"training_rows,omitempty"` // of a candidate that halving dropped
	Seconds       float64            `json:"fit_seconds"`
	Failure       string             `json:"failure,omitempty"`
}

// TuneFit is the fit of the best to all rows.
type TuneFit struct {
	Parameters catalog.Parameters `json:"parameters"` // as used
	Status     string             `json:"status"`
	Steps      int                `json:"steps"`
	Outliers   int                `json:"outliers"`
	Warnings   []string           `json:"warnings,omitempty"`
}

// Fitted is the model of the best, fitted to all rows.
func (r *TuneResult) Fitted() Model { return r.fitted }

// Check refuses what can be refused before data are read.
func (t Tune) Check() error { _, err := t.search(); return err }

// Run reads the data, searches and fits.
func (t Tune) Run(ctx context.Context, o Observer) (*TuneResult, error) {
	ctx = given.AllOrNothing(ctx)
	r := newReporter("tune", o)
	s, err := t.search()
	if err != nil {
		return nil, err
	}
	var written []model.Written
	t.Data.wrote = &written
	set, groups, err := t.Data.grouped(ctx, t.Group, r)
	if err != nil {
		return nil, err
	}
	task, err := tune.TaskOf(s.Method, s.Fixed, set)
	if err != nil {
		return nil, err
	}
	if s.Metric, err = tune.MetricFor(t.Metric, task); err != nil {
		return nil, about("metric", err)
	}
	s.Seed, s.Rules = t.Seed, dataset.SplitRules{Groups: groups, Together: t.Together}
	s.OnProgress = func(p tune.Progress) {
		e := Event{Phase: "search", Label: "fits", Done: p.Done, Total: p.All, Rows: set.Rows(), Columns: set.Dim()}
		if s.Halving {
			e.Label = fmt.Sprintf("round %d", p.Rung+1)
		}
		r.send(e)
	}
	began := time.Now()
	found, err := s.Run(ctx, set)
	if err != nil {
		return nil, err
	}
	e := Event{Phase: "fit", Label: t.Method, Rows: set.Rows(), Columns: set.Dim()}
	m, err := s.Refit(ctx, set, found.Chosen().Candidate, catalog.Run{Seed: t.Seed, OnStep: r.steps(e, 0, 0)})
	if err != nil {
		return nil, err
	}
	result := newTuneResult(found, m, set, time.Since(began).Seconds(), t.Seed)
	result.fitted.Input.Written = written
	return result, nil
}

// search checks what can be checked before data are read.
func (t Tune) search() (tune.Search, error) {
	m, err := catalog.Lookup(t.Method)
	if err != nil {
		return tune.Search{}, err
	}
	s := tune.Search{Method: m, Random: t.Random, Halving: t.Halving, Folds: t.Folds, Repeats: t.Repeats, OneSE: t.OneSE, Journal: t.Journal}
	if s.Folds == 0 {
		s.Folds = 5
	}
	if s.Repeats == 0 {
		s.Repeats = 1
	}
	if s.Fixed, err = withLoss(t.Parameters, t.Loss); err != nil {
		return s, err
	}
	if _, err := m.Check(s.Fixed); err != nil {
		return s, err
	}
	for _, text := range t.Grid {
		axis, err := tune.ParseAxis(m, s.Fixed, text)
		if err != nil {
			return s, about("grid", err)
		}
		s.Axes = append(s.Axes, axis)
	}
	switch {
	case s.Folds < 2:
		return s, usage("at least 2 are needed", "--folds %d is not allowed", s.Folds)
	case s.Repeats < 1:
		return s, usage("at least 1 is needed", "--repeats %d is not allowed", s.Repeats)
	case s.Random < 0:
		return s, usage("it is a number of candidates", "--random %d is not allowed", s.Random)
	}
	return s, nil
}

func newTuneResult(found *tune.Result, m catalog.Model, set *dataset.Set, seconds float64, seed uint64) *TuneResult {
	d := m.Describe()
	out := &TuneResult{Method: found.Method, Data: set.Name, Rows: set.Rows(), Columns: set.Dim(), Target: set.Target.Name, Task: found.Task, Metric: found.Metric.String(),
		Folds: found.Folds, Repeats: found.Repeats, Rule: found.Rule, Fits: found.Fits, Reused: found.Reused, Unknown: found.Unknown, Seconds: seconds, Seed: seed,
		Fit:   TuneFit{d.Parameters, d.Status, d.Steps, d.Outliers, d.Warnings},
		Found: found, fitted: Model{Value: m, Input: model.Input{Unnamed: set.Unnamed, Coder: set.Coder}}}
	for i, t := range found.Trials {
		trial := TuneTrial{Rank: t.Rank, Parameters: catalog.Parameters(t.Params), Score: report.Number(t.Score), SD: report.Number(t.SD), StandardError: report.Number(t.StandardError),
			Rows: t.Rows, Seconds: t.Seconds, Failure: t.Failure}
		out.Candidates = append(out.Candidates, trial)
		if i == found.Choice {
			out.Best = trial
		}
	}
	return out
}
