package compare

import (
	"math"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/report"
	"github.com/inlier-ml/inlier/tune"
)

// Standing is how methods that learn a target did, the best first.
type Standing struct {
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
	Hit     report.Number `json:"rows_corrupted"` // training rows, mean over the repeats
	Tuned   bool          `json:"tuned"`
	Seed    uint64        `json:"seed"`
	Methods []Line        `json:"methods"`           // best first
	Remarks []string      `json:"remarks,omitempty"` // on how the data were read

	standing *tune.Standing
}

// Line is how one method did.
type Line struct {
	Label      string                     `json:"label"`
	Method     string                     `json:"method"`
	Parameters catalog.Parameters         `json:"parameters"`
	Mean       report.Number              `json:"mean"`
	SD         report.Number              `json:"sd"`
	Rank       report.Number              `json:"mean_rank"`
	Versus     *tune.Difference           `json:"versus_best,omitempty"`
	Metrics    map[string]report.Number   `json:"metrics"` // means
	Scores     map[string][]report.Number `json:"scores"`  // by repeat
	Flagged    report.Number              `json:"outlier_share"`
	Found      report.Number              `json:"corrupted_found"`
	False      report.Number              `json:"false_alarms"`
	Seconds    report.Number              `json:"fit_seconds"`
	Tuned      catalog.Parameters         `json:"tuned_parameters,omitempty"` // of the first repeat
	Failure    string                     `json:"failure,omitempty"`
}

func newStanding(s *tune.Standing, c tune.Contest, set *dataset.Set) *Standing {
	r := &Standing{Data: set.Name, Rows: set.Rows(), Columns: set.Dim(), Target: set.Target.Name, Task: s.Task, Metric: s.Metric.String(), Repeats: s.Repeats,
		Train: s.Train, Test: s.Test, Corrupt: c.Corrupt, Hit: report.Number(s.Dirty), Tuned: c.Tune, Seed: c.Seed, standing: s}
	for _, l := range s.Lines {
		line := Line{Label: l.Label, Method: l.Method.Name, Parameters: catalog.Parameters(l.Params), Mean: report.Number(l.Mean), SD: report.Number(l.SD), Rank: report.Number(l.MeanRank),
			Versus: finiteTest(l.Versus), Metrics: map[string]report.Number{}, Scores: map[string][]report.Number{}, Flagged: report.Number(l.Flagged), Found: report.Number(l.Found), False: report.Number(l.False),
			Seconds: report.Number(l.Seconds), Tuned: catalog.Parameters(l.Tuned), Failure: l.Failure}
		for name, scores := range l.Scores {
			line.Scores[name] = report.Numbers(scores)
			sum := 0.0
			for _, v := range scores {
				sum += v / float64(len(scores))
			}
			line.Metrics[name] = report.Number(sum)
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

// Table lays the contest out: for files with plain numbers only.
func (r *Standing) Table(plain bool) *report.Table {
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
				v = report.Number(math.NaN())
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
