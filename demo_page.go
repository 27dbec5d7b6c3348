package inlier

import (
	"fmt"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/plot"
	"github.com/inlier-ml/inlier/report"
)

// Page puts the demonstration on one page.
func (r *DemoResult) Page() *report.Page {
	s := r.Station
	best, ordinary := s.line(catalog.Default()), s.line(classical)
	page := &report.Page{
		Title: "Learning from dirty data",
		Lead: fmt.Sprintf("Ordinary PCA gives every row the same vote, so a few wrong rows decide where it points. A robust fit lets every row's distance decide its vote. "+
			"On the readings below ordinary PCA is %.0f degrees off the truth; the robust default is %.1f degrees off and finds %d of %d wrong rows.",
			ordinary.Angle, best.Angle, best.Found, s.Broken),
		Facts: []report.Fact{
			{Name: "ordinary PCA is off by", Value: fmt.Sprintf("%.0f degrees", ordinary.Angle)},
			{Name: catalog.Default() + " is off by", Value: fmt.Sprintf("%.1f degrees", best.Angle)},
			{Name: "wrong rows found", Value: fmt.Sprintf("%d of %d", best.Found, s.Broken)},
			{Name: "false alarms", Value: fmt.Sprintf("%d of %d", best.FalseAlarms, s.Rows-s.Broken)},
		},
	}
	page.Add("What is wrong in a file",
		"Orders of a shop with currencies, percent signs, dates, missing marks and a doubled column name. `inlier check orders.csv` reads them as they are and is told nothing; the last column is what the generator really did.",
		r.Check.Table(), r.Check.result.worstTable(10))
	page.Add("A pumping station",
		fmt.Sprintf("Nine sensors are read every hour for ten days. Load, weather and a valve move all of them together, so intact rows lie near a three-dimensional subspace. "+
			"In %d of %d hours something is wrong: the pressure sensor is stuck, a single reading is far off, or the row belongs to another machine.", s.Broken, s.Rows),
		s.Table())
	page.Add("Which rows, and why",
		"For a row that does not fit, the columns that make up its distance tell what is wrong with it. The last column is what the generator really did; the method does not know it.",
		s.Varied(16))
	maps := report.Beside{}
	for _, name := range []string{classical, catalog.Default()} {
		if d, err := s.verdicts[name].Distances(); err == nil {
			d.Log = true
			maps = append(maps, report.OutlierMap("Outlier map by "+name, d))
		}
	}
	page.Add("Outlier maps",
		"Each point is an hour. Above the horizontal line it does not fit the subspace; right of the vertical line it lies far out within it. Ordinary PCA has turned towards the wrong rows, so many of them look regular to it.",
		maps)
	page.Add("Variance", "Wrong rows blow up the variance that ordinary PCA sees and spread it over more components. The robust fit estimates the variance of the regular rows and shows the three causes behind them.",
		report.Scree("Variance explained by each component", s.spectra...))
	if w, _ := plot.Weights(s.fits[catalog.Default()].Model); w != nil {
		page.Add("Weights", "The vote that each hour has in the robust fit: 1 is a full vote, 0 is none.", report.Weights("Weights of the rows", w, 0.5))
	}
	var traces []report.Trace
	for _, m := range s.Methods {
		if t := plot.Trace(s.fits[m.Method].Model, m.Method); len(t.Objective) > 1 {
			traces = append(traces, t)
		}
	}
	page.Add("Convergence", "Each step computes weights from distances, then the subspace from weights. Stages in which the bandwidth is still being found end where the curve jumps.",
		report.Convergence("Objective and effective sample size, step by step", traces...))
	page.Add("How much dirt is too much",
		"200 rows near a three-dimensional subspace of 20 columns, of which a growing share sits in one far cluster. Methods that start at ordinary PCA stay there. The default first looks for the least outlying half of the rows.",
		r.Breakdown.chart(), r.Breakdown.Table())
	page.Add("Pictures",
		fmt.Sprintf("%d drawings of invented people, %d of them partly covered by noise; the methods see only what is in the second row and keep %d numbers of each picture. Nobody told them which pictures are spoiled.", r.Faces.Images, r.Faces.Spoiled, r.Faces.Components),
		r.Faces.chart(), r.Faces.Table())
	page.Footer = "Made by `inlier demo` from generated data. Try your own: `inlier compare YOUR.csv --out compare.html`."
	return page
}

// line is the result of a method.
func (s *StationDemo) line(method string) StationLine {
	for _, m := range s.Methods {
		if m.Method == method {
			return m
		}
	}
	return StationLine{}
}
