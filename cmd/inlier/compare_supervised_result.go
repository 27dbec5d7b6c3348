package main

import (
	"context"
	"fmt"
	"math"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/report"
	"github.com/inlier-ml/inlier/tune"
)

// contestResult is what `compare --target --json` prints.
type contestResult struct {
	Data    string        `json:"data"`
	Rows    int           `json:"rows"`
	Columns int           `json:"columns"`
	Target  string        `json:"target"`
	Task    catalog.Task  `json:"task"`
	Metric  string        `json:"metric"`
	Repeats int           `json:"repeats"`
	Train   int           `json:"training_rows"`
	Test    int           `json:"test_rows"`
	Corrupt string        `json:"corrupt,omitempty"`
	Hit     number        `json:"rows_corrupted"` // training rows, mean over the repeats
	Tuned   bool          `json:"tuned"`
	Seed    uint64        `json:"seed"`
	Methods []contestLine `json:"methods"` // best first

	standing *tune.Standing
}

type contestLine struct {
	Label      string              `json:"label"`
	Method     string              `json:"method"`
	Parameters catalog.Parameters  `json:"parameters"`
	Mean       number              `json:"mean"`
	SD         number              `json:"sd"`
	Rank       number              `json:"mean_rank"`
	Versus     *tune.Difference    `json:"versus_best,omitempty"`
	Metrics    map[string]number   `json:"metrics"` // means
	Scores     map[string][]number `json:"scores"`  // by repeat
	Flagged    number              `json:"outlier_share"`
	Found      number              `json:"corrupted_found"`
	False      number              `json:"false_alarms"`
	Seconds    number              `json:"fit_seconds"`
	Tuned      catalog.Parameters  `json:"tuned_parameters,omitempty"` // of the first repeat
	Failure    string              `json:"failure,omitempty"`
}

func newContestResult(s *tune.Standing, c tune.Contest, set *dataset.Set) *contestResult {
	r := &contestResult{Data: set.Name, Rows: set.Rows(), Columns: set.Dim(), Target: set.Target.Name, Task: s.Task, Metric: s.Metric.String(), Repeats: s.Repeats,
		Train: s.Train, Test: s.Test, Corrupt: c.Corrupt, Hit: number(s.Dirty), Tuned: c.Tune, Seed: c.Seed, standing: s}
	for _, l := range s.Lines {
		line := contestLine{Label: l.Label, Method: l.Method.Name, Parameters: catalog.Parameters(l.Params), Mean: number(l.Mean), SD: number(l.SD), Rank: number(l.MeanRank),
			Versus: finiteTest(l.Versus), Metrics: map[string]number{}, Scores: map[string][]number{}, Flagged: number(l.Flagged), Found: number(l.Found), False: number(l.False),
			Seconds: number(l.Seconds), Tuned: catalog.Parameters(l.Tuned), Failure: l.Failure}
		for name, scores := range l.Scores {
			line.Scores[name] = numbers(scores)
			sum := 0.0
			for _, v := range scores {
				sum += v / float64(len(scores))
			}
			line.Metrics[name] = number(sum)
		}
		r.Methods = append(r.Methods, line)
	}
	return r
}

// finiteTest keeps what JSON can express.
func finiteTest(d *tune.Difference) *tune.Difference {
	if d == nil || math.IsNaN(d.P) || math.IsNaN(d.T) {
		return nil
	}
	return d
}

func (a *app) printContest(ctx context.Context, r *contestResult, out string) error {
	switch {
	case out == "":
	case hasAnyEnding(out, ".html"):
		page, err := contestPage(ctx, r)
		if err != nil {
			return err
		}
		if err := a.writePage(ctx, out, page); err != nil {
			return err
		}
	case hasAnyEnding(out, ".json"):
		if err := a.storeJSON(ctx, out, r); err != nil {
			return err
		}
	default:
		if err := a.storeTable(ctx, out, r.table(true)); err != nil {
			return err
		}
	}
	if a.json {
		return a.printJSON(r)
	}
	fmt.Fprintf(a.out, "%s: %s x %s, target %s (%s), %s of %d training and %d test rows\n", a.bold(r.Data), plural(r.Rows, "row"), plural(r.Columns, "column"), r.Target,
		r.Task, plural(r.Repeats, "repeat"), r.Train, r.Test)
	if r.Corrupt != "" {
		fmt.Fprintf(a.out, "training rows dirtied by %s: %s of %d hit\n", r.Corrupt, short(float64(r.Hit)), r.Train)
	}
	if err := a.printTable(r.table(false), false); err != nil {
		return err
	}
	for _, m := range r.Methods {
		if m.Failure != "" {
			fmt.Fprintf(a.out, "%s failed: %s\n", m.Label, inlier.OneLine(m.Failure))
		}
	}
	if out != "" {
		a.note("report written to %s", out)
	}
	return nil
}

// table lays the contest out: for files with plain numbers only.
func (r *contestResult) table(plain bool) *report.Table {
	s := r.standing
	best := func(m tune.Metric) report.Best {
		if m.Higher {
			return report.Highest
		}
		return report.Lowest
	}
	t := &report.Table{Columns: []report.Column{{Name: "method"}, {Name: s.Metric.String(), Best: best(s.Metric)}, {Name: "sd"}, {Name: "rank", Format: "%.2f"}, {Name: "p", Format: "%.3f", Align: report.Right}}}
	for _, m := range s.Metrics[1:] {
		t.Columns = append(t.Columns, report.Column{Name: m.Name, Best: best(m)})
	}
	dirty := r.Corrupt != ""
	if dirty {
		t.Columns = append(t.Columns, report.Column{Name: "found", Unit: "%", Format: "%.0f"}, report.Column{Name: "false", Unit: "%", Format: "%.0f"})
	} else {
		t.Columns = append(t.Columns, report.Column{Name: "outliers", Unit: "%", Format: "%.1f"})
	}
	t.Columns = append(t.Columns, report.Column{Name: "fit", Unit: "ms", Format: "%.1f"})
	for i, m := range r.Methods {
		p := any(math.NaN())
		switch {
		case m.Versus != nil:
			p = m.Versus.Holm
		case i == 0 && !plain:
			p = "best"
		}
		cells := []any{m.Label, float64(m.Mean), float64(m.SD), float64(m.Rank), p}
		for _, metric := range s.Metrics[1:] {
			v, ok := m.Metrics[metric.Name]
			if !ok {
				v = number(math.NaN())
			}
			cells = append(cells, float64(v))
		}
		if dirty {
			cells = append(cells, 100*float64(m.Found), 100*float64(m.False))
		} else {
			cells = append(cells, 100*float64(m.Flagged))
		}
		t.Rows = append(t.Rows, append(cells, 1000*float64(m.Seconds)))
	}
	t.Notes = []string{"sd: over the repeats; rank: mean over the repeats; p: difference to the best, for overlapping training rows and several methods."}
	if dirty {
		t.Notes = append(t.Notes, "found: dirtied training rows that are called outliers; false: other training rows that are.")
	}
	return t
}
