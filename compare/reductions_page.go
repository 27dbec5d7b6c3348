package compare

import (
	"context"
	"fmt"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/judge"
	"github.com/inlier-ml/inlier/plot"
	"github.com/inlier-ml/inlier/report"
)

// Page is the comparison as a page with pictures.
func (c *Reduced) Page(ctx context.Context, set *dataset.Set) (*report.Page, error) {
	ctx = given.Context(ctx)
	page := &report.Page{
		Title: "Classical and robust methods on " + words.Base(c.Data),
		Facts: []report.Fact{
			{Name: "rows", Value: fmt.Sprint(c.Rows)}, {Name: "columns", Value: fmt.Sprint(c.Columns)},
			{Name: "kept", Value: c.Kept()},
		},
	}
	lead := "A small angle means that a method agrees with `" + c.Default + "`. Where a classical method disagrees, outliers have turned it."
	if c.Corrupt != "" {
		lead = fmt.Sprintf("The data were dirtied on purpose by `%s`, which hit %s. %s", c.Corrupt, words.Plural(c.Hit, "row"), lead)
	}
	page.Lead = lead
	page.Add("Side by side", "", c.Table())
	var maps report.Beside
	var spectra []report.Spectrum
	var traces []report.Trace
	for _, name := range []string{c.lineup.Classical, c.Default} {
		m := c.Find(name)
		if m == nil {
			continue
		}
		if s := plot.Spectrum(m.Fit.Model, name); len(s.Values) > 0 {
			spectra = append(spectra, s)
		}
		if d, ok := m.Fit.Model.(catalog.Detector); ok {
			v, err := judge.All(ctx, d, set, false)
			if err != nil {
				return nil, err
			}
			chart, err := v.Map()
			if err != nil {
				return nil, err
			}
			chart.Title, chart.Note = "Outlier map by "+name, ""
			maps = append(maps, chart)
		}
	}
	for _, m := range c.Methods {
		if t := plot.Trace(m.Fit.Model, m.Method); len(t.Objective) > 1 {
			traces = append(traces, t)
		}
	}
	page.Add("Outlier maps", "Rows beyond the horizontal line do not fit the subspace; rows beyond the vertical one lie far out within it. A classical method often hides outliers: they have pulled the subspace towards themselves.", maps)
	if len(spectra) > 0 {
		page.Add("Variance", "How much variance each component explains, by ordinary PCA and by the robust fit.", report.Scree("Variance explained", spectra...))
	}
	if m := c.Find(c.Default); m != nil {
		if w, _ := plot.Weights(m.Fit.Model); w != nil {
			page.Add("Weights", "The vote that each row has in the robust fit.", report.Weights("Weights of the rows", w, 0.5, c.Numbers...))
		}
	}
	if len(traces) > 0 {
		page.Add("Convergence", "", report.Convergence("Objective and effective sample size", traces...))
	}
	page.Footer = "Made by `inlier compare`. Every method keeps " + c.Kept() + "."
	return page, nil
}
