package judge

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/report"
	"github.com/inlier-ml/inlier/verdict"
)

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
