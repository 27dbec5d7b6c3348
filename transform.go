package inlier

import (
	"context"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/report"
)

// Transform is the job of reducing each row to its scores pc1, pc2, ... in a model.
type Transform struct {
	Model Model `json:"model"`
	Data  Data  `json:"data"`
	Gaps  bool  `json:"gaps,omitempty"` // a missing cell leaves its row without scores, in place of refusing the table
}

// Reconstruct is the job of projecting each row onto a model and back: the row as it
// would be without what does not fit.
type Reconstruct struct {
	Model Model `json:"model"`
	Data  Data  `json:"data"`
}

// RowsResult is a table: one row per row of the data.
type RowsResult struct {
	Set *dataset.Set
	// Memory is the bound in bytes within which a table that does not fit was read in blocks; 0: it was in memory.
	Memory int64
	// Rows and First are the number of rows of all parts and that of the first row at hand, from 0, where the table is handed over
	// in parts.
	Rows, First int
	// Dates are the columns of days since 1970 that are dates where texts can stand, and their layout in the manner of
	// package time; nil: there are none.
	Dates map[string]string
	// Remarks are what the user should know, of the rows so far.
	Remarks []string
}

// Mixed tells whether texts stand beside the numbers: names of rows, or dates.
func (r *RowsResult) Mixed() bool { return r.Set.IDs != nil || len(r.Dates) > 0 }

// Run reads model and data and reduces the rows.
func (t Transform) Run(ctx context.Context, o Observer) (*RowsResult, error) {
	return t.Stream(ctx, o, nil)
}

// Stream reduces as Run does and hands the rows over in their order: all at once, or in parts as they are reduced where the table
// does not fit into memory and is read in blocks; the result is nil. A part may be used only during the call.
func (t Transform) Stream(ctx context.Context, o Observer, each func(part *RowsResult) error) (*RowsResult, error) {
	ctx = given.AllOrNothing(ctx)
	return turn(ctx, "transform", t.Model, t.Data, t.Gaps, o, each, func(m catalog.Transformer, in *dataset.Set) (*dataset.Set, error) {
		x, err := m.Transform(ctx, in.X)
		if err != nil {
			return nil, err
		}
		return &dataset.Set{Name: in.Name, X: x, Columns: m.ScoreNames(), Target: in.Target, IDs: in.IDs}, nil
	})
}

// Run reads model and data and reconstructs the rows.
func (t Reconstruct) Run(ctx context.Context, o Observer) (*RowsResult, error) {
	return t.Stream(ctx, o, nil)
}

// Stream reconstructs as Run does and hands the rows over in parts, as [Transform.Stream].
func (t Reconstruct) Stream(ctx context.Context, o Observer, each func(part *RowsResult) error) (*RowsResult, error) {
	ctx = given.AllOrNothing(ctx)
	return turn(ctx, "reconstruct", t.Model, t.Data, false, o, each, func(m catalog.Transformer, in *dataset.Set) (*dataset.Set, error) {
		x, err := m.Reconstruct(ctx, in.X)
		if err != nil {
			return nil, err
		}
		return &dataset.Set{Name: in.Name, X: x, Columns: in.Columns, Shape: m.Describe().Shape, Target: in.Target, IDs: in.IDs}, nil
	})
}

// turn turns rows into rows by a model.
func turn(ctx context.Context, job string, of Model, data Data, gaps bool, o Observer, each func(*RowsResult) error, how func(catalog.Transformer, *dataset.Set) (*dataset.Set, error)) (*RowsResult, error) {
	r := newReporter(job, o)
	m, err := of.Open()
	if err != nil {
		return nil, err
	}
	t, ok := m.Model.(catalog.Transformer)
	if !ok {
		return nil, about("model", usage("inlier inspect shows what a model is", "%s: %s models do not %s rows", m.Name, m.About.Method, job))
	}
	in, err := m.table(ctx, data, false, needs{Blocks: true, Missing: gaps, Words: true}, r)
	if err != nil {
		return nil, err
	}
	defer in.close()
	made := func(first int, part *dataset.Set) (*dataset.Set, error) {
		whole, lacking := in.whole(first, part)
		set, err := how(t, whole)
		if err != nil {
			return nil, err
		}
		for _, i := range lacking {
			unknown(set.X.RawRowView(i))
		}
		set.Target = part.Target
		return set, nil
	}
	rows, columns := in.dims()
	if each == nil {
		if err := in.inMemory("a table of all rows", "--out writes .csv, .parquet or .npy as it is made"); err != nil {
			return nil, err
		}
	}
	if in.parts == nil {
		r.send(Event{Phase: job, Rows: rows, Columns: columns})
		set, err := made(0, in.set)
		if err != nil {
			return nil, err
		}
		whole := &RowsResult{Set: set, Rows: rows, Remarks: in.remarks()}
		if each == nil {
			return whole, nil
		}
		return nil, each(whole)
	}
	return nil, in.each(ctx, r, job, func(first int, part *dataset.Set) error {
		set, err := made(first, part)
		if err != nil {
			return err
		}
		return each(&RowsResult{Set: set, Rows: rows, First: first, Memory: in.bound(), Remarks: in.remarks()})
	})
}

