package check

import (
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// Align is another table in the columns that were learned, matched by name, its categories coded as
// there. Lacking are learned columns that it does not have: they are empty, and if all are lacking there is no
// table. New columns are not judged.
func (m *Model) Align(t *tolerant.Table) (aligned *tolerant.Table, lacking, unknown []string) {
	learned := m.view.table
	var order []int
	for j := range learned.Columns {
		name := learned.Columns[j].Name
		at := slices.IndexFunc(t.Columns, func(c tolerant.Column) bool { return c.Name == name })
		if at < 0 && learned.Columns[j].Kind != tolerant.Ignored {
			lacking = append(lacking, name)
		}
		order = append(order, at)
	}
	for j := range t.Columns {
		if !slices.Contains(order, j) {
			unknown = append(unknown, t.Columns[j].Name)
		}
	}
	if lacking != nil && slices.Max(order) < 0 {
		return nil, lacking, unknown
	}
	aligned = t.Select(order)
	for j := range aligned.Columns {
		if order[j] < 0 {
			aligned.Columns[j].Name, aligned.Columns[j].Given, aligned.Columns[j].Missing = learned.Columns[j].Name, learned.Columns[j].Given, t.Rows
		}
		if c := &aligned.Columns[j]; c.Kind == tolerant.Ignored && learned.Columns[j].Values != nil {
			c.Sure, c.Missing = 0, t.Rows // as if it were not there
		}
		recode(&aligned.Columns[j], &learned.Columns[j], t.Rows)
	}
	return aligned, lacking, unknown
}

// lacking says that a batch does not have one of the columns: nobody has read it.
func lacking(t *tolerant.Table, columns []int) bool {
	return slices.ContainsFunc(columns, func(c int) bool { return t.Columns[c].Sure == 0 && t.Columns[c].Missing == t.Rows })
}

// Kinds are what the learned columns were taken for, by name: a new batch, which may be a single row, is
// read the same way.
func (m *Model) Kinds() map[string]tolerant.Kind {
	kinds := map[string]tolerant.Kind{}
	for j := range m.view.table.Columns {
		c := &m.view.table.Columns[j]
		kinds[c.Name] = c.Kind
	}
	return kinds
}

// recode gives the words of a category the numbers that they had; new words come behind them.
func recode(c, learned *tolerant.Column, rows int) {
	if c.Values == nil && learned.Values != nil { // nothing in this batch that could be judged
		c.Kind, c.Levels, c.Values = learned.Kind, learned.Levels, make([]float64, rows)
		for i := range c.Values {
			c.Values[i] = math.NaN()
		}
		return
	}
	if c.Kind != tolerant.Category || learned.Kind != tolerant.Category {
		return
	}
	levels := slices.Clone(learned.Levels)
	code := make([]float64, len(c.Levels))
	for k, word := range c.Levels {
		at := slices.Index(levels, word)
		if at < 0 {
			at = len(levels)
			levels = append(levels, word)
		}
		code[k] = float64(at)
	}
	values := make([]float64, len(c.Values))
	for i, v := range c.Values {
		values[i] = math.NaN()
		if v == v && int(v) < len(code) {
			values[i] = code[int(v)]
		}
	}
	c.Values, c.Levels = values, levels
}
