package inlier

import (
	"context"
	"fmt"
	"strings"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/compare"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/report"
	"github.com/inlier-ml/inlier/tune"
)

// Compare is the job of setting methods side by side on one's own data: those that reduce
// rows, or with a target those that learn it.
type Compare struct {
	Data       Data               `json:"data"`
	Methods    []string           `json:"methods,omitempty"`    // none: those that suit the data
	Parameters catalog.Parameters `json:"parameters,omitempty"` // for every method that has them
	Corrupt    string             `json:"corrupt,omitempty"`    // dirty the data first, such as rows:0.2; of learners the training rows
	Seed       uint64             `json:"seed,omitempty"`

	// With a target:
	Repeats  int     `json:"repeats,omitempty"`  // random divisions into training and test rows; 0: 10
	Test     float64 `json:"test,omitempty"`     // share of the rows to test on; 0: 0.25
	Group    string  `json:"group,omitempty"`    // column whose equal values stay on one side; it is not learned from
	Together bool    `json:"together,omitempty"` // keep rows with the same numbers on one side
	Metric   string  `json:"metric,omitempty"`   // what ranks; empty: what suits the task
	Tune     bool    `json:"tune,omitempty"`     // choose every method's parameters by cross-validation on the training rows
}

// CompareResult is one of two comparisons.
type CompareResult struct {
	Reduced  *compare.Reduced  // of methods that reduce rows
	Standing *compare.Standing // of methods that learn the target

	set *dataset.Set // as the methods that reduce rows have seen it
}

// Learns tells whether the comparison is about methods that learn the target. Methods
// that reduce rows are compared with the target set apart, when they alone are named.
func (c Compare) Learns() bool {
	hasTarget := c.Data.Target != "" && c.Data.Target != "none" || c.Data.Set != nil && c.Data.Set.Target != nil
	if !hasTarget {
		return false
	}
	for _, name := range c.Methods {
		if m, err := catalog.Lookup(strings.TrimSpace(name)); err != nil || m.Family != catalog.Lineups()[0].Family {
			return true
		}
	}
	return len(c.Methods) == 0
}

func (c Compare) reductions() compare.Reductions {
	return compare.Reductions{Methods: c.Methods, Shared: c.Parameters, Corrupt: c.Corrupt, Seed: c.Seed}
}

// Run reads the data and compares.
func (c Compare) Run(ctx context.Context, o Observer) (*CompareResult, error) {
	ctx = given.AllOrNothing(ctx)
	r := newReporter("compare", o)
	tell, remarks, rest := c.Data.OnColumns, []string(nil), []int(nil)
	c.Data.OnColumns = func(columns []ReadColumn, said []tolerant.Remark) {
		if tell != nil {
			tell(columns, said)
		}
		remarks = noted(columns, said)
	}
	c.Data.rest = &rest
	result, err := c.run(ctx, r)
	if err != nil {
		return nil, err
	}
	if result.Standing != nil {
		result.Standing.Remarks = remarks
	} else {
		result.Reduced.Remarks, result.Reduced.Numbers = remarks, counted(rest)
	}
	return result, nil
}

// noted is what was said of how a table was read.
func noted(columns []ReadColumn, said []tolerant.Remark) (remarks []string) {
	for _, r := range said {
		remarks = append(remarks, r.Text)
	}
	var why []string
	names := map[string][]string{}
	for _, c := range columns {
		if c.LeftOut == "" {
			continue
		}
		if names[c.LeftOut] == nil {
			why = append(why, c.LeftOut)
		}
		names[c.LeftOut] = append(names[c.LeftOut], c.Name)
	}
	for k, reason := range why {
		why[k] = fmt.Sprintf("%s (%s)", strings.Join(names[reason], ", "), reason)
	}
	if why != nil {
		remarks = append(remarks, "Columns left out: "+strings.Join(why, "; ")+".")
	}
	return remarks
}

func (c Compare) run(ctx context.Context, r *reporter) (*CompareResult, error) {
	if c.Data.Source != nil { // whether it has a target decides what is compared
		set, err := c.Data.gather(ctx)
		if err != nil {
			return nil, err
		}
		c.Data.Set, c.Data.Source = set, nil
	}
	if c.Learns() {
		return c.learners(ctx, r)
	}
	job := c.reductions()
	if err := job.Check(); err != nil {
		return nil, aboutNames("methods", err)
	}
	set, err := c.Data.read(ctx, needs{Missing: c.Parameters["missing"] == "fit", Varied: true}, r)
	if err != nil {
		return nil, err
	}
	job.Observe = func(p compare.Progress) {
		r.send(Event{Phase: "fit", Label: p.Label, Done: p.Done, Total: p.Total, Step: p.Step, Rows: set.Rows(), Columns: set.Dim()})
	}
	reduced, seen, err := job.Run(ctx, set)
	if err != nil {
		return nil, err
	}
	return &CompareResult{Reduced: reduced, set: seen}, nil
}

// aboutNames says of a method that there is not which list of names it is in.
func aboutNames(field string, err error) error {
	if e, ok := AsError(err); ok && e.Parameter == "method" {
		return about(field, err)
	}
	return err
}

func (c Compare) learners(ctx context.Context, r *reporter) (*CompareResult, error) {
	job := compare.Learners{Methods: c.Methods, Shared: c.Parameters, Corrupt: c.Corrupt, Repeats: c.Repeats, Test: c.Test, Metric: c.Metric, Tune: c.Tune, Seed: c.Seed}
	if job.Repeats == 0 {
		job.Repeats = 10
	}
	if job.Test == 0 {
		job.Test = 0.25
	}
	if err := job.Check(); err != nil {
		return nil, aboutNames("methods", err)
	}
	set, groups, err := c.Data.grouped(ctx, c.Group, r)
	if err != nil {
		return nil, err
	}
	job.Rules = dataset.SplitRules{Groups: groups, Together: c.Together}
	job.Observe = func(p tune.Progress) { r.send(Event{Phase: "fit", Label: "fits", Done: p.Done, Total: p.All}) }
	standing, err := job.Run(ctx, set)
	if err != nil {
		return nil, aboutNames("methods", err)
	}
	return &CompareResult{Standing: standing}, nil
}

// MarshalJSON writes the comparison that was made.
func (c *CompareResult) MarshalJSON() ([]byte, error) {
	if c.Standing != nil {
		return report.JSON(c.Standing)
	}
	return report.JSON(c.Reduced)
}

// Table lays the comparison out: for files with plain numbers only.
func (c *CompareResult) Table(plain bool) *report.Table {
	if c.Standing != nil {
		return c.Standing.Table(plain)
	}
	return c.Reduced.Table()
}

// Page is the comparison as a page with pictures.
func (c *CompareResult) Page(ctx context.Context) (*report.Page, error) {
	var page *report.Page
	var remarks []string
	var err error
	if c.Standing != nil {
		page, err = c.Standing.Page(ctx)
		remarks = c.Standing.Remarks
	} else {
		page, err = c.Reduced.Page(ctx, c.set)
		remarks = c.Reduced.Remarks
	}
	for _, text := range remarks[:min(len(remarks), 12)] {
		if err == nil {
			page.Lead += " " + report.Literal(text)
		}
	}
	return page, err
}
