package main

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/report"
)

// judged is the verdict on one row.
type judged struct {
	Row        int      `json:"row"` // from 1
	Weight     number   `json:"weight"`
	Orthogonal *number  `json:"orthogonal_distance,omitempty"`
	Score      *number  `json:"score_distance,omitempty"`
	Residual   *number  `json:"residual,omitempty"`
	Outlier    bool     `json:"outlier"`
	Kind       string   `json:"kind"`
	Suggested  string   `json:"suggested,omitempty"` // the label a classifier would give
	Why        []reason `json:"why,omitempty"`

	far float64
}

// verdict is what `outliers --json` prints.
type verdict struct {
	Method     string         `json:"method"`
	Data       string         `json:"data"`
	Outliers   int            `json:"outliers"` // count
	Of         int            `json:"of"`       // rows judged
	Kinds      map[string]int `json:"kinds"`
	Orthogonal number         `json:"orthogonal_cutoff,omitempty"`
	Score      number         `json:"score_cutoff,omitempty"`
	Residual   number         `json:"residual_cutoff,omitempty"`
	Rows       []judged       `json:"rows"`
}

// judgeAll collects the verdict on every row.
func judgeAll(ctx context.Context, m catalog.Detector, set *dataset.Set, why bool) (*verdict, error) {
	v := &verdict{Method: m.Describe().Method, Data: set.Name, Of: set.Rows(), Kinds: map[string]int{}, Rows: make([]judged, 0, set.Rows())}
	at := func(list []float64, i int) *number {
		if list == nil {
			return nil
		}
		n := number(list[i])
		return &n
	}
	err := judge(ctx, m, set, func(first int, o *catalog.Outliers) error {
		v.Orthogonal, v.Score, v.Residual = number(o.OrthogonalCutoff), number(o.ScoreCutoff), number(o.ResidualCutoff)
		for _, k := range o.Kinds {
			v.Kinds[k] += 0
		}
		for i, out := range o.Outlier {
			row := judged{Row: first + i + 1, Outlier: out, Orthogonal: at(o.OrthogonalDistance, i), Score: at(o.ScoreDistance, i),
				Residual: at(o.Residual, i), Weight: 1, far: outlyingness(o, i)}
			if o.Weight != nil {
				row.Weight = number(o.Weight[i])
			}
			if o.Kind != nil {
				row.Kind = o.Kind[i]
				v.Kinds[row.Kind]++
			}
			if o.Suggested != nil {
				row.Suggested = o.Suggested[i]
			}
			if out {
				v.Outliers++
				if why && o.Contributions != nil {
					row.Why = reasons(set.X.RawRowView(first+i), o.Contributions.RawRowView(i), squaredDistance(o, i), set.Columns, mostReasons)
				}
			}
			v.Rows = append(v.Rows, row)
		}
		return nil
	})
	return v, err
}

// selected are the rows that --flagged and --top leave, in their order.
func (v *verdict) selected(r outliersRequest) []judged {
	rows := v.Rows
	if r.flagged {
		rows = nil
		for _, row := range v.Rows {
			if row.Outlier {
				rows = append(rows, row)
			}
		}
	}
	if r.top > 0 {
		rows = append([]judged(nil), rows...)
		sort.SliceStable(rows, func(i, j int) bool { return rows[i].far > rows[j].far })
		rows = rows[:min(r.top, len(rows))]
	}
	return rows
}

// kinds lists how many rows are of each kind of outlier.
func (v *verdict) kinds() string {
	var names []string
	for k := range v.Kinds {
		names = append(names, k)
	}
	sort.Strings(names)
	var parts []string
	for _, k := range names {
		if n := v.Kinds[k]; n > 0 && k != "regular" {
			parts = append(parts, fmt.Sprintf("%d %s", n, k))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// distances are what the outlier map shows.
func (v *verdict) distances() (report.Distances, error) {
	d := report.Distances{ScoreCut: float64(v.Score), OrthogonalCut: float64(v.Orthogonal)}
	for _, row := range v.Rows {
		if row.Score == nil || row.Orthogonal == nil {
			return d, usage("methods that reduce rows have one", "method %s has no outlier map", v.Method)
		}
		d.Score = append(d.Score, float64(*row.Score))
		d.Orthogonal = append(d.Orthogonal, float64(*row.Orthogonal))
	}
	d.Log = farOut(d.Orthogonal, d.OrthogonalCut) || farOut(d.Score, d.ScoreCut)
	return d, nil
}

// chart draws the outlier map.
func (v *verdict) chart() (*report.Chart, error) {
	d, err := v.distances()
	if err != nil {
		return nil, err
	}
	c := report.OutlierMap("Outlier map of "+shortName(v.Data), d)
	c.Note = fmt.Sprintf("%d of %s lie beyond a cut-off of the %s model.", v.Outliers, plural(v.Of, "row"), v.Method)
	return c, nil
}

// farOut tells whether distances reach so far beyond the cut-off that regular rows would
// shrink to a speck on a linear axis.
func farOut(distances []float64, cutoff float64) bool {
	const many = 15
	return cutoff > 0 && slices.ContainsFunc(distances, func(v float64) bool { return v > many*cutoff })
}

// table lays the verdict out for people and files.
func (v *verdict) table(why bool) *report.Table {
	t := &report.Table{Columns: []report.Column{{Name: "row"}, {Name: "weight"}}}
	var sample judged
	if len(v.Rows) > 0 {
		sample = v.Rows[0]
	}
	add := func(name string, has bool) bool {
		if has {
			t.Columns = append(t.Columns, report.Column{Name: name})
		}
		return has
	}
	orthogonal := add("orthogonal_distance", sample.Orthogonal != nil)
	score := add("score_distance", sample.Score != nil)
	residual := add("residual", sample.Residual != nil)
	add("outlier", true)
	add("kind", true)
	suggested := add("suggested", sample.Suggested != "")
	add("why", why)
	for _, row := range v.Rows {
		cells := []any{row.Row, float64(row.Weight)}
		for _, d := range []struct {
			has bool
			v   *number
		}{{orthogonal, row.Orthogonal}, {score, row.Score}, {residual, row.Residual}} {
			if d.has {
				cells = append(cells, float64(*d.v))
			}
		}
		cells = append(cells, row.Outlier, row.Kind)
		if suggested {
			cells = append(cells, row.Suggested)
		}
		if why {
			cells = append(cells, reasonText(row.Why))
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// reasonText writes reasons in one cell: "pressure=14.2 (-37.5, 98 %)".
func reasonText(list []reason) string {
	parts := make([]string, len(list))
	for i, r := range list {
		parts[i] = fmt.Sprintf("%s=%s (%+.4g, %.0f %%)", r.Column, strconv.FormatFloat(float64(r.Value), 'g', 5, 64), float64(r.Contribution), 100*float64(r.Share))
	}
	return strings.Join(parts, "; ")
}
