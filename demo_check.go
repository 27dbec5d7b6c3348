package inlier

import (
	"context"
	"fmt"

	"github.com/inlier-ml/inlier/dataset/synthetic"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/report"
)

// CheckDemo is the first part of the demonstration: orders of a shop as people write them.
type CheckDemo struct {
	Verdict     string        `json:"verdict"`
	Rows        int           `json:"rows"`
	Broken      int           `json:"broken"`       // rows with a mistake
	Found       int           `json:"found"`        // of them that are called wrong
	FalseAlarms int           `json:"false_alarms"` // others that are
	Findings    []CheckedLine `json:"findings"`     // the worst rows

	result *CheckResult
}

// CheckedLine is a row called wrong with its reason and what was really done to it.
type CheckedLine struct {
	Row   int    `json:"row"`
	Why   string `json:"why"`
	Truth string `json:"truth"`
}

func runCheckDemo(ctx context.Context, seed uint64) (*CheckDemo, error) {
	recipe := synthetic.DefaultOrders()
	recipe.N = 600
	made, err := recipe.Generate(seed)
	if err != nil {
		return nil, err
	}
	table := tolerant.FromStrings(made.Sheet.Columns, made.Sheet.Rows, tolerant.Options{})
	table.Names = []string{"orders.csv"}
	r, err := Check{Table: table, Seed: seed}.Run(ctx, nil)
	if err != nil {
		return nil, err
	}
	demo := &CheckDemo{Verdict: r.Verdict, Rows: r.Rows, result: r}
	for i, wrong := range made.Truth.Outlier {
		switch called := r.Found.Wrong[i]; {
		case wrong && called:
			demo.Found++
			demo.Broken++
		case wrong:
			demo.Broken++
		case called:
			demo.FalseAlarms++
		}
	}
	for _, row := range r.Worst(10) {
		truth := "nothing: a false alarm"
		if note := made.Truth.Note[row-1]; note != "" {
			truth = note + ": " + made.Truth.Guilty[row-1]
		}
		demo.Findings = append(demo.Findings, CheckedLine{row, r.Why(row - 1), truth})
	}
	return demo, nil
}

// Table shows the worst rows with what was done to them.
func (d *CheckDemo) Table() *report.Table {
	t := &report.Table{
		Title:   fmt.Sprintf("Orders of a shop, as people write them: %d rows, %d of them wrong", d.Rows, d.Broken),
		Columns: []report.Column{{Name: "row"}, {Name: "why it is called wrong"}, {Name: "what was done to it"}},
		Notes:   []string{fmt.Sprintf("%d of %d wrong rows found, with %d false alarms.", d.Found, d.Broken, d.FalseAlarms)},
	}
	for _, f := range d.Findings {
		t.Add(f.Row, f.Why, f.Truth)
	}
	return t
}
