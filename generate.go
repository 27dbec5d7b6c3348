package inlier

import (
	"context"
	"errors"
	"slices"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/synthetic"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/report"
)

// Generate is the job of making synthetic data whose truth is known.
type Generate struct {
	Name       string             `json:"name"` // of the generator
	Parameters catalog.Parameters `json:"parameters,omitempty"`
	Seed       uint64             `json:"seed,omitempty"`
}

// GenerateResult is a table, a clean test set where there is one, and what is true.
type GenerateResult struct {
	RowsResult
	Test *dataset.Set
	// Sheet is the table as a person would have it, where the generator makes one: it is what a text
	// file holds then, and the numbers alone stand in other formats.
	Sheet *synthetic.Sheet

	made *synthetic.Generated
}

// Run makes the data.
func (g Generate) Run(ctx context.Context, o Observer) (*GenerateResult, error) {
	ctx = given.Context(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r := newReporter("generate", o)
	r.send(Event{Phase: "generate", Label: g.Name})
	recipe, err := synthetic.NewRecipe(g.Name, g.Parameters)
	var made *synthetic.Generated
	if err == nil {
		made, err = synthetic.Make(ctx, recipe, g.Seed)
	}
	if err != nil && ctx.Err() == nil {
		err = badInput(err, "inlier data generate lists the generators with their parameters")
		if !slices.ContainsFunc(synthetic.Recipes(), func(r synthetic.Info) bool { return r.Name == g.Name }) {
			err = about("name", err)
		}
		var input *dataset.InputError
		if errors.As(err, &input) && input.Option != "" {
			err = about(catalog.ParametersField+input.Option, err)
		}
	}
	if err != nil {
		return nil, err
	}
	r.send(Event{Phase: "generate", Label: g.Name, Done: 1, Total: 1, Rows: made.Set.Rows(), Columns: made.Set.Dim()})
	return &GenerateResult{RowsResult{Set: made.Set}, made.Test, made.Sheet, made}, nil
}

// Truth tells for every row what the generator knows about it.
func (g *GenerateResult) Truth() *report.Table {
	made := g.made
	t, n := made.Truth, made.Set.Rows()
	table := &report.Table{Columns: []report.Column{{Name: "row"}, {Name: "outlier"}}}
	if t.Note != nil {
		table.Columns = append(table.Columns, report.Column{Name: "note"})
	}
	if t.Guilty != nil {
		table.Columns = append(table.Columns, report.Column{Name: "column"})
	}
	if t.CleanY != nil {
		table.Columns = append(table.Columns, report.Column{Name: "clean_target"})
	}
	if t.Labels != nil {
		table.Columns = append(table.Columns, report.Column{Name: "true_label"})
	}
	for i := range n {
		cells := []any{i + 1, t.Outlier != nil && t.Outlier[i]}
		if t.Note != nil {
			cells = append(cells, t.Note[i])
		}
		if t.Guilty != nil {
			cells = append(cells, t.Guilty[i])
		}
		if t.CleanY != nil {
			cells = append(cells, t.CleanY[i])
		}
		if t.Labels != nil {
			cells = append(cells, t.Labels[i])
		}
		table.Rows = append(table.Rows, cells)
	}
	return table
}
