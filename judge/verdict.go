package judge

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/report"
	"github.com/inlier-ml/inlier/verdict"
)

// Row is the verdict on one row.
type Row struct {
	Row        int            `json:"row"`          // from 1
	ID         string         `json:"id,omitempty"` // the row's name, where rows have names
	Weight     report.Number  `json:"weight"`
	Orthogonal *report.Number `json:"orthogonal_distance,omitempty"`
	Score      *report.Number `json:"score_distance,omitempty"`
	Residual   *report.Number `json:"residual,omitempty"`
	Outlier    bool           `json:"outlier"`
	Kind       verdict.Kind   `json:"kind"`
	Given      string         `json:"given,omitempty"`     // the label that the row came with
	Suggested  string         `json:"suggested,omitempty"` // the label a classifier would give
	Why        []Reason       `json:"why,omitempty"`

	far   float64
	grave int
}

// Outlyingness orders rows from regular to far out: the largest distance in units of its
// cut-off, or what stands for it in the model's family.
func (r *Row) Outlyingness() float64 { return r.far }

// Verdict is what a model says of the rows of a table.
type Verdict struct {
	Method     string               `json:"method"`
	Data       string               `json:"data"`
	Outliers   int                  `json:"outliers"` // count
	Of         int                  `json:"of"`       // rows judged
	Kinds      map[verdict.Kind]int `json:"kinds"`
	Orthogonal report.Number        `json:"orthogonal_cutoff,omitempty"`
	Score      report.Number        `json:"score_cutoff,omitempty"`
	Residual   report.Number        `json:"residual_cutoff,omitempty"`
	Rows       []Row                `json:"rows"`

	Silent bool `json:"-"` // the model does not tell why

	whole []Row           // all rows, also when Rows holds a selection
	has   map[string]bool // columns of the table
	far   int             // rows that are no outliers and yet not regular
}

// All collects the verdict on every row.
func All(ctx context.Context, m catalog.Detector, set *dataset.Set, why bool) (*Verdict, error) {
	ctx = given.Context(ctx)
	v := &Verdict{Method: m.Describe().Method, Data: set.Name, Of: set.Rows(), Kinds: map[verdict.Kind]int{}, Rows: make([]Row, 0, set.Rows())}
	at := func(list []float64, i int) *report.Number {
		if list == nil {
			return nil
		}
		n := report.Number(list[i])
		return &n
	}
	var explain *explainer
	if why {
		explain = newExplainer(m, set)
	}
	v.has = map[string]bool{"id": set.IDs != nil}
	err := blocks(ctx, m, set, func(first int, o *verdict.Rows) error {
		for name, list := range map[string][]float64{"orthogonal_distance": o.OrthogonalDistance, "score_distance": o.ScoreDistance, "residual": o.Residual} {
			v.has[name] = list != nil
		}
		v.has["suggested"] = o.Suggested != nil
		v.has["given"] = o.Suggested != nil && set.Target != nil && set.Target.Labels != nil
		if explain != nil {
			if err := explain.block(ctx, first, o); err != nil {
				return err
			}
		}
		v.Orthogonal, v.Score, v.Residual = report.Number(o.OrthogonalCutoff), report.Number(o.ScoreCutoff), report.Number(o.ResidualCutoff)
		for _, k := range o.Kinds {
			v.Kinds[k] += 0
		}
		for i, out := range o.Outlier {
			row := Row{Row: first + i + 1, Outlier: out, Orthogonal: at(o.OrthogonalDistance, i), Score: at(o.ScoreDistance, i),
				Residual: at(o.Residual, i), Weight: 1, far: outlyingness(o, i), grave: graveness(o, i)}
			if set.IDs != nil {
				row.ID = set.IDs[first+i]
			}
			if v.has["given"] {
				row.Given = set.Target.Class(first + i)
			}
			if o.Weight != nil {
				row.Weight = report.Number(o.Weight[i])
			}
			if o.Kind != nil {
				row.Kind = o.Kind[i]
				v.Kinds[row.Kind]++
				if !out && row.Kind != o.Kinds[0] {
					v.far++
				}
			}
			if o.Suggested != nil {
				row.Suggested = o.Suggested[i]
			}
			if out {
				v.Outliers++
				if explain != nil {
					row.Why = explain.row(i)
				}
			}
			v.Rows = append(v.Rows, row)
		}
		return nil
	})
	v.whole, v.Silent = v.Rows, explain != nil && explain.mute
	return v, err
}

