package judge

import (
	"context"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/given"
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

// Silence leaves out reasons but for those of rows that are not judged.
func (p *Parts) Silence() { p.explain.silent = true }

// Judge is the verdict on the next rows, of which the first has the number first, from 0.
func (p *Parts) Judge(ctx context.Context, first int, set *dataset.Set) (*Verdict, error) {
	v := newVerdict(p.total.Method, p.total.Data)
	var lacking []int
	sent := set
	if p.Gaps {
		set, lacking = Filled(set)
	}
	v.Of, v.Rows = set.Rows(), make([]Row, 0, set.Rows())
	v.has["id"] = set.IDs != nil
	err := blocks(ctx, p.model, set, func(at int, part *dataset.Set, o *verdict.Rows) error {
		if p.explain != nil && !p.explain.silent {
			if err := p.explain.block(ctx, part, o); err != nil {
				return err
			}
		}
		v.add(first+at, part, o, p.explain)
		return nil
	})
	if err == nil {
		v.takeBack(sent, lacking)
	}
	if err == nil && p.explain != nil {
		for _, i := range lacking {
			v.Rows[i].Why = absent(sent, i)
		}
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
			if explain != nil && !explain.silent {
				row.Why = explain.row(i)
			}
		} else if row.Kind != verdict.Regular && row.Kind != "" {
			v.others[row.Kind]++
		}
		v.Rows = append(v.Rows, row)
	}
}