// MarshalJSON writes the names of the columns and rows, and the numbers row by row.
func (r *RowsResult) MarshalJSON() ([]byte, error) {
	text, err := report.JSON(struct {
		Columns []string `json:"columns"`
		IDs     []string `json:"ids,omitempty"`
		Remarks []string `json:"remarks,omitempty"`
	}{r.Set.Columns, r.Set.IDs, r.Remarks})
	if err != nil {
		return nil, err
	}
	text = append(text[:len(text)-1], `,"rows":[`...)
	for i := range r.Set.Rows() {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, '[')
		for j, v := range r.Set.X.RawRowView(i) {
			if j > 0 {
				text = append(text, ',')
			}
			if len(r.Dates) == 0 || r.Dates[r.Set.Columns[j]] == "" {
				text = report.AppendNumber(text, v)
				continue
			}
			day, err := report.JSON(date(r.Dates[r.Set.Columns[j]], v))
			if err != nil {
				return nil, err
			}
			text = append(text, day...)
		}
		text = append(text, ']')
	}
	return append(text, "]}"...), nil
}

// date writes days since 1970 in a layout; missing ones are empty.
func date(layout string, days float64) string {
	if math.IsNaN(days) {
		return ""
	}
	return tolerant.FormatDate(layout, tolerant.NearestDate(layout, days*86400))
}

// Table is the set as a table: the names of the rows, the columns, the target.
func (r *RowsResult) Table() *report.Table {
	t := setTable(r.Set)
	for j, c := range t.Columns {
		layout := r.Dates[c.Name]
		if layout == "" {
			continue
		}
		for _, row := range t.Rows {
			if days, ok := row[j].(float64); ok {
				row[j] = date(layout, days)
			}
		}
	}
	return t
}

// setTable lays a set out: the names of the rows, the columns, the target.
func setTable(set *dataset.Set) *report.Table {
	t := &report.Table{}
	for j := range set.Dim() {
		t.Columns = append(t.Columns, report.Column{Name: words.Column(set.Columns, j), Format: report.Value})
	}
	if set.Target != nil {
		t.Columns = append(t.Columns, report.Column{Name: set.Target.Name, Format: report.Value})
	}
	for i := range set.Rows() {
		cells := make([]any, 0, len(t.Columns)+1)
		for _, v := range set.X.RawRowView(i) {
			cells = append(cells, v)
		}
		switch target := set.Target; {
		case target == nil:
		case target.Values != nil:
			cells = append(cells, target.Values[i])
		default:
			cells = append(cells, target.Class(i))
		}
		t.Rows = append(t.Rows, cells)
	}
	nameRows(t, set.IDs)
	return t
}

// nameRows puts a column with the names of the rows before the others.
func nameRows(t *report.Table, ids []string) {
	if ids == nil {
		return
	}
	t.Columns = append([]report.Column{{Name: idColumn(t.Columns)}}, t.Columns...)
	for i, row := range t.Rows {
		t.Rows[i] = append([]any{ids[i]}, row...)
	}
}

// idColumn is "id", or another name where that is taken.
func idColumn(columns []report.Column) string {
	name := "id"
	for slices.ContainsFunc(columns, func(c report.Column) bool { return c.Name == name }) {
		name = "row_" + name
	}
	return name
}
