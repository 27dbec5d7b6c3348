package experiment

import (
	"slices"

	"github.com/inlier-ml/inlier/report"
	"github.com/inlier-ml/inlier/score"
	"github.com/inlier-ml/inlier/tune"
)

// View is what a page is made from: an experiment with its records and verdict.
type View struct {
	Spec    *Spec
	Env     *Env
	Records []Record
	Verdict Verdict
	Page    *report.Page // sections are added to it

	r       *results
	figures map[string]*report.Chart
	top     string // the way from the page to the site's index
}

// Keep saves a chart of the page as a file of its own, figures/NAME.svg, for documents that
// quote it.
func (v *View) Keep(name string, c *report.Chart) {
	if v.figures == nil {
		v.figures = map[string]*report.Chart{}
	}
	v.figures[name] = c
}

// NewView judges the records.
func NewView(spec *Spec, env *Env, records []Record) *View {
	return &View{Spec: spec, Env: env, Records: records, Verdict: Judge(spec, records, env.Missing(spec.Needs)), Page: &report.Page{}, r: newResults(records)}
}

// Data lists the data sets in the order of the plan.
func (v *View) Data() []string { return slices.Clone(v.r.data) }

// Methods lists the methods in the order of the plan.
func (v *View) Methods() []string { return slices.Clone(v.r.methods) }

// Values are the scores of one method on one data set, by repeat.
func (v *View) Values(data, method, score string) []float64 { return v.r.values(data, method, score) }

// Stat is their mean and spread.
func (v *View) Stat(data, method, score string) Stat { return v.r.stat(data, method, score) }

// Series is a curve that a run has kept, from the first repeat that has it.
func (v *View) Series(data, method, name string) []float64 {
	for _, one := range v.r.by[[2]string{data, method}] {
		if s, ok := one.Series[name]; ok {
			return s
		}
	}
	return nil
}

// Of returns the records of one method on one data set, by repeat.
func (v *View) Of(data, method string) []*Record { return v.r.by[[2]string{data, method}] }

// Seconds is the mean time of the fits of one method on one data set, and Steps their mean number.
func (v *View) Seconds(data, method string) (seconds, steps float64) {
	list := v.Of(data, method)
	for _, r := range list {
		seconds += r.Seconds / float64(len(list))
		steps += float64(r.Steps) / float64(len(list))
	}
	return seconds, steps
}

// Pairs are the scores of two methods in the repeats in which both have one.
func (v *View) Pairs(data, a, b, name string) (x, y []float64) { return v.r.pairs(data, a, b, name) }

// PairedSplits is [View.Paired] for repeats that are random divisions of one table: they
// share training rows, so the test is widened as Nadeau and Bengio propose; ratio is that
// of test rows to training rows.
func (v *View) PairedSplits(data, a, b, name string, ratio float64) (score.TTest, bool) {
	x, y := v.Pairs(data, a, b, name)
	if len(x) < 3 {
		return score.TTest{}, false
	}
	t, err := tune.Resampled(x, y, ratio)
	return t, err == nil
}

// Paired tests whether two methods differ over the repeats of one data set, which must be
// independent draws. Repeats in which one of them failed are left out.
func (v *View) Paired(data, a, b, name string) (score.TTest, bool) {
	x, y := v.Pairs(data, a, b, name)
	if len(x) < 3 {
		return score.TTest{}, false
	}
	t, err := score.PairedT(x, y)
	return t, err == nil
}

// Spread is a mean with its deviation as a cell of a table; nil when there is nothing.
func Spread(s Stat) any {
	switch {
	case s.N == 0:
		return nil
	case s.N == 1:
		return s.Mean
	}
	return report.Spread{Value: s.Mean, Deviation: s.SD}
}

// Table lays one score out with methods across and data down.
func (v *View) Table(title, scoreName, format, better string, data, methods []string) *report.Table {
	t := &report.Table{Title: title, Columns: []report.Column{{Name: "data"}}, Across: true}
	for _, m := range methods {
		t.Columns = append(t.Columns, report.Column{Name: m, Format: format, Best: best(better)})
	}
	for _, d := range data {
		row := []any{d}
		for _, m := range methods {
			row = append(row, Spread(v.Stat(d, m, scoreName)))
		}
		t.Add(row...)
	}
	return t
}

func best(better string) report.Best {
	switch better {
	case "low":
		return report.Lowest
	case "high":
		return report.Highest
	}
	return report.NoBest
}

// Curves draws one line per method over the x that the scores at(x) are named by.
func (v *View) Curves(title string, x, y report.Axis, data string, methods []string, at []float64, name func(x float64) string) *report.Chart {
	var lines []report.Series
	for k, m := range methods {
		s := report.Series{Name: m, Mark: report.LineDots, Color: k + 1}
		for _, p := range at {
			if stat := v.Stat(data, m, name(p)); stat.N > 0 {
				s.X, s.Y = append(s.X, p), append(s.Y, stat.Mean)
			}
		}
		if len(s.X) > 0 {
			lines = append(lines, s)
		}
	}
	return report.Lines(title, x, y, lines...)
}
