package inlier

import (
	"context"
	"fmt"
	"strings"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/compare"
	"github.com/inlier-ml/inlier/dataset/synthetic"
	"github.com/inlier-ml/inlier/judge"
	"github.com/inlier-ml/inlier/plot"
	"github.com/inlier-ml/inlier/report"
)

// StationDemo is the first part of the demonstration: a table of sensor readings.
type StationDemo struct {
	Rows     int           `json:"rows"`
	Columns  int           `json:"columns"`
	Broken   int           `json:"broken"` // rows that are wrong
	Methods  []StationLine `json:"methods"`
	Findings []Finding     `json:"findings"` // the default method's outliers

	verdicts map[string]*judge.Verdict
	fits     map[string]*compare.Fitted
	spectra  []report.Spectrum // of ordinary PCA and of the default, with more components
}

// StationLine is how one method did.
type StationLine struct {
	Method      string  `json:"method"`
	Angle       float64 `json:"angle"`        // degrees to the true subspace
	Found       int     `json:"found"`        // broken rows that were flagged
	FalseAlarms int     `json:"false_alarms"` // other rows that were flagged
	Error       float64 `json:"clean_error"`  // mean distance of intact rows from their reconstruction
}

// Finding is an outlier with its reason and what was really wrong.
type Finding struct {
	Row   int            `json:"row"`
	Why   []judge.Reason `json:"why"`
	Truth string         `json:"truth"`
}

func runStation(ctx context.Context, seed uint64) (*StationDemo, error) {
	// Almost a third of the rows are wrong, most of them alike: enough to hide each other
	// from methods that start at ordinary PCA.
	recipe := synthetic.DefaultSensors()
	recipe.Stuck, recipe.Spikes, recipe.Strangers = 24, 8, 40
	made, err := recipe.Generate(seed)
	if err != nil {
		return nil, err
	}
	set, truth := made.Set, made.Truth
	demo := &StationDemo{Rows: set.Rows(), Columns: set.Dim(), verdicts: map[string]*judge.Verdict{}, fits: map[string]*compare.Fitted{}}
	var intact []int
	for i, wrong := range truth.Outlier {
		if wrong {
			demo.Broken++
		} else {
			intact = append(intact, i)
		}
	}
	clean := set.Subset(intact).X
	for _, e := range append(catalog.Printed(), catalog.Entrant{Label: catalog.Default(), Method: catalog.Default()}) {
		f, err := compare.Enter(ctx, e, set, map[string]string{"components": "3"}, catalog.Run{Seed: seed})
		if err != nil {
			return nil, err
		}
		line := StationLine{Method: e.Label}
		if line.Angle, err = f.AngleTo(truth.Basis); err != nil {
			return nil, err
		}
		if line.Error, _, err = f.ErrorOn(ctx, clean); err != nil {
			return nil, err
		}
		v, err := judge.All(ctx, f.Model.(catalog.Detector), set, true)
		if err != nil {
			return nil, err
		}
		for i, row := range v.Rows {
			switch {
			case row.Outlier && truth.Outlier[i]:
				line.Found++
			case row.Outlier:
				line.FalseAlarms++
			}
		}
		demo.Methods = append(demo.Methods, line)
		demo.verdicts[e.Label], demo.fits[e.Label] = v, f
	}
	for _, name := range []string{classical, catalog.Default()} {
		f, err := compare.Enter(ctx, catalog.Entrant{Label: name, Method: name}, set, map[string]string{"components": "6"}, catalog.Run{Seed: seed})
		if err != nil {
			return nil, err
		}
		demo.spectra = append(demo.spectra, plot.Spectrum(f.Model, name))
	}
	for _, row := range demo.verdicts[catalog.Default()].Select(true, demo.Rows) {
		note := truth.Note[row.Row-1]
		if note == "" {
			note = "nothing: a false alarm"
		}
		demo.Findings = append(demo.Findings, Finding{Row: row.Row, Why: row.Why, Truth: note})
	}
	return demo, nil
}

// Table compares the methods.
func (s *StationDemo) Table() *report.Table {
	t := &report.Table{
		Title: fmt.Sprintf("Hourly readings of a pumping station: %d rows, %d of them wrong", s.Rows, s.Broken),
		Columns: []report.Column{
			{Name: "method"}, {Name: "angle", Unit: "degrees", Format: "%.1f", Best: report.Lowest},
			{Name: "found", Best: report.Highest}, {Name: "false alarms"}, {Name: "error", Format: "%.2f", Best: report.Lowest},
		},
		Notes: []string{
			"angle: to the true subspace; found: wrong rows that were flagged; error: mean distance of intact rows from their reconstruction.",
			"The papers' methods start at ordinary PCA with the papers' parameters; " + catalog.Default() + " is the default.",
		},
	}
	for _, m := range s.Methods {
		t.Add(m.Method, m.Angle, m.Found, m.FalseAlarms, m.Error)
	}
	return t
}

// reasonsTable lists the worst outliers and why they are ones.
func (s *StationDemo) reasonsTable(most int) *report.Table {
	t := &report.Table{Columns: []report.Column{{Name: "row"}, {Name: "what stands out"}, {Name: "what was done to it"}}}
	for i, f := range s.Findings {
		if i == most {
			t.Notes = append(t.Notes, fmt.Sprintf("and %d more", len(s.Findings)-i))
			break
		}
		t.Add(f.Row, judge.ReasonText(f.Why[:min(3, len(f.Why))]), f.Truth)
	}
	return t
}

// Varied lists outliers of every sort, the worst of each first.
func (s *StationDemo) Varied(most int) *report.Table {
	bySort := map[string][]Finding{}
	var order []string
	for _, f := range s.Findings {
		sort, _, _ := strings.Cut(f.Truth, ":")
		if bySort[sort] == nil {
			order = append(order, sort)
		}
		bySort[sort] = append(bySort[sort], f)
	}
	picked := &StationDemo{}
	for k := 0; len(picked.Findings) < min(most, len(s.Findings)); k++ {
		for _, sort := range order {
			if k < len(bySort[sort]) && len(picked.Findings) < most {
				picked.Findings = append(picked.Findings, bySort[sort][k])
			}
		}
	}
	t := picked.reasonsTable(most)
	t.Notes = []string{"column=value (its part of the distance, + is too high; share of the squared distance that goes when it is set right)"}
	if left := len(s.Findings) - len(picked.Findings); left > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("and %d rows more", left))
	}
	return t
}
