package inlier

import (
	"context"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/corrupt"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/report"
)

// Convert is the job of reading a table as it is, to be written in another format.
type Convert struct {
	Data Data `json:"data"`
	// Dates keeps the dates of a table that is read tolerantly, for a format that holds texts; otherwise they become days
	// since 1970.
	Dates bool `json:"dates,omitempty"`
}

// Run reads the table. Names of image files are left out: they would be a column that
// cannot be read back as numbers.
func (c Convert) Run(ctx context.Context, o Observer) (*RowsResult, error) {
	ctx = given.Context(ctx)
	result, tell := &RowsResult{}, c.Data.OnColumns
	c.Data.OnColumns = func(columns []ReadColumn, remarks []tolerant.Remark) {
		result.Dates = nil
		for _, column := range columns {
			if column.layout != "" && column.LeftOut == "" && c.Dates {
				if result.Dates == nil {
					result.Dates = map[string]string{}
				}
				result.Dates[column.Name] = column.layout
			}
		}
		if tell != nil {
			tell(columns, remarks)
		}
	}
	set, err := c.Data.read(ctx, needs{Missing: true, Dates: c.Dates}, newReporter("convert", o))
	if err != nil {
		return nil, err
	}
	if c.Data.ID == "" {
		set = unnamed(set)
	}
	result.Set = set
	return result, nil
}

// unnamed is a set whose rows have no names.
func unnamed(set *dataset.Set) *dataset.Set {
	copied := *set
	copied.IDs = nil
	return &copied
}

// Corrupt is the job of dirtying data on purpose.
type Corrupt struct {
	Data Data   `json:"data"`
	Spec string `json:"spec"` // steps joined by +, such as label:0.2+rows:5
	Seed uint64 `json:"seed,omitempty"`
}

// CorruptResult is the dirty table and what was done to it.
type CorruptResult struct {
	RowsResult
	Dirt *corrupt.Dirt
}

// Run reads the table and dirties it.
func (c Corrupt) Run(ctx context.Context, o Observer) (*CorruptResult, error) {
	ctx = given.Context(ctx)
	r := newReporter("corrupt", o)
	set, err := c.Data.read(ctx, needs{Missing: true}, r)
	if err != nil {
		return nil, err
	}
	r.phase("corrupt")
	dirty, dirt, err := corrupt.Apply(set, c.Spec, c.Seed)
	if err != nil {
		return nil, about("spec", badInput(err, "inlier data corrupt lists the kinds of dirt"))
	}
	if dirty.IDs = slices.Clone(set.IDs); c.Data.ID == "" {
		dirty.IDs = nil // as in Convert
	} else {
		dirty.IDs = append(dirty.IDs, make([]string, max(0, dirty.Rows()-set.Rows()))...) // rows that were added have none
	}
	return &CorruptResult{RowsResult{Set: dirty}, dirt}, nil
}

// Truth tells for every row whether it was hit, by what, and in which columns where these are not all.
func (c *CorruptResult) Truth() *report.Table {
	set, dirt := c.Set, c.Dirt
	t := &report.Table{Columns: []report.Column{{Name: "row"}, {Name: "outlier"}, {Name: "note"}, {Name: "column"}}}
	notes := make([][]string, set.Rows())
	for _, step := range dirt.Steps {
		for _, i := range step.Rows {
			note := step.Spec
			if kind, ok := step.Kinds[i]; ok {
				note = kind
			}
			notes[i] = append(notes[i], note)
		}
	}
	for i := range set.Rows() {
		t.Add(i+1, dirt.Rows[i], strings.Join(notes[i], " + "), strings.Join(c.guilty(i), "+"))
	}
	return t
}

// guilty are the columns in which a row was changed; none where it was changed in most.
func (c *CorruptResult) guilty(row int) []string {
	if !c.Dirt.Rows[row] {
		return nil
	}
	var names []string
	for j, name := range c.Set.Columns {
		if c.Dirt.Cell(row, j) {
			names = append(names, name)
		}
	}
	if len(names) > max(2, len(c.Set.Columns)/2) {
		return nil
	}
	return names
}