// Select returns the rows in their order, or only the flagged ones; with top above 0 only
// so many, the worst first.
func (v *Verdict) Select(flagged bool, top int) []Row {
	rows := v.Rows
	if flagged {
		rows = []Row{} // a list also where it is empty, for readers of JSON
		for _, row := range v.Rows {
			if row.Outlier {
				rows = append(rows, row)
			}
		}
	}
	if top > 0 {
		rows = append([]Row{}, rows...)
		sort.SliceStable(rows, func(i, j int) bool {
			if rows[i].grave != rows[j].grave {
				return rows[i].grave > rows[j].grave
			}
			return rows[i].far > rows[j].far
		})
		rows = rows[:min(top, len(rows))]
	}
	return rows
}

// all are the rows that were judged.
func (v *Verdict) all() []Row {
	if v.whole == nil {
		return v.Rows
	}
	return v.whole
}

// KindsText lists how many outliers are of each kind, and what else is not regular.
func (v *Verdict) KindsText() string {
	outliers, others := map[verdict.Kind]int{}, map[verdict.Kind]int{}
	for _, row := range v.all() {
		switch {
		case row.Outlier:
			outliers[row.Kind]++
		case v.far > 0 && row.Kind != verdict.Regular && row.Kind != "":
			others[row.Kind]++
		}
	}
	list := func(counts map[verdict.Kind]int) string {
		var parts []string
		for _, k := range slices.Sorted(maps.Keys(counts)) {
			parts = append(parts, fmt.Sprintf("%d %s", counts[k], k))
		}
		return strings.Join(parts, ", ")
	}
	text := ""
	if len(outliers) > 0 {
		text = " (" + list(outliers) + ")"
	}
	if len(others) > 0 {
		text += "; far out and yet right: " + list(others)
	}
	return text
}

// Distances are what the outlier map shows.
func (v *Verdict) Distances() (report.Distances, error) {
	d := report.Distances{ScoreCut: float64(v.Score), OrthogonalCut: float64(v.Orthogonal)}
	for _, row := range v.all() {
		if row.Score == nil || row.Orthogonal == nil {
			return d, usage("model", "methods that reduce rows have one", "method %s has no outlier map", v.Method)
		}
		d.Score = append(d.Score, float64(*row.Score))
		d.Orthogonal = append(d.Orthogonal, float64(*row.Orthogonal))
	}
	d.Log = farOut(d.Orthogonal, d.OrthogonalCut) || farOut(d.Score, d.ScoreCut)
	return d, nil
}

// Map draws the outlier map.
func (v *Verdict) Map() (*report.Chart, error) {
	d, err := v.Distances()
	if err != nil {
		return nil, err
	}
	c := report.OutlierMap("Outlier map of "+words.Base(v.Data), d)
	c.Note = fmt.Sprintf("%d of %s lie beyond a cut-off of the %s model.", v.Outliers, words.Plural(v.Of, "row"), v.Method)
	if !(d.OrthogonalCut > 0) {
		c.Note += " There is no cut-off for the distance to the subspace: it leaves nothing out."
	}
	return c, nil
}

// farOut tells whether distances reach so far beyond the cut-off that regular rows would
// shrink to a speck on a linear axis.
func farOut(distances []float64, cutoff float64) bool {
	const many = 15
	return cutoff > 0 && slices.ContainsFunc(distances, func(v float64) bool { return v > many*cutoff })
}

// Table lays the verdict out for people and files.
func (v *Verdict) Table(why bool) *report.Table {
	t := &report.Table{}
	type column struct {
		name string
		has  bool
		cell func(row Row) any
	}
	optional := func(n *report.Number) any { return float64(*n) }
	columns := []column{
		{"row", true, func(r Row) any { return r.Row }},
		{"id", v.has["id"], func(r Row) any { return r.ID }},
		{"weight", true, func(r Row) any { return float64(r.Weight) }},
		{"orthogonal_distance", v.has["orthogonal_distance"], func(r Row) any { return optional(r.Orthogonal) }},
		{"score_distance", v.has["score_distance"], func(r Row) any { return optional(r.Score) }},
		{"residual", v.has["residual"], func(r Row) any { return optional(r.Residual) }},
		{"outlier", true, func(r Row) any { return r.Outlier }},
		{"kind", true, func(r Row) any { return r.Kind }},
		{"given", v.has["given"], func(r Row) any { return r.Given }},
		{"suggested", v.has["suggested"], func(r Row) any { return r.Suggested }},
		{"why", why, func(r Row) any { return ReasonText(r.Why) }},
	}
	columns = slices.DeleteFunc(columns, func(c column) bool { return !c.has })
	for _, c := range columns {
		t.Columns = append(t.Columns, report.Column{Name: c.name, Format: tableDigits(c.name)})
	}
	for _, row := range v.Rows {
		cells := make([]any, len(columns))
		for j, c := range columns {
			cells[j] = c.cell(row)
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// tableDigits are the digits of a column on a terminal; files hold all.
func tableDigits(name string) string {
	switch name {
	case "row":
		return ""
	case "weight":
		return "%.4g"
	}
	return "%.6g"
}
