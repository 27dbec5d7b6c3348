package experiment

import (
	"cmp"
	"fmt"
	"math"

	"github.com/inlier-ml/inlier/report"
)

// comparison shows printed tables with ours above each line.
func (v *View) comparison() {
	if v.Spec.Published == nil || len(v.Spec.Published.Tables) == 0 {
		return
	}
	var blocks []report.Block
	for k, t := range v.Spec.Published.Tables {
		blocks = append(blocks, v.beside(k, t))
	}
	text := "From " + v.Spec.Published.Source + "."
	if len(v.Spec.Published.Notes) > 0 {
		text += "\n\n" + bullets(v.Spec.Published.Notes)
	}
	v.Page.Add("Ours beside the paper's", text, blocks...)
}

// beside is one printed table with ours. Numbers of data that are not the paper's stand side
// by side, but are not compared.
func (v *View) beside(number int, published PublishedTable) *report.Table {
	compared := v.Spec.Substitute == ""
	t := &report.Table{Title: published.Title, Across: true, Columns: []report.Column{{Name: "data"}, {Name: "whose"}}}
	for _, m := range published.Methods {
		t.Columns = append(t.Columns, report.Column{Name: m, Format: published.Format, Best: best(published.Better)})
	}
	if compared {
		t.Columns = append(t.Columns, report.Column{Name: "agree"})
	}
	for line, row := range published.Rows {
		ours, theirs := []any{cmp.Or(row.Label, row.Data), "ours"}, []any{"", "paper"}
		for i, m := range published.Methods {
			ours = append(ours, Spread(v.Stat(row.Data, m, published.score(row))))
			theirs = append(theirs, row.shown(i))
		}
		if compared {
			agree, of := v.agreeing(number, line)
			ours, theirs = append(ours, fmt.Sprintf("%d of %d", agree, of)), append(theirs, nil)
		}
		t.Add(ours...)
		t.Add(theirs...)
	}
	switch {
	case !compared:
		t.Notes = append(t.Notes, "Ours are of other data: the numbers are not compared.")
	case !published.Judged:
		t.Notes = append(t.Notes, "Agree: how many of the line's cells agree by the rule.", "This table does not count for the verdict.")
	default:
		t.Notes = append(t.Notes, "Agree: how many of the line's cells agree by the rule.")
	}
	return t
}

// shown is a printed number as a cell of a table; nil where nothing is printed.
func (r PublishedRow) shown(k int) any {
	switch mean, sd := r.at(k); {
	case math.IsNaN(mean):
		return nil
	case math.IsNaN(sd):
		return mean
	default:
		return report.Spread{Value: mean, Deviation: sd}
	}
}

// agreeing counts the cells of one printed line that agree.
func (v *View) agreeing(number, line int) (agree, of int) {
	for _, c := range v.Verdict.Cells {
		if c.Table == number && c.Row == line {
			of++
			if c.Agrees {
				agree++
			}
		}
	}
	return agree, of
}
