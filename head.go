package inlier

import (
	"context"
	"fmt"
	"math"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/report"
)

// Head is the job of reading the first rows of a file.
type Head struct {
	Data Data `json:"data"`
	Rows int  `json:"rows,omitempty"` // how many; 0: 10
}

// HeadResult holds the first rows; texts are codes whose words the table shows.
type HeadResult struct{ Set *dataset.Set }

// Check refuses a number of rows that is none.
func (h Head) Check() error {
	if h.Rows < 0 {
		return usage("it is a number of rows", "--rows %d is not allowed", h.Rows)
	}
	return nil
}

// Run reads the rows.
func (h Head) Run(ctx context.Context, o Observer) (*HeadResult, error) {
	ctx = given.Context(ctx)
	if err := h.Check(); err != nil {
		return nil, err
	}
	if h.Rows == 0 {
		h.Rows = 10
	}
	set, err := h.Data.read(ctx, needs{Missing: true, Text: true, Dates: true, Rows: h.Rows}, newReporter("head", o))
	if err != nil {
		return nil, err
	}
	if set.Rows() > h.Rows { // of a program, which are there already
		first := make([]int, h.Rows)
		for i := range first {
			first[i] = i
		}
		set = set.Subset(first)
	}
	if h.Data.ID == "" && set.IDs != nil { // those of images are their files, whose names are long
		plain := *set
		plain.IDs, set = nil, &plain
	}
	return &HeadResult{set}, nil
}

// MarshalJSON writes the names of the columns and one object per row.
func (h *HeadResult) MarshalJSON() ([]byte, error) {
	t := h.Table(h.Set.Dim())
	names := make([]string, len(t.Columns))
	for j, c := range t.Columns {
		names[j] = c.Name
	}
	return report.JSON(struct {
		Columns []string         `json:"columns"`
		Rows    []map[string]any `json:"rows"`
	}{names, t.Objects()})
}

// Table shows rows with their numbers, and the first columns of wide data.
func (h *HeadResult) Table(most int) *report.Table {
	set := h.Set
	t := &report.Table{Columns: []report.Column{{Name: "row"}}}
	if set.IDs != nil {
		var taken []report.Column
		for j := range set.Dim() {
			taken = append(taken, report.Column{Name: words.Column(set.Columns, j)})
		}
		if set.Target != nil {
			taken = append(taken, report.Column{Name: set.Target.Name})
		}
		t.Columns = append(t.Columns, report.Column{Name: idColumn(taken)})
	}
	shown := min(set.Dim(), most)
	codings := make([]*dataset.Coding, shown)
	for j := range shown {
		name := words.Column(set.Columns, j)
		codings[j] = set.Coder.Of(name)
		t.Columns = append(t.Columns, report.Column{Name: name, Format: report.Value})
	}
	if set.Target != nil {
		t.Columns = append(t.Columns, report.Column{Name: set.Target.Name, Format: report.Value})
	}
	for i := range set.Rows() {
		cells := []any{i + 1}
		if set.IDs != nil {
			cells = append(cells, set.IDs[i])
		}
		for j := range shown {
			v := set.X.At(i, j)
			if coding := codings[j]; coding != nil && !coding.OneHot && !math.IsNaN(v) {
				cells = append(cells, coding.Levels[int(v)])
				continue
			}
			cells = append(cells, v)
		}
		if target := set.Target; target != nil && target.Labels != nil {
			cells = append(cells, target.Class(i))
		} else if target != nil {
			cells = append(cells, target.Values[i])
		}
		t.Rows = append(t.Rows, cells)
	}
	if shown < set.Dim() {
		t.Notes = append(t.Notes, fmt.Sprintf("and %s more", words.Plural(set.Dim()-shown, "column")))
	}
	return t
}
