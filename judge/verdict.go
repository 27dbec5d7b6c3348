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
	Memory     int64                `json:"memory_bound_bytes,omitempty"` // within which a table that does not fit was read in blocks

	Silent bool `json:"-"` // the model does not tell why

	whole []Row           // all rows, also when Rows holds a selection
	has   map[string]bool // columns of the table
	far   int             // rows that are no outliers and yet not regular
	// outlying and others count the outliers and the other rows by their kind.
	outlying, others map[verdict.Kind]int
}

// All collects the verdict on every row.
func All(ctx context.Context, m catalog.Detector, set *dataset.Set, why bool) (*Verdict, error) {
	return NewParts(m, set.Name, why).All(ctx, set)
}

// All judges the only part.
func (p *Parts) All(ctx context.Context, set *dataset.Set) (*Verdict, error) {
	p.Among(set)
	v, err := p.Judge(given.Context(ctx), 0, set)
	if v != nil {
		v.Silent = p.total.Silent
	}
	return v, err
}

// Parts judges a table one part of its rows after the other, so that it need not be in memory as a whole.
type Parts struct {
	// Gaps say that rows which lack a number are not judged: their kind is [verdict.Missing].
	Gaps bool

	model   catalog.Detector
	explain *explainer // nil: why is not asked
	total   *Verdict
}

// NewParts begins with no row.
func NewParts(m catalog.Detector, data string, why bool) *Parts {
	p := &Parts{model: m, total: newVerdict(m.Describe().Method, data)}
	if why {
		p.explain = newExplainer(m)
	}
	return p
}

func newVerdict(method, data string) *Verdict {
	return &Verdict{Method: method, Data: data, Kinds: map[verdict.Kind]int{}, Rows: []Row{}, has: map[string]bool{},
		outlying: map[verdict.Kind]int{}, others: map[verdict.Kind]int{}}
}

// Total is the verdict on all parts so far, without their rows.
func (p *Parts) Total() *Verdict { return p.total }

// NeedsAll tells that reasons compare rows with all others, which parts do not know: those of labels do, by the medians of
// classes.
func (p *Parts) NeedsAll() bool { return p.explain != nil && p.explain.about.Task == catalog.Classify }

// Among says what all rows are, where that is known.
func (p *Parts) Among(whole *dataset.Set) {
	if p.explain != nil {
		p.explain.whole = whole
	}
}

// Judge is the verdict on the next rows, of which the first has the number first, from 0.
func (p *Parts) Judge(ctx context.Context, first int, set *dataset.Set) (*Verdict, error) {
	v := newVerdict(p.total.Method, p.total.Data)
	var lacking []int
	if p.Gaps {
		set, lacking = Filled(set)
	}
	v.Of, v.Rows = set.Rows(), make([]Row, 0, set.Rows())
	v.has["id"] = set.IDs != nil
	err := blocks(ctx, p.model, set, func(at int, part *dataset.Set, o *verdict.Rows) error {
		if p.explain != nil {
			if err := p.explain.block(ctx, part, o); err != nil {
				return err
			}
		}
		v.add(first+at, part, o, p.explain)
		return nil
	})
	if err == nil {
		v.takeBack(lacking)
	}
	v.whole = v.Rows
	p.total.count(v)
	p.total.Silent = p.explain != nil && p.explain.mute
	return v, err
}

// count adds what a part tells, but for its rows.
func (v *Verdict) count(part *Verdict) {
	v.Of += part.Of
	v.Outliers += part.Outliers
	v.far += part.far
	v.Orthogonal, v.Score, v.Residual, v.has = part.Orthogonal, part.Score, part.Residual, part.has
	for _, pair := range [][2]map[verdict.Kind]int{{v.Kinds, part.Kinds}, {v.outlying, part.outlying}, {v.others, part.others}} {
		for k, n := range pair[1] {
			pair[0][k] += n
		}
	}
}

// add takes in what the model says of consecutive rows.
func (v *Verdict) add(first int, set *dataset.Set, o *verdict.Rows, explain *explainer) {
	at := func(list []float64, i int) *report.Number {
		if list == nil {
			return nil
		}
		n := report.Number(list[i])
		return &n
	}
	for name, list := range map[string][]float64{"orthogonal_distance": o.OrthogonalDistance, "score_distance": o.ScoreDistance, "residual": o.Residual} {
		v.has[name] = list != nil
	}
	v.has["suggested"] = o.Suggested != nil
	v.has["given"] = o.Suggested != nil && set.Target != nil && set.Target.Labels != nil
	v.Orthogonal, v.Score, v.Residual = report.Number(o.OrthogonalCutoff), report.Number(o.ScoreCutoff), report.Number(o.ResidualCutoff)
	for _, k := range o.Kinds {
		v.Kinds[k] += 0
	}
	for i, out := range o.Outlier {
		row := Row{Row: first + i + 1, Outlier: out, Orthogonal: at(o.OrthogonalDistance, i), Score: at(o.ScoreDistance, i),
			Residual: at(o.Residual, i), Weight: 1, far: outlyingness(o, i), grave: graveness(o, i)}
		if set.IDs != nil {
			row.ID = set.IDs[i]
		}
		if v.has["given"] {
			row.Given = set.Target.Class(i)
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
			v.outlying[row.Kind]++
			if explain != nil {
				row.Why = explain.row(i)
			}
		} else if row.Kind != verdict.Regular && row.Kind != "" {
			v.others[row.Kind]++
		}
		v.Rows = append(v.Rows, row)
	}
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
		rows = worst(append([]Row{}, rows...), top)
	}
	return rows
}

// worst sorts rows, the worst first and of equal ones the earlier, and keeps so many.
func worst(rows []Row, most int) []Row {
	sort.SliceStable(rows, func(i, j int) bool {
		if rows[i].grave != rows[j].grave {
			return rows[i].grave > rows[j].grave
		}
		return rows[i].far > rows[j].far
	})
	return rows[:min(most, len(rows))]
}

// Keep takes the rows of a part into a verdict on all of them: those that are asked for as by [Verdict.Select].
func (v *Verdict) Keep(part *Verdict, flagged bool, top int) {
	if v.Rows = append(v.Rows, part.Select(flagged, 0)...); top > 0 && len(v.Rows) > 2*top+1024 {
		v.Rows = slices.Clip(worst(v.Rows, top))
	}
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
	list := func(counts map[verdict.Kind]int) string {
		var parts []string
		for _, k := range slices.Sorted(maps.Keys(counts)) {
			parts = append(parts, fmt.Sprintf("%d %s", counts[k], k))
		}
		return strings.Join(parts, ", ")
	}
	text := ""
	if len(v.outlying) > 0 {
		text = " (" + list(v.outlying) + ")"
	}
	if v.far > 0 && len(v.others) > 0 {
		text += "; far out and yet right: " + list(v.others)
	}
	return text
}

// Distances are what the outlier map shows.
func (v *Verdict) Distances() (report.Distances, error) {
	d := report.Distances{ScoreCut: float64(v.Score), OrthogonalCut: float64(v.Orthogonal)}
	if len(v.all()) < v.Of {
		return d, usage("memory", "--limit N judges the first N rows, --memory gives more room", "a map shows all rows, and these were read in blocks")
	}
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
