package dataset

import (
	"slices"
	"sort"
	"strconv"

	"github.com/inlier-ml/inlier/dataset/internal/cell"
)

// Coder turns text columns into numbers. It is learned on training rows, kept with a
// model (as JSON) and applied to later rows when they are read.
type Coder struct {
	Codings []Coding `json:"codings"`
}

// Coding is how one text column becomes numbers.
type Coding struct {
	// Column is the name in the file.
	Column string `json:"column"`
	// Levels are the categories in the order of their code.
	Levels []string `json:"levels"`
	// OneHot gives a 0/1 column per level instead of the level's index.
	OneHot bool `json:"one_hot,omitempty"`
}

// Of returns the coding of a column, or nil.
func (c *Coder) Of(column string) *Coding {
	if c == nil {
		return nil
	}
	for i := range c.Codings {
		if c.Codings[i].Column == column {
			return &c.Codings[i]
		}
	}
	return nil
}

// Raw returns the columns of the file that the given coded columns come from: the
// columns to ask for when new rows are read for a model.
func (c *Coder) Raw(columns []string) []string {
	from := map[string]string{}
	if c != nil {
		for i := range c.Codings {
			for _, name := range c.Codings[i].Names() {
				from[name] = c.Codings[i].Column
			}
		}
	}
	var raw []string
	seen := map[string]bool{}
	for _, name := range columns {
		if column, ok := from[name]; ok {
			name = column
		}
		if !seen[name] {
			seen[name] = true
			raw = append(raw, name)
		}
	}
	return raw
}

// Check refuses codings that do not make sense, as a damaged model file may hold them.
func (c *Coder) Check() error {
	if c == nil {
		return nil
	}
	columns := map[string]bool{}
	for _, coding := range c.Codings {
		if columns[coding.Column] || coding.Column == "" {
			return Problem("", "the coding of text columns names %q twice or not at all", coding.Column)
		}
		columns[coding.Column] = true
		levels := map[string]bool{}
		for _, level := range coding.Levels {
			if levels[level] {
				return &InputError{Column: coding.Column, Problem: "the coding holds category " + strconv.Quote(level) + " twice"}
			}
			levels[level] = true
		}
		if len(levels) == 0 {
			return &InputError{Column: coding.Column, Problem: "the coding holds no category"}
		}
	}
	return nil
}

// Width is the number of columns that the column becomes.
func (c *Coding) Width() int {
	if c.OneHot {
		return len(c.Levels)
	}
	return 1
}

// Names are the names of those columns: the column's own, or column=level.
func (c *Coding) Names() []string {
	if !c.OneHot {
		return []string{c.Column}
	}
	names := make([]string, len(c.Levels))
	for i, level := range c.Levels {
		names[i] = c.Column + "=" + level
	}
	return names
}

// Index returns the code of a category, or -1 when it is unknown.
func (c *Coding) Index(level string) int { return slices.Index(c.Levels, level) }

// SortLevels puts categories into the order of their codes: as numbers when all are
// numbers, as texts otherwise.
func SortLevels(levels []string) {
	values := make(map[string]float64, len(levels))
	for _, level := range levels {
		v, kind := cell.Parse([]byte(level))
		if kind != cell.Number {
			sort.Strings(levels)
			return
		}
		values[level] = v
	}
	sort.Slice(levels, func(i, j int) bool {
		a, b := values[levels[i]], values[levels[j]]
		if a != b {
			return a < b
		}
		return levels[i] < levels[j]
	})
}
