package tolerant

import (
	"math"
	"slices"
)

// Fields are those of a row as they stand in the file: more or fewer than there are columns where the row is [Table.Ragged]. Nil where the columns
// are not those of the file in their order.
func (t *Table) Fields(row int) []string {
	under := t.text
	if c, ok := under.(chosen); ok {
		for k, j := range c.columns {
			if j != k {
				return nil
			}
		}
		under = c.text
	}
	if b, ok := under.(*body); ok {
		if b.width != len(t.Columns) {
			return nil
		}
		fields, _ := b.split(b.starts[row], nil, new(quotations))
		texts := make([]string, len(fields))
		for k, f := range fields {
			texts[k] = string(trim(f))
		}
		for len(texts) > b.width && texts[len(texts)-1] == "" {
			texts = texts[:len(texts)-1]
		}
		return texts
	}
	if t.text == nil {
		return nil
	}
	texts := make([]string, len(t.Columns))
	for k := range texts {
		texts[k] = t.Text(row, k)
	}
	return texts
}

// Read is what a text would be in a column, as Values has it: NaN where it says that a value is missing; ok is false where it does not fit there. Texts
// and names are 0.
func (t *Table) Read(column int, text string) (value float64, ok bool) {
	c := &t.Columns[column]
	r := reading{kind: c.Kind}
	if column < len(t.readings) && t.readings[column].kind == c.Kind {
		r = t.readings[column]
	}
	v, fit := r.value([]byte(text), new(tally))
	switch {
	case fit == absent || slices.Contains(c.Sentinels, v) && c.Kind == Number:
		return math.NaN(), true
	case c.Kind == Category:
		at := slices.Index(c.Levels, text)
		return float64(at), at >= 0
	case c.Kind == Identifier || c.Kind == Text || c.Kind == Empty:
		return 0, fit == fits
	case fit == misfit:
		return math.NaN(), false
	}
	if turn := c.Circle; turn != nil && v < turn.Cut && v >= turn.Least {
		v += turn.Turn
	}
	return v, true
}
