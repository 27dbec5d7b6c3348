package compare

import (
	"slices"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/report"
)

// Table lays the comparison out.
func (c *Reduced) Table() *report.Table {
	t := &report.Table{Columns: []report.Column{
		{Name: "method"}, {Name: "explained", Format: "%.3f"}, {Name: "regular", Format: "%.3f"},
		{Name: "outliers"}, {Name: "effective", Format: "%.1f"}, {Name: "angle", Unit: "degrees", Format: "%.2f"},
	}}
	corrupted := c.Corrupt != ""
	if corrupted {
		t.Columns = append(t.Columns, report.Column{Name: "clean error", Format: "%.4g", Best: report.Lowest}, report.Column{Name: "median", Format: "%.4g", Best: report.Lowest})
	}
	t.Columns = append(t.Columns, report.Column{Name: "fit", Unit: "ms", Format: "%.1f"})
	t.Notes = []string{
		"explained, regular: share of the variance of all rows, of the regular rows; effective: effective sample size;",
		"angle: to the subspace of " + c.Default,
	}
	if corrupted {
		t.Notes[1] += "; clean error, median: distance of clean rows from their reconstruction"
	}
	if slices.ContainsFunc(c.Methods, func(m Contender) bool { of, err := catalog.Lookup(m.Fit.Method); return err == nil && of.OneSided() }) {
		t.Notes = append(t.Notes, catalog.OneSidedNote)
	}
	for _, m := range c.Methods {
		cells := []any{m.Method, float64(m.Classical), float64(m.Robust), m.Outliers, float64(m.Effective), float64(m.Angle)}
		if corrupted {
			cells = append(cells, float64(*m.CleanError), float64(*m.CleanMedian))
		}
		t.Rows = append(t.Rows, append(cells, 1000*float64(m.Seconds)))
	}
	return t
}

// Find is the line of a method; nil when it was not compared.
func (c *Reduced) Find(method string) *Contender {
	k := slices.IndexFunc(c.Methods, func(m Contender) bool { return m.Method == method })
	if k < 0 {
		return nil
	}
	return &c.Methods[k]
}
